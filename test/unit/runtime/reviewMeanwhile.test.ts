import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { Emitter } from '../../../src/runtime/base/emitter.ts';
import type { SavedFile } from '../../../src/runtime/domain/ports.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createBuiltinTools } from '../../../src/runtime/tools/registry.ts';
import { edits, startReviewing, type ReviewFixture } from '../../support/reviewFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const ALLOWED = { user: { allow: ['*'] } };
const FILE = 'one\ntwo\nthree\nfour\n';

/** A tool that does what the test says under a name, and doesn't tell of it, as a command. */
function commands(acts: Readonly<Record<string, () => Promise<unknown>>>): ToolDefinition {
  return {
    name: 'Command',
    description: 'Does something.',
    inputSchema: { type: 'object' },
    isReadOnly: false,
    describe: () => 'Doing something',
    targets: () => [],
    execute: async ({ act }: { readonly act: string }) => (await acts[act]?.(), { content: [] }),
  };
}

const command = (act: string): ScriptedTurn => ({ calls: [{ name: 'Command', input: { act } }] });

describe('a review of what a command changed', function () {
  this.timeout(20_000);
  let fixture: ReviewFixture;
  afterEach(() => fixture.end());

  it('has nothing in it that the user saved while the command ran: an undo leaves that alone', async () => {
    const saved = new Emitter<SavedFile>(assert.ifError);
    const work = commands({
      work: async () => {
        await fixture.save('child.txt', 'by the child\n');
        await fixture.save('user.txt', 'an hour of work\n');
        saved.fire({ path: fixture.path('user.txt') });
      },
    });
    fixture = await startReviewing({ A: [command('work'), { text: 'done' }] }, { workspace: { 'user.txt': 'old\n', 'child.txt': 'old\n' }, files: { ...createNodeFiles(), onDidSave: saved.event }, builtinTools: [...createBuiltinTools({}), work], permissions: ALLOWED });
    execFileSync('git', ['init', '-q'], { cwd: fixture.cwd });
    const [a] = await fixture.run('A');
    const { agentId = '' } = a ?? {};
    assert.deepEqual((await fixture.agent.reviews.changes(agentId)).map(({ path }) => path), [fixture.path('child.txt')]);
    const { undone, conflicts } = await fixture.agent.reviews.undo(agentId);
    assert.deepEqual([undone, conflicts], [[fixture.path('child.txt')], []]);
    assert.deepEqual([await fixture.text('user.txt'), await fixture.text('child.txt'), fixture.child(agentId).taskStatus], ['an hour of work\n', 'old\n', 'completed']);
  });

  for (const kind of ['edits', 'edits and commands'] as const) {
    it(`keeps its lines as unsure where a sibling’s ${kind} came to the same file while it ran`, async () => {
      const [changed, edited] = [deferred<void>(), deferred<void>()];
      const work = commands({
        long: async () => {
          await fixture.save('f.txt', 'one\nTWO\nthree\nfour\n');
          changed.resolve();
          await edited.promise;
        },
        short: () => fixture.save('other.txt', 'by the sibling\n'),
        last: async () => edited.resolve(),
      });
      const own = kind === 'edits' ? [] : [command('short')];
      const [read, edit] = edits('f.txt', ['four', 'FOUR']) as [ScriptedTurn, ScriptedTurn];
      fixture = await startReviewing(
        { A: [command('long'), { text: 'done' }], B: [{ ...read, wait: changed.promise }, ...own, edit, ...(kind === 'edits' ? [] : [command('last')]), { text: 'done' }] },
        { workspace: { 'f.txt': FILE }, builtinTools: [...createBuiltinTools({}), work], permissions: ALLOWED },
      );
      execFileSync('git', ['init', '-q'], { cwd: fixture.cwd });
      const running = fixture.run('A', 'B');
      if (kind === 'edits') {
        await fixture.recorder.until('files.changed', ({ changes }) => changes.some(({ path }) => path === join(fixture.cwd, 'f.txt')));
        edited.resolve();
      }
      const [a, b] = await running;

      const ofCommand = await fixture.file(a?.agentId ?? '', 'f.txt');
      assert.deepEqual(ofCommand.hunks.map(({ now, conflict }) => [now, conflict !== undefined]), [[['TWO'], true]]);
      const ofEdit = await fixture.file(b?.agentId ?? '', 'f.txt');
      assert.deepEqual(ofEdit.hunks.map(({ now, conflict }) => [now, conflict !== undefined]), [[['FOUR'], false]]);
      assert.equal((await fixture.agent.reviews.undo(a?.agentId ?? '')).conflicts.length, 1);
      assert.equal(fixture.child(a?.agentId ?? '').taskStatus, 'review');
      await fixture.agent.reviews.undo(b?.agentId ?? '');
      assert.equal(await fixture.text('f.txt'), 'one\nTWO\nthree\nfour\n');
    });
  }

  it('goes back with the group, where nobody can tell which of its two commands did it', async () => {
    const [begun, done] = [deferred<void>(), deferred<void>()];
    const work = commands({
      waits: async () => {
        begun.resolve();
        await done.promise;
      },
      writes: async () => {
        await fixture.save('f.txt', 'one\nTWO\nthree\nfour\n');
        done.resolve();
      },
    });
    fixture = await startReviewing(
      { A: [command('waits'), { text: 'done' }], B: [{ ...command('writes'), wait: begun.promise }, { text: 'done' }] },
      { workspace: { 'f.txt': FILE }, builtinTools: [...createBuiltinTools({}), work], permissions: ALLOWED },
    );
    execFileSync('git', ['init', '-q'], { cwd: fixture.cwd });
    const children = await fixture.run('A', 'B');
    const { reviews } = fixture.agent;
    for (const { agentId } of children) assert.deepEqual((await reviews.undo(agentId)).undone, [], 'it may be the other one’s');
    assert.equal(await fixture.text('f.txt'), 'one\nTWO\nthree\nfour\n');
    const { undone, conflicts } = await reviews.undoGroup(children[0]?.groupId ?? '');
    assert.deepEqual([undone, conflicts, await fixture.text('f.txt')], [[fixture.path('f.txt')], [], FILE]);
  });
});
