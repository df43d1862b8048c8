import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { deferred, type Deferred } from '../../../src/runtime/base/async.ts';
import { ChildPool } from '../../../src/runtime/delegation/pool.ts';

const NEVER = new AbortController().signal;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the pool of children', () => {
  for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`refuses a limit of ${limit}`, () => {
      assert.throws(() => new ChildPool(limit), (error) => isAppError(error, 'invalid_input'));
      const pool = new ChildPool(2);
      assert.throws(() => (pool.limit = limit), (error) => isAppError(error, 'invalid_input'));
      assert.equal(pool.limit, 2);
    });
  }

  it('settles as the work does and frees the slot after a failure', async () => {
    const pool = new ChildPool(1);
    await assert.rejects(pool.run(() => Promise.reject(new Error('broken')), NEVER), /broken/);
    await assert.rejects(pool.run(() => { throw new Error('at once'); }, NEVER), /at once/);
    assert.equal(await pool.run(() => Promise.resolve('fine'), NEVER), 'fine');
  });

  it('holds the slot of aborted work until it has really ended', async () => {
    const pool = new ChildPool(1);
    const [stop, end] = [new AbortController(), deferred<void>()];
    const first = pool.run(() => end.promise, stop.signal);
    let started = false;
    const second = pool.run(async () => (started = true), NEVER);
    stop.abort();
    await settled();
    assert.equal(started, false);
    end.resolve();
    await Promise.all([first, second]);
    assert.equal(started, true);
  });

  it('gives the place of queued work up at once when it is aborted', async () => {
    const pool = new ChildPool(1);
    const end = deferred<void>();
    const first = pool.run(() => end.promise, NEVER);
    const stop = new AbortController();
    const queued = pool.run(() => assert.fail('started'), stop.signal);
    const order: string[] = [];
    const last = pool.run(async () => order.push('last'), NEVER, () => order.push('start'));
    stop.abort();
    await assert.rejects(queued, (error) => isAppError(error, 'aborted'));
    await assert.rejects(pool.run(() => assert.fail('started'), stop.signal), (error) => isAppError(error, 'aborted'));
    end.resolve();
    await Promise.all([first, last, pool.idle()]);
    assert.deepEqual(order, ['start', 'last']);
  });

  it('is idle only when nothing runs or waits', async () => {
    const pool = new ChildPool(1);
    await pool.idle();
    const ends = [deferred<void>(), deferred<void>()];
    const runs = ends.map(({ promise }) => pool.run(() => promise, NEVER));
    let idle = false;
    void pool.idle().then(() => (idle = true));
    ends[0]?.resolve();
    await settled();
    assert.equal(idle, false);
    ends[1]?.resolve();
    await Promise.all(runs);
    await settled();
    assert.equal(idle, true);
  });

  type Step = { readonly do: 'add' } | { readonly do: 'abort' | 'end' | 'fail'; readonly pick: number } | { readonly do: 'limit'; readonly limit: number };
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Step>({ do: 'add' }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('abort' as const, 'end' as const, 'fail' as const), pick: fc.nat(30) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 6 }) }) },
    ),
    { maxLength: 60 },
  );

  it('never starts work above its limit and keeps the order of arrival, whatever is aborted or changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (limit, script) => {
        const pool = new ChildPool(limit);
        const works: { readonly stop: AbortController; readonly end: Deferred<void>; readonly result: Promise<void> }[] = [];
        const running = new Set<number>();
        const started: number[] = [];
        const queuedAborted = new Set<number>();
        let tooMany = false;
        const add = (): void => {
          const index = works.length;
          const [stop, end] = [new AbortController(), deferred<void>()];
          // Failing work that hasn't started yet is nobody's failure so far.
          end.promise.catch(() => undefined);
          const work = (): Promise<void> => end.promise.finally(() => running.delete(index));
          const onStart = (): void => {
            running.add(index);
            started.push(index);
            if (running.size > pool.limit) tooMany = true;
          };
          works.push({ stop, end, result: pool.run(work, stop.signal, onStart).catch(() => undefined) });
        };
        for (const step of script) {
          const index = 'pick' in step ? step.pick : -1;
          const work = works[index];
          if (step.do === 'add') add();
          else if (step.do === 'limit') pool.limit = step.limit;
          else if (step.do === 'end') work?.end.resolve();
          else if (step.do === 'fail') work?.end.reject(new Error('failed'));
          else if (work) {
            if (!started.includes(index)) queuedAborted.add(index);
            work.stop.abort();
          }
          await settled();
          const waiting = works.length - queuedAborted.size - started.length;
          assert.ok(waiting === 0 || running.size >= pool.limit, 'a free slot while work waits');
        }
        for (const { end } of works) end.resolve();
        await Promise.all(works.map(({ result }) => result));
        await pool.idle();
        assert.equal(tooMany, false, 'above the limit');
        const expected = works.map((_, index) => index).filter((index) => !queuedAborted.has(index));
        assert.deepEqual(started, expected);
      }),
      { numRuns: 150 },
    );
  });
});
