import assert from 'node:assert/strict';
import { describeFailure } from '../../../src/runtime/providers/describeFailure.ts';
import { ProviderFailure } from '../../../src/runtime/providers/failure.ts';

const KEY = 'sk-super-secret-key-0123456789';

function messageFor(words: string): string {
  return describeFailure(new ProviderFailure({ status: 401, words }), { provider: 'openai', model: 'm', key: KEY }, 0).message;
}

describe('what is said of a failed request', () => {
  for (const [name, hidden] of [['zero-width spaces', '\u200b'], ['joiners', '\u200d'], ['soft hyphens', '\u00ad'], ['variation selectors', '\ufe0f'], ['tags', '\u{e0041}'], ['bidi marks', '\u202e']] as const) {
    it(`masks a key that is echoed with ${name} in it`, () => {
      for (const echoed of [KEY, KEY.slice(4, 18), 'sk-proj-of-somebody-else']) {
        const message = messageFor(`Bad key: ${[...echoed].join(hidden)}`);
        assert.match(message, /Bad key: \S*\[key\]/u);
        assert.ok(!message.replace(/[\p{Cf}\p{DI}]/gu, '').includes(echoed), message);
      }
    });
  }

  it('leaves words as they are where nothing hides in them', () => {
    assert.match(messageFor('نمی\u200cخواهم 👩\u200d💻.'), /: نمی\u200cخواهم 👩\u200d💻\./u);
  });
});
