import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import type { LineRange, ReviewDecision } from '../../../src/runtime/domain/reviews.ts';
import type { FileState } from '../../../src/runtime/domain/tools.ts';
import { historyOf } from '../../../src/runtime/review/history.ts';
import { hunksOf, undo } from '../../../src/runtime/review/hunks.ts';
import { replayFile } from '../../../src/runtime/review/replayFile.ts';
import { lettersOf } from '../../support/fileSteps.ts';

const PATH = '/w/file.txt';
const UNKNOWN: FileState = { kind: 'unknown', why: 'It is too large.' };

const bytesOf = (text: string): Uint8Array => Buffer.from([...text].map((letter) => `${letter}\n`).join(''));
const kept = (text: string | undefined): FileState => (text === undefined ? { kind: 'absent' } : { kind: 'kept', hash: text });
const stateOf = (text: string | undefined | FileState): FileState => (typeof text === 'object' ? text : kept(text));

/** A hash is the letters of its content here; nothing is kept of those with a `?`. */
async function read(hash: string): Promise<Uint8Array> {
  if (hash.includes('?')) throw new Error('not there');
  return bytesOf(hash);
}

function wrote(agentId: string, at: number, before: string | undefined | FileState, after: string | undefined | FileState, unsure?: string): RuntimeEvent {
  const change = { path: PATH, kind: 'edited' as const, before: stateOf(before), after: stateOf(after), ...(unsure !== undefined && { unsure }) };
  return { at, type: 'files.changed', agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId, displayName: agentId }, callId: `call${at}`, changes: [{ ...change, path: '/w/other.txt' }, change] };
}

function decided(agentId: string, at: number, verdict: ReviewDecision['verdict'], content: string | FileState, lines: 'all' | readonly LineRange[] = 'all', id = `decision${at}`): RuntimeEvent {
  return { at, type: 'review.decided', sessionId: 's', groupId: 'g', agentId, decision: { id, path: PATH, verdict, content: stateOf(content), lines } };
}

/** What is left of these children's changes, in conflict with a `!`, what undoing it gives, and what isn't known. */
async function seen(own: string, present: string | undefined, ...logs: readonly (readonly RuntimeEvent[])[]): Promise<{ hunks: string[]; undone: string | undefined; unknown?: string }> {
  const bytes = present === undefined ? undefined : bytesOf(present);
  const { blocks, unknown } = await replayFile(PATH, { logs, attempts: new Set() }, { kind: 'content', bytes, unsaved: false }, (agentId) => own.includes(agentId), read);
  const why = [...own].map((agentId) => unknown.get(agentId)).find((one) => one !== undefined);
  return {
    hunks: hunksOf(blocks).map(({ before, now, conflict }) => `${before.join('')}>${now.join('')}${conflict === undefined ? '' : '!'}`),
    undone: lettersOf(undo(blocks).lines),
    ...(why !== undefined && { unknown: why }),
  };
}

