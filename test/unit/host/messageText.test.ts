import assert from 'node:assert/strict';
import { harmless, harmlessLines, withoutIcons } from '../../../src/host/messageText.ts';

/** How VS Code finds links in a notification. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('the text of a message', () => {
  it('makes no link, whatever it quotes', () => {
    for (const text of ['[Open](command:subagents.cancelAll)', 'Not accepted: [a](command:x?%5B%5D); [b](https://example.org "now")', '[a [b](file:/x)', '[a]\u2060(command:x)', '[a]\u200b(command:x)', '[a\n](command:x)']) assert.doesNotMatch(harmless(text), LINK, text);
  });

  it('is the same done once and twice, since parts of it may have been done before', () => {
    for (const text of ['[a](command:x)', 'a [b', 'x]y[z']) assert.equal(harmless(harmless(text)), harmless(text));
  });

  it('is one line in its own direction, and fits into what VS Code shows', () => {
    assert.equal(harmless('a\n\nb\u202ec\u0007'), 'a bc');
    assert.ok(harmless('x'.repeat(5000)).length < 1000);
  });

  it('keeps its lines where it stands below a question', () => {
    assert.equal(harmlessLines('a\u202e.ts\n\nWhat else changed stays.'), 'a.ts\n\nWhat else changed stays.');
  });

  it('makes no icon where icons are shown', () => {
    assert.doesNotMatch(withoutIcons('$(check) done'), /\$\(/);
  });
});
