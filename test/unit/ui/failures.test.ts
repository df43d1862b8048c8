import assert from 'node:assert/strict';
import { AppError } from '../../../src/runtime/base/errors.ts';
import { allSettled, eachInTurn } from '../../../src/ui/failures.ts';

describe('what a command does to several things', () => {
  const done: string[] = [];
  const work = async (id: string): Promise<void> => {
    if (id.startsWith('!')) throw new AppError('conflict', `${id} is at work.`);
    done.push(id);
  };

  beforeEach(() => void done.splice(0));

  it('is done to all of them, and all failures are told at the end as one', async () => {
    await assert.rejects(eachInTurn(['!a', 'b', '!c', 'd'], work), { reason: 'conflict', message: '!a is at work. !c is at work.' });
    assert.deepEqual(done, ['b', 'd']);
    await assert.rejects(allSettled(['!a', 'e', '!a'].map(work)), { message: '!a is at work.' });
    assert.deepEqual(done, ['b', 'd', 'e']);
  });

  it('fails in nothing where nothing failed', async () => {
    await eachInTurn(['a'], work);
    await allSettled([]);
    assert.deepEqual(done, ['a']);
  });
});
