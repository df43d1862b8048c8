import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../src/runtime/base/errors.ts';
import { TaskFollower } from '../../../src/runtime/delegation/taskFollower.ts';
import { mendTasks } from '../../../src/runtime/delegation/taskMending.ts';
import type { TaskList } from '../../../src/runtime/delegation/tracking.ts';
import type { ChildView, RunOutcome } from '../../../src/runtime/domain/agents.ts';
import type { TrackedTask, TrackedTaskStatus } from '../../../src/runtime/domain/trackedTasks.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';
import { CANCELLED, completed, failed } from './fixture.ts';

const OUTCOMES = [completed('x'), failed('error', 'It broke.'), CANCELLED] as const;
const FIRST_ROUND = ['review', 'completed', 'failed', 'cancelled'] as const;

describe('the task of a child in a later round, of whose start the list never heard,', () => {
  let dir: string;
  let now: number;
  let problems: string[];
  let tasks: TrackedTasks;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tasks-'));
    now = 100;
    problems = [];
    tasks = new TrackedTasks({ dir, publish: (event) => event.type === 'problem' && problems.push(event.message), now: () => now });
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** A task whose child ended its first round long ago. */
  const make = async (first: (typeof FIRST_ROUND)[number]): Promise<TrackedTask> => {
    const [{ id } = assert.fail()] = await tasks.createForChildren([{ subject: 'A', description: '', groupId: 'bg_1', agentId: 'agent-a' }]);
    const path: readonly TrackedTaskStatus[] = first === 'completed' ? ['in_progress', 'review', 'completed'] : ['in_progress', first];
    for (const to of path) await tasks.transition(id, to, 'runtime');
    return tasks.get(id) ?? assert.fail();
  };
  const inSecondRound = ({ id }: TrackedTask, outcome: RunOutcome): ChildView => ({
    agentId: 'agent-a', displayName: 'A', definition: 'd', model: { provider: 'p', model: 'm' }, prompt: '', maxTurns: 1, tools: [], taskId: id, round: 2,
    groupId: 'bg_1', roundGroupId: 'bg_2', sessionId: 's', status: outcome.status, outcome, queuedAt: 1000, startedAt: 1001, settledAt: 1002, lastActivityAt: 1002,
    approvals: [], turns: 1, toolCalls: 0, denials: 0, usage: NO_USAGE, changedFiles: [],
  });
  const statusOf = ({ status }: RunOutcome): TrackedTaskStatus => (status === 'completed' ? 'review' : status);
  const history = (id: string): readonly string[] => tasks.get(id)?.history.slice(-2).map(({ to, reason = '' }) => `${to} ${reason}`.trim()) ?? [];
  const mend = (child: ChildView): Promise<void> => mendTasks({ tasks, child: () => child, isElsewhere: () => false, publish: (event) => void problems.push(event.type) });

  for (const first of FIRST_ROUND) {
    for (const outcome of OUTCOMES) {
      it(`and that was ${first}, follows its end: ${outcome.status}`, async () => {
        const task = await make(first);
        let isDown = true;
        const list: TaskList = {
          load: () => tasks.load(),
          get: (id) => tasks.get(id),
          createForChildren: (children) => tasks.createForChildren(children),
          async transition(...change) {
            if (isDown) throw new AppError('unavailable', 'The disk is full.');
            return tasks.transition(...change);
          },
        };
        const follower = new TaskFollower(inSecondRound(task, outcome), list, () => assert.fail());
        follower.started(false);
        await follower.stored();
        isDown = false;
        follower.settled(outcome, true);
        await follower.stored();
        const end = outcome.status === 'failed' ? 'failed It broke.' : statusOf(outcome);
        assert.deepEqual([history(task.id), problems], [['in_progress Its subagent goes on (round 2).', end], []]);
      });

      it(`and that was ${first}, is brought in step with its end at the next start: ${outcome.status}`, async () => {
        const task = await make(first);
        now = 2000;
        await mend(inSecondRound(task, outcome));
        assert.deepEqual([tasks.get(task.id)?.status, history(task.id)[0], problems], [statusOf(outcome), 'in_progress Its subagent goes on (round 2).', []]);
        const mended = tasks.get(task.id);
        await mend(inSecondRound(task, outcome));
        assert.equal(tasks.get(task.id), mended);
      });
    }
  }

  it('stays where somebody has moved it since, where that round never worked, and where another window is at it', async () => {
    now = 1003;
    const later = await make('completed');
    await mend(inSecondRound(later, completed('x')));
    assert.equal(tasks.get(later.id), later);
    now = 100;
    const task = await make('completed');
    const { startedAt: _, ...unstarted } = inSecondRound(task, CANCELLED);
    await mend(unstarted);
    await mendTasks({ tasks, child: () => inSecondRound(task, completed('x')), isElsewhere: () => true, publish: () => assert.fail() });
    assert.equal(tasks.get(task.id), task);
  });

  it('is no problem where two bring it in step at once', async () => {
    const task = await make('completed');
    now = 2000;
    const child = inSecondRound(task, completed('x'));
    await Promise.all([mend(child), mend(child)]);
    assert.deepEqual([tasks.get(task.id)?.status, tasks.get(task.id)?.history.length, problems], ['review', 6, []]);
  });
});
