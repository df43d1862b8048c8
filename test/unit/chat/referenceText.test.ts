import assert from 'node:assert/strict';
import { withReferences } from '../../../src/ui/chat/referenceText.ts';

describe('references of a request', () => {
  it('leave a prompt without any as it is', () => {
    assert.equal(withReferences('hello', []), 'hello');
  });

  it('follow the prompt, each once', () => {
    const file = { kind: 'file', path: '/w/a.ts' } as const;
    assert.equal(
      withReferences('look', [file, file, { kind: 'range', path: '/w/b.ts', from: 3, to: 9 }, { kind: 'range', path: '/w/b.ts', from: 4, to: 4 }, { kind: 'text', label: 'note', text: 'one\ntwo' }]),
      'look\n\nReferences given with this message:\n- /w/a.ts\n- /w/b.ts, lines 3-9\n- /w/b.ts, line 4\n- note:\n  one\n  two',
    );
  });
});
