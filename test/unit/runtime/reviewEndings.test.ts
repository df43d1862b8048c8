import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ChildStatus } from '../../../src/runtime/domain/agents.ts';
import type { TrackedTaskStatus } from '../../../src/runtime/domain/trackedTasks.ts';
import { edits, startReviewing, type ReviewFixture } from '../../support/reviewFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const BEFORE = 'one\ntwo\nthree\n';
const CHANGED = 'one\nTWO\nthree\n';
/** A child that has changed the file and goes on with this turn. */
const changing = (last: ScriptedTurn): readonly ScriptedTurn[] => [...edits('f.txt', ['two\n', 'TWO\n']).slice(0, -1), last];

interface Ending {
  readonly what: string;
  readonly last: ScriptedTurn;
  readonly maxTurns?: number;
  /** What ends a child that would go on for ever. */
  readonly end?: (fixture: ReviewFixture, agentId: string) => Promise<void>;
  readonly status: ChildStatus;
  readonly task: TrackedTaskStatus;
}

const forever: ScriptedTurn = { text: 'Never.', wait: deferred().promise };
const ENDINGS: readonly Ending[] = [
  { what: 'completed', last: { text: 'Done.' }, status: 'completed', task: 'review' },
  { what: 'failed', last: { stop: 'error', error: { failure: 'bad_request', message: 'No.' } }, status: 'failed', task: 'failed' },
  { what: 'was cut off', last: { text: 'Do', stop: 'max_tokens' }, status: 'failed', task: 'failed' },
  { what: 'ran out of turns', last: { calls: [{ name: 'Read', input: { file_path: 'f.txt' } }] }, maxTurns: 3, status: 'failed', task: 'failed' },
  { what: 'was cancelled', last: forever, end: ({ agent }, agentId) => agent.cancelChild(agentId), status: 'cancelled', task: 'cancelled' },
  { what: 'was interrupted', last: forever, end: ({ agent }) => agent.suspend(), status: 'interrupted', task: 'in_progress' },
];

describe('what a child changed, however it ended', () => {
  const open: ReviewFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });

  async function ended({ last, maxTurns, end, status, task }: Ending): Promise<{ fixture: ReviewFixture; agentId: string }> {
    let fixture = await startReviewing({ A: changing(last) }, { workspace: { 'f.txt': BEFORE }, ...(maxTurns !== undefined && { maxTurns }) });
    open.push(fixture);
    const group = await (await fixture.agent.openSession()).delegate([{ display_name: 'A', prompt: 'A' }]);
    const agentId = group.children[0]?.agentId ?? '';
    await fixture.recorder.until('files.changed');
    if (end) await end(fixture, agentId);
    else await fixture.delivered(group.groupId);
    if (status === 'interrupted') open.push((fixture = await fixture.again()));
    assert.deepEqual([fixture.child(agentId).status, fixture.child(agentId).taskStatus], [status, task]);
    return { fixture, agentId };
  }

  for (const ending of ENDINGS) {
    const after = ending.task === 'review' ? 'completed' : ending.task;
    it(`is shown and undone where it ${ending.what}; its task is ${after} then`, async () => {
      const { fixture, agentId } = await ended(ending);
      assert.equal(await fixture.text('f.txt'), CHANGED);
      assert.deepEqual((await fixture.agent.reviews.changes(agentId)).map(({ state, hunks }) => [state, hunks.length]), [['open', 1]]);
      assert.deepEqual(await fixture.agent.reviews.undo(agentId), { undone: [fixture.path('f.txt')], conflicts: [], unsaved: [] });
      assert.deepEqual([await fixture.text('f.txt'), fixture.child(agentId).taskStatus, (await fixture.file(agentId, 'f.txt')).state], [BEFORE, after, 'undone']);
    });

    it(`is accepted where it ${ending.what}; its task is ${after} then`, async () => {
      const { fixture, agentId } = await ended(ending);
      await fixture.agent.reviews.accept(agentId);
      assert.deepEqual([await fixture.text('f.txt'), fixture.child(agentId).taskStatus, (await fixture.file(agentId, 'f.txt')).state], [CHANGED, after, 'accepted']);
    });
  }

  it('is only looked at while the child is queued or at work', async () => {
    const fixture = await startReviewing({ A: changing(forever), B: [{ text: 'Done.' }] }, { workspace: { 'f.txt': BEFORE }, maxParallelSubagents: 1 });
    open.push(fixture);
    const { groupId, children } = await (await fixture.agent.openSession()).delegate(['A', 'B'].map((name) => ({ display_name: name, prompt: name })));
    await fixture.recorder.until('files.changed');
    const { reviews } = fixture.agent;
    const [a, b] = children;
    assert.deepEqual((await reviews.changes(a?.agentId ?? '')).map(({ state, hunks }) => [state, hunks.length]), [['open', 1]]);
    for (const { agentId = '' } of [a ?? {}, b ?? {}]) {
      for (const refused of [reviews.accept(agentId), reviews.undo(agentId), reviews.requestChanges(agentId, { text: 'x' })]) await assert.rejects(refused, { reason: 'conflict' });
    }
    await assert.rejects(reviews.undoGroup(groupId), { reason: 'conflict' });
    assert.equal(await fixture.text('f.txt'), CHANGED);
  });
});
