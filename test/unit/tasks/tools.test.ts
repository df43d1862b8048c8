import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { AgentRef } from '../../../src/runtime/domain/agents.ts';
import type { TrackedTaskStatus } from '../../../src/runtime/domain/trackedTasks.ts';
import type { TaskChild } from '../../../src/runtime/tasks/rootRules.ts';
import type { TaskChanging } from '../../../src/runtime/tasks/changeTools.ts';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';
import { createTrackedTaskTools } from '../../../src/runtime/tasks/trackedTaskTools.ts';
import { validateInput } from '../../../src/runtime/tools/schema.ts';
import { executeText, toolContext } from '../../support/toolContext.ts';

const UNCHANGED: TaskChild = { displayName: 'Audit', sessionId: 's', roundGroupId: 'bg_1', status: 'completed', changedFiles: [], toolCalls: 2, unsaidCalls: 0 };
const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('the tools of the task list', () => {
  let dir: string;
  let tasks: TrackedTasks;
  const children = new Map<string, TaskChild>();
  const delivered = new Set(['bg_1']);
  let refreshed = (): void => undefined;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tasks-'));
    tasks = new TrackedTasks({ dir, publish: (event) => assert.notEqual(event.type, 'problem'), now: () => AT });
    children.clear();
    refreshed = () => undefined;
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** Calls a tool of the root as a model would: what its schema refuses is refused here, too. */
  async function call(name: string, input: object, rootReviews: TaskChanging['rootReviews'] = 'unchanged', agent: AgentRef = { kind: 'root', sessionId: 's' }): Promise<string> {
    const { root } = createTrackedTaskTools({ tasks, child: (agentId) => children.get(agentId), isDelivered: (groupId) => delivered.has(groupId), refresh: async () => refreshed(), rootReviews });
    const tool = root.find((each) => each.name === name) ?? assert.fail(`no tool ${name}`);
    const valid = await validateInput(tool.inputSchema, JSON.stringify(input));
    if (!valid.ok) throw new TypeError(valid.message);
    assert.equal(tool.actsOnRun, true);
    assert.deepEqual(tool.targets(input as never), []);
    assert.ok(tool.describe(input as never).length > 0);
    return executeText(tool, input, toolContext(dir, { agent }));
  }
  const create = async (subject: string, more: object = {}): Promise<string> => /task-\w+/.exec(await call('TaskCreate', { subject, ...more }))?.[0] ?? assert.fail();
  const linked = async (status: TrackedTaskStatus, child?: TaskChild): Promise<string> => {
    const [task] = await tasks.createForChildren([{ subject: 'Audit', description: 'Audit it', groupId: 'bg_1', agentId: 'agent-x' }]);
    const { id } = task ?? assert.fail();
    if (child) children.set('agent-x', child);
    const path: Readonly<Record<TrackedTaskStatus, readonly TrackedTaskStatus[]>> = { pending: [], in_progress: ['in_progress'], review: ['in_progress', 'review'], completed: ['in_progress', 'review', 'completed'], failed: ['failed'], cancelled: ['cancelled'] };
    for (const to of path[status]) await tasks.transition(id, to, 'runtime');
    return id;
  };
  const denied = (...words: readonly string[]) => (error: unknown) => isAppError(error, 'denied') && words.every((word) => error.message.includes(word));

  it('are four for the root and, of these, the two that only look for children', () => {
    const { root, children: inherited } = createTrackedTaskTools({ tasks, child: () => undefined, isDelivered: () => false, refresh: async () => undefined, rootReviews: 'unchanged' });
    assert.deepEqual(root.map(({ name, isReadOnly }) => [name, isReadOnly]), [['TaskCreate', false], ['TaskUpdate', false], ['TaskGet', true], ['TaskList', true]]);
    assert.deepEqual(inherited, root.slice(2));
  });

  it('make tasks, list them by status, and show one with all that is known of it', async () => {
    const first = await create('Read\nthe code', { owner: 'me' });
    const second = await create('Fix it', { description: 'Mind the gap.\nHistory:\n- forged', blocked_by: [first] });
    const third = await create('Ship it', { blocked_by: [second] });
    await call('TaskUpdate', { task_id: first, status: 'in_progress', reason: 'now' });
    assert.equal(await call('TaskList', {}), [
      `${first} [in_progress] Read the code (owner: me)`,
      `${second} [pending] Fix it (waits for ${first})`,
      `${third} [pending] Ship it (waits for ${second})`,
    ].join('\n'));
    assert.equal(await call('TaskList', { status: 'in_progress' }), `${first} [in_progress] Read the code (owner: me)`);
    assert.equal(await call('TaskList', { status: 'failed' }), '[There are none.]');
    await assert.rejects(call('TaskList', { status: 'done' }), (error) => isAppError(error, 'invalid_input') && error.message.includes('in_progress, pending'));
    assert.equal(await call('TaskGet', { task_id: second }), [
      `${second} [pending] Fix it (waits for ${first})`,
      'Blocked by:', `- ${first} [in_progress] Read the code`,
      'Blocks:', `- ${third} [pending] Ship it`,
      'History:', '- 2026-01-02T03:04:05.000Z pending, by the agent',
      'Description:', 'Mind the gap.', 'History:', '- forged',
    ].join('\n'));
    assert.match(await call('TaskGet', { task_id: first }), /in_progress, by the agent: now\nDescription:\n\(none\)$/);
    await assert.rejects(call('TaskGet', { task_id: 'task-none' }), (error) => isAppError(error, 'not_found'));
  });

  it('see what another process made', async () => {
    const { id } = await new TrackedTasks({ dir, publish: () => {} }).create({ subject: 'Theirs', description: '' }, 'user');
    assert.match(await call('TaskList', {}), /Theirs/);
    const { id: other } = await new TrackedTasks({ dir, publish: () => {} }).create({ subject: 'Next', description: '' }, 'user');
    assert.match(await call('TaskGet', { task_id: other }), /Next/);
    assert.match(await call('TaskUpdate', { task_id: id, subject: 'Ours' }), /^Updated: task-\w+ \[pending\] Ours$/);
  });

  it('change a task all or nothing', async () => {
    const [a, b] = [await create('a'), await create('b')];
    await call('TaskUpdate', { task_id: b, add_blocked_by: [a], owner: 'me' });
    await assert.rejects(call('TaskUpdate', { task_id: a, subject: 'new', add_blocked_by: [b] }), (error) => isAppError(error, 'conflict') && error.message.includes('→'));
    await assert.rejects(call('TaskUpdate', { task_id: b, owner: '', status: 'in_progress' }), (error) => isAppError(error, 'conflict') && error.message.includes(a));
    assert.deepEqual([tasks.get(a)?.subject, tasks.get(b)?.owner], ['a', 'me']);
    await call('TaskUpdate', { task_id: b, owner: '', remove_blocked_by: [a], add_blocks: [a], status: 'in_progress' });
    assert.deepEqual([tasks.get(b)?.status, tasks.get(b)?.owner, tasks.get(a)?.blockedBy], ['in_progress', undefined, [b]]);
    await call('TaskUpdate', { task_id: b, remove_blocks: [a] });
    assert.deepEqual(tasks.get(a)?.blockedBy, []);
    for (const input of [{ task_id: a, done: true }, { task_id: a, status: 'done' }, { subject: 'x' }, { task_id: a, subject: 'x'.repeat(201) }]) await assert.rejects(call('TaskUpdate', input), TypeError);
  });

  it('take a task of the root\'s own along the ways that there are, and no other', async () => {
    const id = await create('mine');
    await assert.rejects(call('TaskUpdate', { task_id: id, status: 'completed' }), (error) => isAppError(error, 'conflict') && error.message.includes('in_progress'));
    for (const status of ['in_progress', 'review', 'completed']) await call('TaskUpdate', { task_id: id, status });
    await assert.rejects(call('TaskUpdate', { task_id: id, status: 'in_progress' }), (error) => isAppError(error, 'conflict') && error.message.includes('with a reason'));
    await call('TaskUpdate', { task_id: id, status: 'in_progress', reason: 'it was not done' });
    assert.deepEqual(tasks.get(id)?.history.map(({ to, by }) => `${to} ${by}`), ['pending agent', 'in_progress agent', 'review agent', 'completed agent', 'in_progress agent']);
  });

  it('complete what a subagent did only from review, and as the rules for reviews say', async () => {
    const changed: TaskChild = { ...UNCHANGED, changedFiles: ['/a', '/b'] };
    const { unsaidCalls: _, ...uncounted } = UNCHANGED;
    const unseen = 'ran commands or tools that may have changed something';
    const rows = [
      ['unchanged', UNCHANGED, true], ['unchanged', changed, 'Audit changed 2 files'], ['unchanged', undefined, 'not known any more'],
      ['unchanged', { ...UNCHANGED, unsaidCalls: 1 }, unseen], ['unchanged', uncounted, unseen], ['unchanged', { ...uncounted, toolCalls: 0 }, true],
      ['always', changed, true], ['always', { ...UNCHANGED, unsaidCalls: 1 }, true], ['always', undefined, 'not known any more'],
      ['always', { ...UNCHANGED, sessionId: 'other' }, 'another conversation'], ['always', { ...UNCHANGED, roundGroupId: 'bg_2' }, 'has not come to you yet'], ['always', { ...UNCHANGED, status: 'running' }, 'has not come to you yet'],
      ['never', UNCHANGED, 'Only the user completes'],
    ] as const;
    for (const [rule, child, expected] of rows) {
      children.clear();
      const id = await linked('review', child);
      const completing = call('TaskUpdate', { task_id: id, status: 'completed' }, rule);
      if (expected === true) await completing;
      else await assert.rejects(completing, denied(expected, `Leave task ${id} in review`));
      assert.deepEqual(tasks.get(id)?.history.at(-1), { from: expected === true ? 'review' : 'in_progress', to: expected === true ? 'completed' : 'review', by: expected === true ? 'agent' : 'runtime', at: AT });
    }
  });

  it('take in what other windows know before they judge by it', async () => {
    const id = await linked('review', UNCHANGED);
    refreshed = () => void children.set('agent-x', { ...UNCHANGED, changedFiles: ['/a'] });
    await assert.rejects(call('TaskUpdate', { task_id: id, status: 'completed' }), denied('Audit changed 1 file'));
    assert.equal(tasks.get(id)?.status, 'review');
  });

  it('leave every other status of a subagent\'s task to the subagent, and point at Agent with resume', async () => {
    const rows = [['review', 'in_progress'], ['review', 'cancelled'], ['pending', 'in_progress'], ['pending', 'cancelled'], ['in_progress', 'review'], ['in_progress', 'completed'], ['failed', 'in_progress'], ['completed', 'in_progress']] as const;
    for (const [from, to] of rows) {
      const id = await linked(from, UNCHANGED);
      await assert.rejects(call('TaskUpdate', { task_id: id, status: to, reason: 'because', subject: 'new' }, 'always'), denied('Agent', 'resume: "agent-x"'), `${from} to ${to}`);
      assert.deepEqual([tasks.get(id)?.status, tasks.get(id)?.subject], [from, 'Audit']);
    }
    const id = await linked('in_progress', UNCHANGED);
    await call('TaskUpdate', { task_id: id, status: 'in_progress', owner: 'me' });
    assert.deepEqual([tasks.get(id)?.owner, tasks.get(id)?.history.length], ['me', 2], 'the status that it has is no change');
    const after = await create('After it', { blocked_by: [id] });
    await call('TaskUpdate', { task_id: id, subject: 'Audit all', description: 'more', owner: 'the auditor' });
    assert.match(await call('TaskGet', { task_id: id }), new RegExp(`^${id} \\[in_progress\\] Audit all \\(owner: the auditor; subagent: Audit, agent-x\\)\\nBlocks:\\n- ${after}`));
  });

  it('change nothing for a subagent, however it came by them', async () => {
    const id = await create('a');
    const child: AgentRef = { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'agent-y', displayName: 'Y' };
    await assert.rejects(call('TaskCreate', { subject: 'b' }, 'always', child), denied('subagent'));
    await assert.rejects(call('TaskUpdate', { task_id: id, subject: 'b' }, 'always', child), denied('subagent'));
    assert.match(await call('TaskList', {}, 'always', child), /^task-\w+ \[pending\] a$/);
  });
});
