import assert from 'node:assert/strict';
import { finishedWords, type Finished } from '../../../src/ui/chat/finishedWords.ts';
import { english } from '../ui/fakes.ts';

const words = (patch: Partial<Finished>): string => finishedWords({ name: 'Audit', others: 0, hasFailed: false, isAnswered: true, ...patch }, english);

describe('the message about a group that is over', () => {
  it('promises an answer in the chat only where there is one', () => {
    for (const patch of [{}, { others: 2 }, { hasFailed: true }]) {
      assert.match(words(patch), /panel, and opens the next answer in the chat\.$/);
      assert.match(words({ ...patch, isAnswered: false }), /in the panel\.$/);
    }
  });

  it('says whether it failed, and of how many it tells', () => {
    assert.match(words({ hasFailed: true, isAnswered: false }), /^“Audit” has failed/);
    assert.match(words({ others: 2, isAnswered: false }), /^“Audit” and 2 more have finished/);
  });
});
