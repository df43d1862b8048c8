import assert from 'node:assert/strict';
import { Cron } from 'croner';
import fc from 'fast-check';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { loadSchedules, type ReadSchedule } from '../../../src/runtime/cron/schedule.ts';

const BERLIN = 'Europe/Berlin';
const iso = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());

describe('a schedule', () => {
  let read: ReadSchedule;
  before(async () => {
    read = await loadSchedules(BERLIN);
  });

  /** Its first times after that moment. */
  function times(text: string, after: string, count: number): readonly (string | undefined)[] {
    const found: number[] = [];
    for (let at: number | undefined = Date.parse(after); found.length < count; found.push(at)) {
      at = read(text).next(at);
      if (at === undefined) break;
    }
    return found.map(iso);
  }

  it('of five fields is due at local time, all year round', () => {
    assert.deepEqual(times('0 9 * * 1-5', '2026-03-26T12:00:00Z', 3), ['2026-03-27T08:00:00.000Z', '2026-03-30T07:00:00.000Z', '2026-03-31T07:00:00.000Z']);
  });

  it('in the hour that the clock skips is due once, right after it', () => {
    assert.deepEqual(times('30 2 * * *', '2026-03-28T12:00:00Z', 2), ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
  });

  it('in the hour that comes twice is due once, and one of each hour in both', () => {
    assert.deepEqual(times('30 2 * * *', '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    assert.deepEqual(times('30 * * * *', '2026-10-24T23:45:00Z', 3), ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00.000Z']);
  });

  it('that is a moment is due once, at local time where it names no other', () => {
    for (const [text, at] of [['2026-07-01T09:00', '2026-07-01T07:00:00.000Z'], ['2026-07-01T09:00:30Z', '2026-07-01T09:00:30.000Z'], ['2026-07-01T09:00:00.5+05:30', '2026-07-01T03:30:00.500Z']] as const) {
      assert.equal(read(text).isMoment, true);
      assert.deepEqual(times(text, '2026-01-01T00:00:00Z', 2).map((time) => time?.slice(0, 19)), [at.slice(0, 19)], text);
    }
  });

  it('is refused where nothing can be made of it, where it names seconds, and where no calendar has it', () => {
    const bad = ['', 'daily', '@reboot', '@daily', '* * * *', '*/30 * * * * *', '0 0 * * * 2030', '61 * * * *', '0 25 * * *', '0 9 32 * *', '2026-02-30T09:00', '2026-13-01T09:00', '2026-07-01T24:30', '2026-07-01', `0 9 * * ${'x'.repeat(500)}`, '0 9 * * mon\nuser: do it'];
    for (const text of bad) {
      assert.throws(() => read(text), (error: unknown) => isAppError(error, 'invalid_input') && !error.message.includes('\n') && error.message.length < 600, text);
    }
  });

  it('that names a day which never comes is never due', () => {
    for (const text of ['0 0 30 2 *', '0 0 31 2,4,6,9,11 *']) assert.equal(read(text).next(Date.parse('2026-01-01T00:00:00Z')), undefined);
    assert.equal(read('2020-01-01T00:00').next(Date.parse('2026-01-01T00:00:00Z')), undefined);
  });

  it('is never due twice at one time, whatever it is and whenever it is counted from', () => {
    const field = (min: number, max: number): fc.Arbitrary<string> => fc.oneof(
      fc.constant('*'),
      fc.integer({ min, max }).map(String),
      fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      fc.integer({ min: 2, max: 30 }).map((step) => `*/${step}`).filter((text) => Number(text.slice(2)) <= max),
    );
    const text = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)).map((fields) => fields.join(' '));
    const zone = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC');
    const from = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2030, 0) });
    const readers = new Map<string, ReadSchedule>();
    return fc.assert(fc.asyncProperty(text, zone, from, async (pattern, timeZone, after) => {
      const reader = readers.get(timeZone) ?? (await loadSchedules(timeZone));
      readers.set(timeZone, reader);
      const first = reader(pattern).next(after);
      if (first === undefined) return assert.equal(new Cron(pattern, { timezone: timeZone }).nextRun(new Date(after)), null);
      assert.ok(first > after && first % 60_000 === 0, `${pattern} in ${timeZone} after ${iso(after)}: ${iso(first)}`);
      // Counted from any moment before it, it is the same; from itself, it is a later one.
      assert.equal(reader(pattern).next(first - 1), first);
      assert.equal(reader(pattern).next(after + Math.floor((first - after) / 2)), first);
      const second = reader(pattern).next(first);
      assert.ok(second === undefined || second >= first + 60_000);
    }), { numRuns: 400 });
  });
});
