import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Countdown, waitFor } from '../../../src/runtime/base/clock.ts';
import { ManualClock } from '../../support/manualClock.ts';

describe('a countdown', () => {
  function start(ms: number): { clock: ManualClock; countdown: Countdown; ends: number[] } {
    const clock = new ManualClock();
    const ends: number[] = [];
    return { clock, ends, countdown: new Countdown(clock, ms, () => ends.push(clock.elapsed())) };
  }

  it('runs out once, at its time', () => {
    const { clock, ends } = start(100);
    clock.advance(99);
    assert.deepEqual(ends, []);
    clock.advance(500);
    assert.deepEqual(ends, [100]);
    assert.equal(clock.pending, 0);
  });

  it('has the whole time again after each restart', () => {
    const { clock, countdown, ends } = start(100);
    for (let i = 0; i < 5; i += 1) {
      clock.advance(90);
      countdown.restart();
    }
    clock.advance(99);
    assert.deepEqual(ends, []);
    clock.advance(1);
    assert.deepEqual(ends, [550]);
  });

  it('does not count the time of a pause, and holds no timer in it', () => {
    const { clock, countdown, ends } = start(100);
    clock.advance(60);
    countdown.pause();
    countdown.pause();
    assert.equal(clock.pending, 0);
    clock.advance(1000);
    countdown.resume();
    countdown.resume();
    clock.advance(39);
    assert.deepEqual(ends, []);
    clock.advance(1);
    assert.deepEqual(ends, [1100]);
  });

  it('keeps a restart in a pause for afterwards', () => {
    const { clock, countdown, ends } = start(100);
    clock.advance(60);
    countdown.pause();
    countdown.restart();
    countdown.resume();
    clock.advance(99);
    assert.deepEqual(ends, []);
  });

  it('never runs out once disposed, also while it is paused', () => {
    for (const end of [(countdown: Countdown) => countdown.dispose(), (countdown: Countdown) => (countdown.pause(), countdown.dispose(), countdown.resume())]) {
      const { clock, countdown, ends } = start(100);
      end(countdown);
      clock.advance(1000);
      assert.deepEqual([ends, clock.pending], [[], 0]);
    }
  });

  it('is not started anew by what comes after its end', () => {
    const { clock, countdown, ends } = start(100);
    clock.advance(100);
    countdown.restart();
    countdown.pause();
    countdown.resume();
    clock.advance(1000);
    assert.deepEqual(ends, [100]);
  });

  it('does not trust a timer that comes too early', () => {
    const clock = new ManualClock();
    let ended = false;
    const early = { now: () => clock.now(), elapsed: () => clock.elapsed(), after: (ms: number, act: () => void) => clock.after(ms > 1 ? ms - 1 : ms, act) };
    new Countdown(early, 100, () => (ended = true));
    clock.advance(99);
    assert.equal(ended, false);
    assert.equal(clock.pending, 1);
  });

  it('can be longer than any timer', () => {
    const { clock, ends } = start(2 ** 33);
    clock.advance(2 ** 33 - 1);
    assert.deepEqual(ends, []);
    clock.advance(1);
    assert.equal(ends.length, 1);
  });
});

describe('a wait', () => {
  it('ends at its time', async () => {
    const clock = new ManualClock();
    const waiting = waitFor(clock, 100, new AbortController().signal);
    clock.advance(100);
    assert.equal(await waiting, true);
  });

  it('ends at once when aborted, and leaves no timer', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const waiting = waitFor(clock, 100, stop.signal);
    stop.abort();
    assert.equal(await waiting, false);
    assert.equal(await waitFor(clock, 100, stop.signal), false);
    assert.equal(clock.pending, 0);
  });
});
