import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RunClock, timeoutOf } from '../../../src/runtime/agent/runClock.ts';
import { INTERRUPTION } from '../../../src/runtime/base/abort.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { TimeLimits } from '../../../src/runtime/domain/liteAgent.ts';
import { ManualClock, quiet } from '../../support/manualClock.ts';
import { timingOf } from '../../support/timing.ts';

const NONE: Required<TimeLimits> = { maxDurationMs: 0, toolMs: 0, toolIdleMs: 0, streamIdleMs: 0 };

function start(limits: TimeLimits, outer = new AbortController().signal): { clock: ManualClock; run: RunClock } {
  const clock = new ManualClock();
  return { clock, run: new RunClock(timingOf({ clock, limits: { ...NONE, ...limits } }), outer) };
}

describe('the clock of a run', () => {
  it('ends the run when its time is over, and says which limit it was', () => {
    const { clock, run } = start({ maxDurationMs: 600_000 });
    clock.advance(599_999);
    assert.equal(run.signal.aborted, false);
    clock.advance(1);
    assert.equal(run.signal.aborted, true);
    assert.match(timeoutOf(run.signal) ?? '', /run.*10 minutes/i);
  });

  it('passes the cancel of the run on, which is no time limit', () => {
    const outer = new AbortController();
    const { run } = start({}, outer.signal);
    outer.abort();
    assert.equal(run.signal.aborted, true);
    assert.equal(timeoutOf(run.signal), undefined);
  });

  it('ends the run when one call takes too long, however much it says', async () => {
    const { clock, run } = start({ toolMs: 60_000, toolIdleMs: 10_000 });
    const end = deferred<string>();
    const call = run.timeCall('Bash', (heard) => {
      for (let at = 5000; at < 60_000; at += 5000) clock.after(at, heard);
      return end.promise;
    });
    clock.advance(59_999);
    assert.equal(run.signal.aborted, false);
    clock.advance(1);
    assert.match(timeoutOf(run.signal) ?? '', /Bash.*1 minute/);
    end.resolve('what it had');
    assert.equal(await call, 'what it had');
  });

  it('ends the run when a call says nothing for too long', async () => {
    const { clock, run } = start({ toolIdleMs: 10_000 });
    const end = deferred<void>();
    const call = run.timeCall('Bash', (heard) => {
      clock.after(8000, heard);
      return end.promise;
    });
    clock.advance(17_999);
    assert.equal(run.signal.aborted, false);
    clock.advance(1);
    assert.match(timeoutOf(run.signal) ?? '', /Bash.*silent.*10 seconds/);
    end.resolve();
    await call;
  });

  it('counts for each call anew, and for none that has ended', async () => {
    const { clock, run } = start({ toolMs: 10_000, toolIdleMs: 10_000 });
    for (let i = 0; i < 5; i += 1) {
      await run.timeCall('Read', async () => clock.advance(9000));
      assert.equal(clock.pending, 0);
    }
    await assert.rejects(run.timeCall('Read', () => Promise.reject(new Error('no such file'))), /no such file/);
    assert.equal(clock.pending, 0);
    assert.equal(run.signal.aborted, false);
  });

  it('stands still while a person is asked, for whichever call', async () => {
    const { clock, run } = start({ maxDurationMs: 10_000, toolMs: 10_000, toolIdleMs: 10_000 });
    const end = deferred<void>();
    const call = run.timeCall('Read', () => end.promise);
    clock.advance(5000);
    const asks = [run.pause(), run.pause()];
    clock.advance(3_600_000);
    asks[0]?.dispose();
    const late = run.timeCall('Grep', () => end.promise);
    clock.advance(3_600_000);
    assert.equal(run.signal.aborted, false);
    assert.equal(clock.pending, 0);
    asks[1]?.dispose();
    asks[1]?.dispose();
    clock.advance(4999);
    assert.equal(run.signal.aborted, false);
    clock.advance(1);
    assert.equal(run.signal.aborted, true);
    end.resolve();
    await Promise.all([call, late]);
  });

  it('gives a call up that does not end although its time is over', async () => {
    const { clock, run } = start({ toolMs: 1000 });
    const call = run.timeCall('Stuck', () => new Promise<never>(() => undefined));
    clock.advance(1000);
    await quiet();
    clock.advance(10_000);
    await assert.rejects(call, { reason: 'timeout', message: /Stuck.*1 second.*did not stop/ });
    run.dispose();
    assert.equal(clock.pending, 0);
  });

  for (const [what, reason, grace, words] of [
    ['cancelled', undefined, 10_000, /^Cancelled\. It did not stop when told to: what became of it is not known/],
    ['interrupted', INTERRUPTION, 2000, /^Interrupted\. It did not stop when told to: what became of it is not known/],
  ] as const) {
    it(`gives a call up that was ${what} and does not end, and not before its grace is over`, async () => {
      const outer = new AbortController();
      const { clock, run } = start({}, outer.signal);
      const [late, never] = [deferred<string>(), deferred<string>()];
      const calls = [run.timeCall('Bash', () => late.promise), run.timeCall('Stuck', () => never.promise)];
      const given = assert.rejects(calls[1] ?? late.promise, { reason: 'timeout', message: words });
      outer.abort(reason);
      clock.advance(grace - 1);
      late.resolve('stopped');
      assert.equal(await calls[0], 'stopped');
      assert.equal(clock.pending, 1);
      clock.advance(1);
      await given;
      assert.equal(clock.pending, 0);
    });
  }

  it('leaves no timer and no listener when the run is over', () => {
    const outer = new AbortController();
    const { clock, run } = start({ maxDurationMs: 1000 }, outer.signal);
    run.dispose();
    outer.abort();
    assert.equal(clock.pending, 0);
    assert.equal(run.signal.aborted, false);
  });

  it('has no timer at all without limits', () => {
    assert.equal(start({}).clock.pending, 0);
  });
});
