import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandLink, inert, openFence } from '../../../src/ui/chat/markdown.ts';

/** What a browser shows of a text whose marks are entities. */
const rendered = (markdown: string): string => markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const bare = (markdown: string): string => markdown.replace(/&#\d+;/g, '');
const MARK = /[!#$&()*:<=>@[\\\]_`|~\n\r]|www\./i;

describe('inert text in a trusted string', () => {
  const hostile = ['[x](command:y)', '![i](https://evil/x.png)', '`code`', '<b onclick=x>', '<!-- c -->', '# head', '1. one', '- item', '+ item', '*a* _b_ ~~c~~ | d', 'https://evil.example', 'www.evil.example', 'WWW.evil.example', 'a@b.example', '&lt;b&gt;', '&#91;x', '\\[x](command:y)', '[a]: command:x', '$(trash)', '\\$(trash)', '$$(sync~spin)'];
  for (const name of hostile) {
    it(`shows ${name} as written and leaves no mark bare`, () => {
      assert.equal(rendered(inert(name)), name);
      assert.doesNotMatch(bare(inert(name)), MARK);
      assert.doesNotMatch(inert(name), /^(?:[-+]|\d+\.)/);
    });
  }

  it('leaves ordinary names and paths readable', () => {
    assert.equal(inert("Look at src/a-b.ts, it's v1.2; 50% done?"), "Look at src/a-b.ts, it's v1.2; 50% done?");
  });

  it('is one line of bounded length', () => {
    assert.equal(inert('a\n\n- b\r\nc\u2028d'), 'a - b c d');
    assert.ok([...inert('x'.repeat(500))].length <= 80);
    assert.ok([...inert('😀'.repeat(500))].length <= 80);
  });

  it('drops what turns the direction of text', () => {
    assert.equal(inert('abc\u202edef'), 'abcdef');
  });

  it('never leaves a bare mark, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
        assert.doesNotMatch(bare(inert(text)), MARK);
      }),
    );
  });
});

describe('a command link', () => {
  it('carries any argument without ending early', () => {
    const link = commandLink('Show', 'ext.show', { id: `) [x](command:y) "'*_~!` });
    assert.match(link, /^\[Show\]\(command:ext\.show\?[A-Za-z0-9%._-]+\)$/);
    const args = /\?(.+)\)$/.exec(link)?.[1] ?? '';
    assert.deepEqual(JSON.parse(decodeURIComponent(args)), [{ id: `) [x](command:y) "'*_~!` }]);
  });
});

describe('a code block that is left open', () => {
  it('is closed by its own fence', () => {
    assert.equal(openFence('a\n```ts\nb'), '```');
    assert.equal(openFence('a\n~~~~\n```\nb\n~~~'), '~~~~');
    assert.equal(openFence('```\na\n````js'), '```');
  });

  it('is none where all are closed, or none began', () => {
    for (const text of ['', 'a `b', '```\na\n```', '```\na\n`````  \nb', '```a``` b', 'x ```\n']) assert.equal(openFence(text), undefined, text);
  });
});
