import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { Turns } from '../../../src/runtime/review/turns.ts';

describe('turns by key', () => {
  it('run what shares a key in the order of the calls, and all else side by side', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const gate = deferred<void>();
    const first = turns.run(['a', 'b'], async () => {
      await gate.promise;
      told.push('ab');
    });
    const second = turns.run(['b', 'c'], async () => void told.push('bc'));
    const third = turns.run(['c'], async () => void told.push('c'));
    await turns.run(['d'], async () => void told.push('d'));
    gate.resolve();
    await Promise.all([first, second, third]);
    assert.deepEqual(told, ['d', 'ab', 'bc', 'c']);
  });

  it('go on after a failure, which its own caller hears of', async () => {
    const turns = new Turns();
    const failing = turns.run(['a'], async () => Promise.reject(new Error('No.')));
    const next = turns.run(['a'], async () => 'done');
    await assert.rejects(failing, /No\./);
    assert.equal(await next, 'done');
    await turns.idle();
  });
});
