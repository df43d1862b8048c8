import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { SYSTEM_CLOCK } from '../../../src/runtime/base/clock.ts';
import type { ChildStatus, ChildView, FailureReason } from '../../../src/runtime/domain/agents.ts';
import type { LiteAgent } from '../../../src/runtime/domain/liteAgent.ts';
import type { ModelFailure, ModelRequest } from '../../../src/runtime/domain/models.ts';
import type { TrackedTaskStatus } from '../../../src/runtime/domain/trackedTasks.ts';
import { isRoot, lastUserText, reopenAgent, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { define } from '../../support/codedChildren.ts';
import { crashed, type Folders } from '../../support/crash.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';
import { definition } from '../delegation/fixture.ts';

/** A child does what its last message says: a stop reason, a failure of its model, or `hang`; any other is answered. */
function obey(request: ModelRequest): ScriptedTurn {
  const [what = '', how = ''] = (lastUserText(request) ?? 'answer').split(' ');
  switch (what) {
    case 'hang':
      return { wait: deferred().promise };
    case 'stop':
      return { text: 'Part of it.', stop: how as 'max_tokens' };
    case 'model':
      return { stop: 'error', error: { failure: how as ModelFailure, message: 'No.' } };
    case 'silent':
      return { text: ' ' };
    case 'look':
      return { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] };
    default:
      return { text: 'Done.' };
  }
}
const script: Script = (request) => (isRoot(request) ? { text: 'Noted.' } : obey(request));
const OPTIONS: AgentFixtureOptions = { maxParallelSubagents: 1, timing: { retry: { maxTries: 1, baseDelayMs: 0, maxDelayMs: 0, spreadMs: 0 } } };

/** The list, the child's view and its group's say the same of every task, whoever asks. */
function assertAgreed(agent: LiteAgent): void {
  const children = new Map(agent.groups().flatMap((group) => group.children).map((child) => [child.agentId, child]));
  const tasks = agent.tasks.list();
  for (const child of children.values()) {
    const task = tasks.find(({ id }) => id === child.taskId);
    assert.deepEqual([child.taskStatus, child.agentId], [task?.status, task?.agentId], `${child.displayName}: ${child.status}`);
    assert.equal(agent.child(child.agentId), child);
  }
  for (const task of tasks) assert.ok(task.agentId === undefined || children.get(task.agentId)?.taskId === task.id, `${task.subject} has no child`);
}