describe('The history of a file, from the change logs of all children that changed it', () => {
  it('goes by time, with what others changed in between and since', async () => {
    const [a, b] = [[wrote('A', 1, 'abcde', 'aXcde'), wrote('A', 5, 'aXcdY', 'aXcWY')], [wrote('B', 3, 'aXcde', 'aXcdY')]];
    assert.deepEqual(await seen('A', 'aXcWYz', a, b), { hunks: ['b>X', 'd>W'], undone: 'abcdYz' });
    assert.deepEqual(await seen('B', 'aXcWYz', b, a), { hunks: ['e>Y'], undone: 'aXcWez' });
    assert.deepEqual(await seen('AB', 'aXcWYz', a, b), { hunks: ['b>X', 'd>W', 'e>Y'], undone: 'abcdez' });
  });

  it('holds files that came and went', async () => {
    assert.deepEqual(await seen('A', 'ab', [wrote('A', 1, undefined, 'ab')]), { hunks: ['>ab'], undone: undefined });
    assert.deepEqual(await seen('A', undefined, [wrote('A', 1, 'ab', undefined)]), { hunks: ['ab>'], undone: 'ab' });
  });

  it('keeps the order of a log when the clock was set back', async () => {
    assert.deepEqual(await seen('A', 'aYc', [wrote('A', 100_000, 'abc', 'aXc'), wrote('A', 1, 'aXc', 'aYc')]), { hunks: ['b>Y'], undone: 'abc' });
  });

  it('takes records of about the same time in the order of their contents', async () => {
    const [a, b] = [[wrote('A', 20, 'abc', 'aXc')], [wrote('B', 10, 'aXc', 'aXY')]];
    for (const logs of [[a, b], [b, a]]) {
      assert.deepEqual(await seen('A', 'aXY', ...logs), { hunks: ['b>X'], undone: 'abY' });
      assert.deepEqual(await seen('B', 'aXY', ...logs), { hunks: ['c>Y'], undone: 'aXc' });
    }
  });

  it('counts a decision once that stands in several logs, for each of them', async () => {
    const lines = [{ start: 0, end: 1 }, { start: 2, end: 3 }];
    const a = [wrote('A', 1, 'abc', 'Xbc'), decided('A', 3, 'undone', 'XbY', lines, 'one')];
    const b = [wrote('B', 2, 'Xbc', 'XbY'), decided('B', 3, 'undone', 'XbY', lines, 'one')];
    const { steps } = historyOf(PATH, [a, b], { lost: new Set(), attempts: new Set() });
    assert.deepEqual(steps.flatMap((step) => (step.kind === 'decision' ? [step.by] : [])), [['A', 'B']]);
    for (const own of ['A', 'B', 'AB']) assert.deepEqual(await seen(own, 'abc', a, b), { hunks: [], undone: 'abc' });
  });

  it('case 88: one hunk accepted and another undone leave a file with the first alone, with nothing more to decide', async () => {
    const log = [wrote('A', 1, 'abcdef', 'aXcdYf')];
    assert.deepEqual(await seen('A', 'aXcdYf', log), { hunks: ['b>X', 'e>Y'], undone: 'abcdef' });
    log.push(decided('A', 2, 'accepted', 'aXcdYf', [{ start: 1, end: 2 }]));
    assert.deepEqual(await seen('A', 'aXcdYf', log), { hunks: ['e>Y'], undone: 'aXcdef' });
    log.push(decided('A', 3, 'undone', 'aXcdYf', [{ start: 4, end: 5 }]));
    assert.deepEqual(await seen('A', 'aXcdef', log), { hunks: [], undone: 'aXcdef' });
    log.push(wrote('A', 4, 'aXcdef', 'aXcdeZ'));
    assert.deepEqual(await seen('A', 'aXcdeZ', log), { hunks: ['f>Z'], undone: 'aXcdef' });
  });

  it('leaves alone what may have been somebody else', async () => {
    assert.deepEqual(await seen('A', 'aXcY', [wrote('A', 1, 'abcd', 'aXcd', 'Others were at work.'), wrote('A', 2, 'aXcd', 'aXcY')]), { hunks: ['b>X!', 'd>Y'], undone: 'aXcd' });
  });

  it('keeps apart what another child wrote while a command of this one was under way', async () => {
    const [a, b] = [[wrote('A', 10_000, 'abcde', 'XbYdZ', 'Others were at work.')], [wrote('B', 5000, 'Xbcde', 'XbYde')]];
    assert.deepEqual(await seen('A', 'XbYdZ', a, b), { hunks: ['e>Z!'], undone: 'XbYdZ' });
    assert.deepEqual(await seen('B', 'XbYdZ', a, b), { hunks: ['c>Y'], undone: 'XbcdZ' });
    // Where it is known what stood there when it began, the rest of what it may have done is, too.
    a.unshift(wrote('A', 1, 'abcdE', 'abcde'));
    assert.deepEqual(await seen('A', 'XbYdZ', a, b), { hunks: ['a>X!', 'E>Z!'], undone: 'XbYdZ' });
  });

  describe('where a content is not known', () => {
    it('leaves alone what came of it, and tells why', async () => {
      const first = wrote('A', 1, 'abcd', 'Xbcd');
      assert.deepEqual(await seen('A', 'XbcY', [first, wrote('A', 2, 'Xbcd', UNKNOWN)]), { hunks: ['a>X', 'd>Y!'], undone: 'abcY', unknown: 'It is too large.' });
      assert.deepEqual(await seen('A', 'XbcY', [first, wrote('A', 2, UNKNOWN, 'XbcY')]), { hunks: ['a>X', 'd>Y!'], undone: 'abcY', unknown: 'It is too large.' });
      assert.deepEqual(await seen('A', 'XbcY', [first, wrote('A', 2, UNKNOWN, UNKNOWN)]), { hunks: ['a>X', 'd>Y!'], undone: 'abcY', unknown: 'It is too large.' });
    });

    it('shows nothing of a change whose beginning nobody knows', async () => {
      assert.deepEqual(await seen('A', 'aXc', [wrote('A', 1, UNKNOWN, 'aXc')]), { hunks: [], undone: 'aXc', unknown: 'It is too large.' });
    });

    it('says so of one that is not kept any more', async () => {
      const { unknown, hunks } = await seen('A', 'aXc', [wrote('A', 1, '?', 'aXc')]);
      assert.deepEqual(hunks, []);
      assert.match(unknown!, /not kept any more/);
    });

    it('blames nobody else for it', async () => {
      const [a, b] = [[wrote('A', 1, 'abcd', UNKNOWN)], [wrote('B', 2, 'aXcd', 'aXcY')]];
      assert.deepEqual(await seen('B', 'aXcY', a, b), { hunks: ['d>Y'], undone: 'aXcd' });
      assert.deepEqual(await seen('A', 'aXcY', a, b), { hunks: ['b>X!'], undone: 'aXcY', unknown: 'It is too large.' });
    });

    it('takes nothing back where nobody can tell what of it was accepted', async () => {
      assert.match((await seen('A', 'aXcY', [wrote('A', 1, 'abcd', 'aXcY'), decided('A', 2, 'accepted', '?', [{ start: 1, end: 2 }])])).unknown!, /not kept any more/);
      assert.deepEqual((await seen('A', 'aXcY', [wrote('A', 1, 'abcd', 'aXcY'), decided('A', 2, 'accepted', '?')])).hunks, []);
    });
  });
});
