import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { toMarkdown } from '../../../src/runtime/web/markdown.ts';
import { preparePage } from '../../../src/runtime/web/preparePage.ts';
import { readHtml } from '../../../src/runtime/web/readHtml.ts';

const PLACE = new URL('https://example.org/docs/page?x=1');
const read = (html: string): string => readHtml(html, PLACE).markdown;
const body = (inner: string): string => `<!doctype html><html><head><title>T</title></head><body>${inner}</body></html>`;
const WORDS = '<p>A sentence of an article, with commas in it, and with more words to read. </p>'.repeat(8);

describe('a page as Markdown', () => {
  it('is its readable part, without what stands around it', () => {
    const text = read(body(`<nav><a href="/home">Home</a><a href="/shop">Shop</a></nav><article><h2>Head</h2>${WORDS}</article><footer>Imprint</footer>`));
    assert.match(text, /## Head\n\nA sentence/);
    assert.doesNotMatch(text, /Home|Shop|Imprint/);
  });

  it('is all of it where no part stands out', () => {
    const links = Array.from({ length: 5 }, (_, index) => `<li><a href="p${index}">Page ${index}</a></li>`).join('');
    assert.equal(read(body(`<ul>${links}</ul>`)), Array.from({ length: 5 }, (_, index) => `-   [Page ${index}](https://example.org/docs/p${index})`).join('\n'));
  });

  it('has its title', () => assert.equal(readHtml('<title> Of &amp; with </title><p>x', PLACE).title, 'Of & with'));

  const forms: readonly (readonly [string, string, string])[] = [
    ['a piece without root', '<p>Hello <b>you</b> <i>there</i></p>', 'Hello **you** *there*'],
    ['nothing', '', ''],
    ['links from where they start', '<a href="../a b">x</a> <a href="?y">y</a> <a href="//other.example/z">z</a>', '[x](https://example.org/a%20b) [y](https://example.org/docs/page?y) [z](https://other.example/z)'],
    ['links from where the page says that they start', body('<base href="https://base.example/q/"><a href="r">x</a>'), '[x](https://base.example/q/r)'],
    ['links that lead nowhere as text', '<a href="javascript:alert(1)">a</a> <a href="#top">b</a> <a href="vscode://x/y">c</a> <a href="data:text/html,x">d</a> <a>e</a>', 'a b c d e'],
    ['links where the page says a start that is none', body(`<base href="https://base.example/${'q'.repeat(2_000)}/"><a href="r">x</a>`), '[x](https://example.org/docs/r)'],
    ['links that are too long to be read as text', `<a href="/${'q'.repeat(2_000)}">x</a> <a href="/${'q'.repeat(100)}">y</a>`, `x [y](https://example.org/${'q'.repeat(100)})`],
    ['something before the root', '<br>\n<b>Warning</b>: x\n<!doctype html><html><head><title>t</title></head><body><p>words</p></body></html>', '**Warning**: x\n\nwords'],
    ['something after the root', '<html><body><p>words</p></body></html><p>more</p>', 'words\n\nmore'],
    ['no body but one in a script', '<!doctype html><html><head><title>t</title><script>document.write("<body >")</script></head><p>words</p></html>', 'words'],
    ['no root but one in a comment', '<!-- <html > <body > --><p>words</p>', 'words'],
    ['no root but one in an attribute', '<p title="<html><body >">words</p>', 'words'],
    ['no root but one in text', '<p>Write &lt;html> and <textarea><html><body ></textarea> words</p>', 'Write <html> and words'],
    ['two bodies', '<html><body><p>one</p><body><p>two</p></body></html>', 'one\n\ntwo'],
    ['a body that a script will show', '<html hidden><body style="opacity:0"><p>words</p></body></html>', 'words'],
    ['words that all wait for a script to show them', body('<div hidden><p>the words</p></div>'), 'the words'],
    ['links with brackets in them', '<a href="/a_(b)">x</a>', '[x](https://example.org/a_%28b%29)'],
    ['images by their words', '<p><img src="cat.png" alt="A  cat"> <img src="pixel.gif"><img src="data:image/png;base64,AAAA" alt="">x</p>', '[Image: A cat] x'],
    ['code as it is', '<pre><code class="language-ts">let a = 1;\n  b();</code></pre>', '```ts\nlet a = 1;\n  b();\n```'],
    ['tables', '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2<br>3 | 4</td></tr></tbody></table>', '| A | B |\n| --- | --- |\n| 1 | 2 3 \\| 4 |'],
    ['tables that only arrange', '<table><tr><td><p>one</p><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>', 'one\n\n| a | b |'],
    ['what hides nothing but shows nothing', '<p>x</p><script>bad()</script><style>p{}</style><noscript>no</noscript><template>t</template><svg><text>s</text></svg><iframe src="/i">i</iframe><button>Buy</button><input value="v"><!-- c -->', 'x'],
    ['what is hidden', '<p>x</p><p hidden>1</p><p aria-hidden="true">2</p><div style="color:red; display : none">3</div><p style="VISIBILITY:hidden">4</p><p style="opacity:0">5</p><p style="font-size:0px">6</p><p style="opacity:0.5">y</p>', 'x\n\ny'],
  ];
  for (const [name, html, expected] of forms) it(`of ${name}`, () => assert.equal(read(html), expected));
});

describe('a page that would take for ever', () => {
  it('is read up to as many tags as can be', () => {
    const { markdown, isCut } = readHtml(`<p>first</p>${'</i>'.repeat(50_000)}<p>last</p>`, PLACE);
    assert.equal(isCut, true);
    assert.match(markdown, /first/);
    assert.doesNotMatch(markdown, /last/);
  });

  it('is read up to as many characters as can be', () => {
    const { markdown, isCut } = readHtml(`<p>first ${'word '.repeat(800_000)} last</p>`, PLACE);
    assert.equal(isCut, true);
    assert.ok(markdown.startsWith('first word') && !markdown.includes('last'));
  });

  for (const element of ['div', 'b', 'blockquote', 'ul><li', 'table><tr><td']) {
    it(`gives its bare text where <${element}> is in itself too often`, () => {
      const { markdown } = readHtml(`${`<${element}>`.repeat(3_000)}the words`, PLACE);
      assert.match(markdown, /nested too deeply[^]*the words/);
    });
  }

  for (const [around, inner] of [['<blockquote>', `<pre>${'x\n'.repeat(20_000)}`], ['<ul><li>', `<pre>${'x\n'.repeat(20_000)}`], ['<blockquote>', 'x<br>'.repeat(5_000)]] as const) {
    it(`is given up where ${around} makes it much longer: ${inner.length} characters`, () => {
      const { body: page } = preparePage(`<p>the words</p>${around.repeat(140)}${inner}`, PLACE);
      assert.throws(() => toMarkdown(page), (error) => isAppError(error, 'invalid_input'));
    });
  }

  it('is whole where it is nested as deep as people do', () => {
    assert.equal(read(`${'<div>'.repeat(150)}the words`), 'the words');
  });
});
