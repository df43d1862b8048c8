import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answerLimit, limitAfterRefusal, roomOf, statedWindow } from '../../../src/runtime/agent/context/room.ts';

const model = { provider: 'p', model: 'm' };

describe('the room of a request', () => {
  it('is a part of what the window leaves beside the answer', () => {
    assert.equal(roomOf({ ...model, contextWindow: 100_000, maxOutputTokens: 20_000 }).limit, 68_000);
    assert.equal(roomOf(model).limit, Math.floor((128_000 - 8192) * 0.85));
  });

  it('is there although the longest answer is as long as the window, which then is asked for shorter', () => {
    const small = { ...model, contextWindow: 8192 };
    assert.ok(roomOf(small).limit > 3000);
    assert.equal(answerLimit(small), 4096);
    assert.equal(answerLimit(model), undefined);
  });
});

describe('a refusal', () => {
  it('names the window in the words of many vendors', () => {
    for (const [words, window] of [
      ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
      ['input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length', 200_000],
      ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8500 in the messages, 500 in the completion).", 8192],
      ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
      ['Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens', 4096],
      ["This model's maximum prompt length is 131,072 but the request contains 537812 tokens.", 131_072],
      ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
      ['Your input exceeds the context window of this model.', undefined],
      ['openai (gpt-5) 413: Request too large', undefined],
      ['', undefined],
    ] as const) {
      assert.equal(statedWindow(words), window, words);
    }
  });

  it('makes the room as small as the window that it names', () => {
    assert.equal(limitAfterRefusal('10 tokens > 40000 maximum', 100_000, model), roomOf(model, 40_000).limit);
  });

  it('makes it smaller than the refused request where the window is unknown, or should have been enough', () => {
    for (const words of ['It is too long.', '130000 tokens > 128000 maximum']) assert.ok(limitAfterRefusal(words, 90_000, model) < 70_000);
  });
});
