import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, it } from 'mocha';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { contentOf, type Block } from '../../../src/runtime/review/blocks.ts';
import type { FileLines } from '../../../src/runtime/review/fileLines.ts';
import { hunksOf, undo, withoutOwn } from '../../../src/runtime/review/hunks.ts';
import { replayFile } from '../../../src/runtime/review/replayFile.ts';
import type { Step } from '../../../src/runtime/review/replay.ts';
import { replay } from '../../support/replayed.ts';

const COUNT = 100_000;
const isA = (who: string): boolean => who === 'A';
const isAny = (): boolean => true;
const file = (lineAt: (index: number) => string): FileLines => ['\n:utf8', ...Array.from({ length: COUNT }, (_, index) => `${lineAt(index)}\n`)];
const wrote = (by: string, before: FileLines, after: FileLines): Step => ({ kind: 'write', by: [by], before, after });

const BASE = file((index) => `old ${index}`);
const SCATTERED = file((index) => (index % 2 === 1 ? `new ${index}` : `old ${index}`));
const REWRITTEN = file((index) => `new ${index}`);
const withoutOld = (lines: FileLines): FileLines => lines.filter((line) => !line.startsWith('old'));

/** Work that grew with the square of the lines would take hours. */
describe('A file of 100,000 lines', function () {
  this.timeout(120_000);

  it('with every second line changed is shown, undone and decided on by hunks', () => {
    const steps = [wrote('A', BASE, SCATTERED)];
    const blocks = replay(steps, isA);
    const hunks = hunksOf(blocks);
    assert.equal(hunks.length, COUNT / 2);
    assert.deepEqual(withoutOwn(blocks), BASE);
    assert.deepEqual(undo(blocks).lines, BASE);
    const chosen = hunks.filter((_, index) => index % 2 === 0);
    assert.equal(undo(blocks, chosen.map(({ id }) => id)).undone.length, COUNT / 4);
    const decided: Step = { kind: 'decision', by: ['A'], verdict: 'accepted', content: SCATTERED, lines: chosen.map(({ lines }) => lines) };
    assert.equal(hunksOf(replay([...steps, decided, { kind: 'seen', content: SCATTERED }], isA)).length, COUNT / 4);
  });

  it('with every second line changed is one change once others take the rest away', () => {
    const [hunk, ...more] = hunksOf(replay([wrote('A', BASE, SCATTERED), { kind: 'seen', content: withoutOld(SCATTERED) }], isA));
    assert.deepEqual([hunk?.now.length, more], [COUNT / 2, []]);
  });

  it('that a child wrote anew is one conflict once others change every second line, also if it changes them again', () => {
    const others = file((index) => (index % 2 === 1 ? `their ${index}` : `new ${index}`));
    const steps: Step[] = [wrote('A', BASE, REWRITTEN), { kind: 'seen', content: others }];
    for (const more of [[], [wrote('A', others, REWRITTEN)]]) {
      const [hunk, ...rest] = hunksOf(replay([...steps, ...more], isA));
      assert.deepEqual([hunk?.conflict === undefined, rest], [false, []]);
    }
  });

  it('in which two children of a group took lines away side by side has as many places', () => {
    const first = BASE.filter((_, index) => index % 3 !== 1);
    const second = first.filter((_, index) => index % 2 !== 1);
    const blocks = replay([wrote('A', BASE, first), wrote('B', first, second)], isAny);
    assert.deepEqual(undo(blocks).lines, BASE);
  });

  it('of which every line is a block has a content', () => {
    const blocks = Array.from({ length: 3 * COUNT }, (_, index): Block => ({ kind: 'same', lines: [`${index}\n`] }));
    assert.equal(contentOf(blocks).length, 3 * COUNT);
  });
});

describe('The history of a large file', function () {
  this.timeout(120_000);

  it('is replayed without holding its versions', async () => {
    // Sixty versions of such a file as lines take about three times as much.
    const worker = new Worker(new URL('../../support/longHistory.ts', import.meta.url), { workerData: { lines: 50_000, versions: 60 }, resourceLimits: { maxOldGenerationSizeMb: 80 } });
    const [left] = (await once(worker, 'message')) as [number];
    assert.equal(left, 1);
    await worker.terminate();
  });

  it('lets others have their turn in between, and reads each content once', async () => {
    const reads: string[] = [];
    const contents = new Map(['0', '1', '2', '3'].map((hash) => [hash, Buffer.from(Array.from({ length: 20_000 }, (_, line) => `${line % 4 < Number(hash) ? 'new' : 'old'} ${line}\n`).join(''))]));
    const log = ['0', '1', '2'].map((hash, at): RuntimeEvent => ({
      at,
      type: 'files.changed',
      agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'A', displayName: 'A' },
      callId: hash,
      changes: [{ path: '/w/file.txt', kind: 'edited', before: { kind: 'kept', hash }, after: { kind: 'kept', hash: String(at + 1) } }],
    }));
    let turns = 0;
    let ticking = setImmediate(function tick() {
      turns += 1;
      ticking = setImmediate(tick);
    });
    await replayFile('/w/file.txt', { logs: [log], attempts: new Set() }, { kind: 'content', bytes: contents.get('3'), unsaved: false }, isA, async (hash) => (reads.push(hash), contents.get(hash)!));
    clearImmediate(ticking);
    assert.deepEqual(reads, ['0', '1', '2', '3']);
    assert.ok(turns > 0);
  });
});
