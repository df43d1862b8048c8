import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Batcher, deferred, mapLimited, Serial } from '../../../src/runtime/base/async.ts';

describe('batches', () => {
  it('gather what comes while one is worked on, in order, and keep apart', async () => {
    const batches: (readonly number[])[] = [];
    const first = deferred<void>();
    const batcher = new Batcher<number>(async (items) => {
      batches.push(items);
      if (batches.length === 1) await first.promise;
    });
    const started = batcher.add(1);
    await Promise.resolve();
    const rest = [2, 3, 4].map((item) => batcher.add(item));
    first.resolve();
    await Promise.all([started, ...rest]);
    assert.deepEqual(batches, [[1], [2, 3, 4]]);
  });

  it('reject their own items only', async () => {
    const batcher = new Batcher<string>(async ([item]) => {
      if (item === 'bad') throw new Error('no');
    });
    await assert.rejects(batcher.add('bad'), /no/);
    await batcher.add('good');
    await batcher.idle();
  });
});

describe('serial work', () => {
  it('goes on after a failure, in the order of the calls', async () => {
    const serial = new Serial();
    const order: number[] = [];
    const failing = serial.run(async () => Promise.reject(new Error('one')));
    const next = serial.run(async () => order.push(2));
    await assert.rejects(failing, /one/);
    await next;
    assert.deepEqual(order, [2]);
  });
});

describe('a limited map', () => {
  it('keeps the order of the items and never exceeds its limit', async () => {
    let running = 0;
    let most = 0;
    const results = await mapLimited([5, 4, 3, 2, 1], 2, async (item) => {
      most = Math.max(most, ++running);
      await new Promise((next) => setImmediate(next));
      running -= 1;
      return item * 2;
    });
    assert.deepEqual(results, [10, 8, 6, 4, 2]);
    assert.equal(most, 2);
  });
});
