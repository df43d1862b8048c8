import assert from 'node:assert/strict';
import { Cron } from 'croner';
import fc from 'fast-check';
import type { ClaimEnd } from '../../../src/runtime/cron/claimEnds.ts';
import { rememberingTimes } from '../../../src/runtime/cron/knownTimes.ts';
import { lookAt } from '../../../src/runtime/cron/lookAt.ts';
import { loadSchedules, type ReadSchedule } from '../../../src/runtime/cron/schedule.ts';
import type { StoredPrompt } from '../../../src/runtime/cron/storedPrompt.ts';

const ZONE = 'Europe/Berlin';
const MINUTE = 60_000;
const MARK = { pid: 1, startedAt: 'x', machine: 'm' };
const START = Date.UTC(2026, 2, 28, 10);

describe('looks at stored prompts, whenever they come', () => {
  let read: ReadSchedule;
  before(async () => {
    read = await loadSchedules(ZONE);
  });

  const prompt: StoredPrompt = { id: 'cron-1', sessionId: 'a', schedule: '', prompt: 'x', createdAt: START, countedFrom: START };
  const field = (max: number, min = 0): fc.Arbitrary<string> => fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: fc.integer({ min, max }).map(String) }, { weight: 1, arbitrary: fc.constantFrom('*/2', '*/5') });
  const schedule = fc.tuple(field(59), field(23), field(28, 1), fc.constant('*'), field(6)).map((fields) => fields.join(' '));
  /** Time until each look, and what comes of what is claimed then. */
  const looks = fc.array(fc.record({ wait: fc.integer({ min: 1, max: 2 * 24 * 60 }).map((minutes) => minutes * MINUTE), end: fc.constantFrom<ClaimEnd['kind']>('sent', 'sent', 'given_back') }), { minLength: 1, maxLength: 30 });

  /** The looks at which the prompt is claimed. */
  function claims(item: StoredPrompt, steps: readonly { readonly wait: number; readonly end: ClaimEnd['kind'] }[]): readonly boolean[] {
    let items: readonly StoredPrompt[] = [item];
    let now = START;
    const ends = new Map<string, ClaimEnd>();
    return steps.map(({ wait, end }, index) => {
      now += wait;
      const looked = lookAt(items, { now, scheduleOf: read, takes: () => true, room: 9, claimId: () => `claim-${index}`, mark: MARK, ends, orphans: new Set() });
      items = looked.items;
      ends.clear();
      if (looked.claimed.length > 0) ends.set(`claim-${index}`, { kind: end, prompt: item });
      // Stored before the next look, as in the product.
      items = lookAt(items, { now, scheduleOf: read, takes: () => false, room: 9, claimId: () => assert.fail(), mark: MARK, ends, orphans: new Set() }).items;
      ends.clear();
      assert.ok(looked.claimed.length <= 1);
      return looked.claimed.length === 1;
    });
  }

  it('claim one that comes again exactly where it was due since it was last sent', () => {
    fc.assert(fc.property(schedule, looks, (text, steps) => {
      const cron = new Cron(text, { timezone: ZONE });
      let [now, from] = [START, START];
      const expected = steps.map(({ wait, end }) => {
        now += wait;
        const due = cron.nextRun(new Date(from));
        const isDue = due !== null && due.getTime() <= now;
        if (isDue && end === 'sent') from = now;
        return isDue;
      });
      assert.deepEqual(claims({ ...prompt, schedule: text }, steps), expected);
    }), { numRuns: 150 });
  });

  it('claim one that is meant once until it is sent, and never again', () => {
    fc.assert(fc.property(schedule, looks, (text, steps) => {
      const due = new Cron(text, { timezone: ZONE }).nextRun(new Date(START))?.getTime() ?? Infinity;
      let [now, isSent] = [START, false];
      const expected = steps.map(({ wait, end }) => {
        now += wait;
        const isDue = !isSent && due <= now;
        if (isDue && end === 'sent') isSent = true;
        return isDue;
      });
      assert.deepEqual(claims({ ...prompt, schedule: text, once: true }, steps), expected);
    }), { numRuns: 150 });
  });

  it('change nothing where nothing is due, and nothing in what another process is sending', () => {
    const items: readonly StoredPrompt[] = [
      { ...prompt, schedule: '0 9 1 1 *' },
      { ...prompt, id: 'cron-2', schedule: '* * * * *', sending: { id: 'theirs', at: START, from: START, by: { ...MARK, pid: 2 } } },
    ];
    const looked = lookAt(items, { now: START + 10 * MINUTE, scheduleOf: read, takes: () => true, room: 9, claimId: () => assert.fail(), mark: MARK, ends: new Map(), orphans: new Set() });
    assert.deepEqual([looked.items === items, looked.claimed, looked.lost], [true, [], []]);
  });

  it('tell of one whose process is gone, which goes on with its next time', () => {
    const lost: StoredPrompt = { ...prompt, schedule: '0 * * * *', sending: { id: 'theirs', at: START, from: START - 60 * MINUTE, by: { ...MARK, pid: 2 } } };
    const looked = lookAt([lost, { ...lost, id: 'cron-2', once: true }], { now: START + MINUTE, scheduleOf: read, takes: () => true, room: 9, claimId: () => assert.fail(), mark: MARK, ends: new Map(), orphans: new Set(['theirs']) });
    assert.deepEqual(looked.lost.map(({ id }) => id), ['cron-1', 'cron-2']);
    const { sending: _, ...rest } = lost;
    assert.deepEqual(looked.items, [rest]);
  });

  it('claim no more than there is room for, one of each session, and what was due first before the rest', () => {
    const due = (id: string, sessionId: string, minutes: number): StoredPrompt => ({ ...prompt, id, sessionId, schedule: '* * * * *', countedFrom: START - minutes * MINUTE });
    const items = [due('late', 'a', 1), due('first', 'a', 3), due('other', 'b', 2), due('third', 'c', 1), { ...due('theirs', 'd', 9), sending: { id: 'x', at: START, from: START, by: { ...MARK, pid: 2 } } }, due('behind', 'd', 9)];
    let claims = 0;
    const look = (room: number): readonly string[] => lookAt(items, { now: START + 1, scheduleOf: read, takes: () => true, room, claimId: () => `claim-${claims++}`, mark: MARK, ends: new Map(), orphans: new Set() }).claimed.map(({ id }) => id);
    assert.deepEqual([look(2), look(9), look(0)], [['first', 'other'], ['first', 'other', 'third'], []]);
  });

  it('keep what has come to another session since it was claimed for one that is gone', () => {
    const sending = { id: 'claim', at: START, from: START - MINUTE, by: MARK };
    const claimed: StoredPrompt = { ...prompt, schedule: '0 9 * * *', sending };
    const looked = lookAt([{ ...claimed, sessionId: 'b' }, { ...prompt, id: 'cron-2', schedule: '0 9 * * *' }], { now: START, scheduleOf: read, takes: () => false, room: 9, claimId: () => assert.fail(), mark: MARK, ends: new Map([['claim', { kind: 'session_gone', prompt: claimed }]]), orphans: new Set() });
    assert.deepEqual(looked.items, [{ ...prompt, schedule: '0 9 * * *', sessionId: 'b', countedFrom: sending.from }]);
  });

  it('count as if nothing were remembered', () => {
    fc.assert(fc.property(schedule, fc.array(fc.integer({ min: 0, max: 400 * 24 * 60 }), { maxLength: 30 }), (text, moments) => {
      const [plain, remembering] = [read(text), rememberingTimes(read(text))];
      for (const minutes of moments) assert.equal(remembering.next(START + minutes * MINUTE), plain.next(START + minutes * MINUTE));
    }), { numRuns: 100 });
  });

  it('count what is never due once', () => {
    let counted = 0;
    const never = rememberingTimes({ isMoment: false, next: () => void counted++ });
    for (let minute = 0; minute < 100; minute++) assert.equal(never.next(START + minute), undefined);
    assert.equal(counted, 1);
  });
});
