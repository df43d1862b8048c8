import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandLink, inert, plainLine } from '../../../src/ui/chat/markdown.ts';

/** What Markdown leaves of a text in which every mark is escaped. */
function rendered(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&').replaceAll('\u2060', '');
}

describe('inert text in a trusted string', () => {
  const hostile = ['[x](command:y)', '![i](https://evil/x.png)', '`code`', '<b onclick=x>', '<!-- c -->', '# head', '1. one', '*a* _b_ ~~c~~ | d', 'https://evil.example', 'www.evil.example', 'a@b.example', '&lt;b&gt;', '\\[x](command:y)', '[a]: command:x'];
  for (const name of hostile) {
    it(`shows ${name} as written and leaves no mark bare`, () => {
      assert.equal(rendered(inert(name)), name);
      assert.doesNotMatch(inert(name).replace(/\\[!-/:-@[-`{-~]/g, ''), /[[\]()`*_~<>#|!:@\\]/);
    });
  }

  it('breaks the form of a theme icon without hiding it', () => {
    for (const name of ['$(trash)', '\\$(trash)', '$($(trash))', '$$(sync~spin)', '$\u2060(trash)']) {
      assert.doesNotMatch(inert(name), /\$\\?\(/);
      assert.doesNotMatch(inert(name), /\$\(/);
    }
    assert.match(inert('$(trash)'), /trash/);
  });

  it('is one line of bounded length', () => {
    assert.equal(inert('a\n\n- b\r\nc\u2028d'), 'a \\- b c d');
    assert.ok([...rendered(inert('x'.repeat(500)))].length <= 80);
    assert.ok([...rendered(inert('😀'.repeat(500)))].length <= 80);
  });

  it('drops what turns the direction of text', () => {
    assert.equal(inert('abc\u202edef'), 'abcdef');
  });

  it('never leaves a bare mark, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
        const out = inert(text).replace(/\\[!-/:-@[-`{-~]/g, '').replace(/&(?:amp|lt|gt);/g, '');
        assert.doesNotMatch(out, /[[\]()`*_~<>#|!:@\\&\n\r]/);
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

describe('a name in a notification', () => {
  it('can not be a link', () => {
    assert.equal(plainLine('[Allow](command:x)\nnow'), '(Allow)(command:x) now');
  });
});