describe('the task of a child', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.end();
  });

  async function start(options: AgentFixtureOptions = {}): Promise<AgentFixture> {
    const fixture = await startAgent(script, { ...OPTIONS, ...options });
    open.push(fixture);
    return fixture;
  }

  async function reopen(folders: Folders, options: AgentFixtureOptions = {}): Promise<AgentFixture> {
    const fixture = await reopenAgent(folders, script, { ...OPTIONS, ...options });
    open.push(fixture);
    return fixture;
  }

  const begin = async (fixture: AgentFixture, prompts: readonly string[], more: object = {}): Promise<readonly ChildView[]> => {
    const { groupId } = await (await fixture.agent.openSession()).delegate(prompts.map((prompt) => ({ display_name: prompt, prompt, ...more })));
    return fixture.agent.group(groupId)?.children ?? [];
  };
  /** Waits for the end of the latest round, and for what follows from it. */
  const delivered = async ({ recorder, agent }: AgentFixture, agentId: string): Promise<void> => {
    const groupId = agent.child(agentId)?.roundGroupId;
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && cause.groupId === groupId);
  };
  const running = ({ recorder }: AgentFixture, { taskId }: ChildView): Promise<unknown> => recorder.until('task.changed', ({ task }) => task.id === taskId && task.status === 'in_progress');
  const state = ({ agent }: AgentFixture, agentId: string): readonly [ChildStatus | undefined, TrackedTaskStatus | undefined] => {
    const child = agent.child(agentId);
    return [child?.status, agent.tasks.list().find(({ id }) => id === child?.taskId)?.status];
  };

  /** The story of a child up to a state, told to a fresh runtime. Resolves to the child's id. */
  interface Row {
    readonly tale: (fixture: AgentFixture) => Promise<string>;
    readonly child: ChildStatus;
    readonly task: TrackedTaskStatus;
    /** After a restart, where that is another. */
    readonly restarted?: ChildStatus;
    readonly options?: AgentFixtureOptions;
  }

  const ends = (prompt: string, more: object = {}): Row['tale'] => async (fixture) => {
    const [child] = await begin(fixture, [prompt], more);
    await delivered(fixture, child?.agentId ?? '');
    return child?.agentId ?? '';
  };
  const failing = (reason: FailureReason, tale: Row['tale'], options: AgentFixtureOptions = {}): readonly [string, Row] => [
    `that failed with ${reason}`,
    {
      async tale(fixture) {
        const agentId = await tale(fixture);
        const outcome = fixture.agent.child(agentId)?.outcome;
        assert.equal(outcome?.status === 'failed' && outcome.reason, reason);
        return agentId;
      },
      child: 'failed',
      task: 'failed',
      options,
    },
  ];
  /** Runs a child to its end, and then lets it go on with this prompt. */
  const again = (first: string, next: string, go: (fixture: AgentFixture, agentId: string) => Promise<void> = delivered): Row['tale'] => async (fixture) => {
    const agentId = await ends(first)(fixture);
    await fixture.agent.resumeChild(agentId, { prompt: next });
    await go(fixture, agentId);
    return agentId;
  };
  const interrupted = async (fixture: AgentFixture): Promise<{ readonly fixture: AgentFixture; readonly agentId: string }> => {
    const [child] = await begin(fixture, ['hang']);
    await running(fixture, child ?? assert.fail());
    await fixture.agent.suspend();
    return { fixture: await reopen(fixture), agentId: child?.agentId ?? '' };
  };

  const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const rows: readonly (readonly [string, Row])[] = [
    ['that waits', { tale: async (fixture) => (await begin(fixture, ['hang', 'next']))[1]?.agentId ?? '', child: 'queued', task: 'pending', restarted: 'interrupted' }],
    ['that works', { async tale(fixture) {
      const [child] = await begin(fixture, ['hang']);
      await running(fixture, child ?? assert.fail());
      return child?.agentId ?? '';
    }, child: 'running', task: 'in_progress', restarted: 'interrupted' }],
    ['that completed', { tale: ends('answer'), child: 'completed', task: 'review' }],
    ['that was accepted', { async tale(fixture) {
      const agentId = await ends('answer')(fixture);
      await fixture.agent.tasks.accept(fixture.agent.child(agentId)?.taskId ?? '');
      return agentId;
    }, child: 'completed', task: 'completed' }],
    failing('error', ends('model bad_request')),
    failing('auth', ends('model auth')),
    failing('quota', ends('model quota')),
    failing('rate_limited', ends('model rate_limited')),
    failing('context', ends('stop context')),
    failing('max_tokens', ends('stop max_tokens')),
    failing('refusal', ends('stop refusal')),
    failing('filtered', ends('stop filtered')),
    failing('no_text', ends('silent')),
    failing('max_turns', ends('look'), { maxTurns: 1 }),
    failing('timeout', ends('hang'), { timeLimits: { maxDurationMs: 1 } }),
    failing('budget', ends('look'), { budget: { tokens: 1 } }),
    failing('schema', async (fixture) => {
      define(fixture, definition('formal', { resultSchema: SCHEMA }));
      return ends('answer', { subagent_type: 'formal' })(fixture);
    }),
    ['that was refused its start', { async tale(fixture) {
      const [, child] = await begin(fixture, ['model auth', 'answer']);
      await delivered(fixture, child?.agentId ?? '');
      return child?.agentId ?? '';
    }, child: 'failed', task: 'failed' }],
    ['that was cancelled at work', { async tale(fixture) {
      const [child] = await begin(fixture, ['hang']);
      await running(fixture, child ?? assert.fail());
      await fixture.agent.cancelChild(child?.agentId ?? '');
      await delivered(fixture, child?.agentId ?? '');
      return child?.agentId ?? '';
    }, child: 'cancelled', task: 'cancelled' }],
    ['that was cancelled as it waited', { async tale(fixture) {
      const [, child] = await begin(fixture, ['hang', 'next']);
      await fixture.agent.cancelChild(child?.agentId ?? '');
      return child?.agentId ?? '';
    }, child: 'cancelled', task: 'cancelled' }],
    ['that was retried', { tale: again('model bad_request', 'answer'), child: 'completed', task: 'review' }],
    ['that was retried after a cancel', { async tale(fixture) {
      const [child] = await begin(fixture, ['hang']);
      await running(fixture, child ?? assert.fail());
      await fixture.agent.cancelChild(child?.agentId ?? '');
      await fixture.agent.resumeChild(child?.agentId ?? '', { prompt: 'answer' });
      await delivered(fixture, child?.agentId ?? '');
      return child?.agentId ?? '';
    }, child: 'completed', task: 'review' }],
    ['that is changed as a reviewer asked', { tale: again('answer', 'hang', async ({ recorder }, agentId) => void (await recorder.until('task.changed', ({ task }) => task.agentId === agentId && task.history.length === 4))), child: 'running', task: 'in_progress', restarted: 'interrupted' }],
    ['that failed at what a reviewer asked', { tale: again('answer', 'model bad_request'), child: 'failed', task: 'failed' }],
    // What it did before is still to be looked at.
    ['whose next round was cancelled as it waited', { async tale(fixture) {
      const agentId = await ends('answer')(fixture);
      const [holder] = await begin(fixture, ['hang']);
      await running(fixture, holder ?? assert.fail());
      await fixture.agent.resumeChild(agentId, { prompt: 'never' });
      await fixture.agent.cancelChild(agentId);
      await delivered(fixture, agentId);
      return agentId;
    }, child: 'cancelled', task: 'review' }],
  ];

  for (const [name, { tale, child, task, restarted = child, options }] of rows) {
    it(`${name} is ${task}, in the list as in the views, and so it is after a crash, a suspend and a restart`, async () => {
      const fixture = await start(options);
      const agentId = await tale(fixture);
      assert.deepEqual(state(fixture, agentId), [child, task]);
      assertAgreed(fixture.agent);
      const afterCrash = await crashed(fixture);
      open.push({ end: () => afterCrash.remove() });
      await fixture.agent.suspend();
      for (const folders of [fixture, afterCrash]) {
        const next = await reopen(folders, options);
        assert.deepEqual(state(next, agentId), [restarted, task]);
        assertAgreed(next.agent);
        assert.deepEqual(next.recorder.of('problem'), []);
        await next.agent.suspend();
      }
      assert.deepEqual(fixture.recorder.of('problem'), []);
    });
  }

  it('that was interrupted goes on, or ends, as its child does', async () => {
    const rows: readonly (readonly [(agent: LiteAgent, agentId: string) => Promise<unknown>, ChildStatus, TrackedTaskStatus])[] = [
      [(agent, agentId) => agent.resumeChild(agentId, { prompt: 'answer' }), 'completed', 'review'],
      [(agent, agentId) => agent.resumeChild(agentId, { prompt: 'model bad_request' }), 'failed', 'failed'],
      [(agent, agentId) => agent.cancelChild(agentId), 'cancelled', 'cancelled'],
    ];
    for (const [act, child, task] of rows) {
      const { fixture, agentId } = await interrupted(await start());
      assert.deepEqual(state(fixture, agentId), ['interrupted', 'in_progress']);
      assertAgreed(fixture.agent);
      await act(fixture.agent, agentId);
      await delivered(fixture, agentId);
      assert.deepEqual(state(fixture, agentId), [child, task]);
      assertAgreed(fixture.agent);
      await fixture.agent.close();
      const next = await reopen(fixture);
      assert.deepEqual(state(next, agentId), [child, task]);
      assertAgreed(next.agent);
    }
  });

  it('is brought in step at the next start where the list could not be stored, or its child never came to be', async () => {
    const fixture = await start();
    const [child] = await begin(fixture, ['hang']);
    await running(fixture, child ?? assert.fail());
    const path = join(fixture.storageDir, 'tasks', 'tasks.json');
    const earlier = await readFile(path, 'utf8');
    await fixture.agent.cancelChild(child?.agentId ?? '');
    await delivered(fixture, child?.agentId ?? '');
    await fixture.agent.close();
    // As if nothing could be stored when it ended, and two others had been linked to children of which nothing is stored.
    const lost = (id: string, updatedAt: number): string => JSON.stringify({ id, subject: id, description: '', status: 'pending', groupId: 'bg_none', agentId: `agent-${id}`, createdAt: 1, updatedAt, history: [] });
    await writeFile(path, earlier.replace(/\n\]\}\n$/, `,\n${lost('task-old', 1)},\n${lost('task-new', Date.now())}\n]}\n`));

    let later = 0;
    const next = await reopen(fixture, { beatMs: 20, timing: { ...OPTIONS.timing, clock: { ...SYSTEM_CLOCK, now: () => Date.now() + later } } });
    await next.recorder.until('task.changed', ({ task }) => task.id === 'task-old');
    assert.deepEqual(next.agent.tasks.list().map(({ status, history }) => [status, history.at(-1)?.reason]), [['cancelled', undefined], ['cancelled', 'Its subagent is not known any more.'], ['pending', undefined]]);
    assert.deepEqual(state(next, child?.agentId ?? ''), ['cancelled', 'cancelled']);
    later = 61_000;
    const { task: given } = await next.recorder.until('task.changed', ({ task }) => task.id === 'task-new');
    assert.deepEqual([given.status, given.history.at(-1)?.reason], ['cancelled', 'Its subagent is not known any more.'], 'in the same session, once nobody can accept it any more');
    assert.deepEqual(next.recorder.of('problem'), []);
  });

  it('is the latest round\'s, though an earlier one\'s group was left open by a crash', async () => {
    const fixture = await start({ maxParallelSubagents: 3 });
    const [child = assert.fail()] = await begin(fixture, ['answer', 'hang']);
    const { agentId, taskId } = child;
    const reached = (...statuses: readonly TrackedTaskStatus[]): Promise<unknown> => fixture.recorder.until('task.changed', ({ task }) => task.id === taskId && task.history.map(({ to }) => to).join() === statuses.join());
    await reached('pending', 'in_progress', 'review');
    await fixture.agent.resumeChild(agentId, { prompt: 'hang' });
    await reached('pending', 'in_progress', 'review', 'in_progress');
    const next = await reopen(await crashed(fixture));
    // Bringing tasks in step is among what a close waits for.
    await next.agent.close();
    assert.deepEqual(state(next, agentId), ['interrupted', 'in_progress']);
  });
});
