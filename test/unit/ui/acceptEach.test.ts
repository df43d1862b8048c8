import assert from 'node:assert/strict';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import type { AcceptReport } from '../../../src/runtime/domain/reviews.ts';
import type { TrackedTask } from '../../../src/runtime/domain/trackedTasks.ts';
import { acceptEach } from '../../../src/ui/review/acceptEach.ts';
import type { Acceptable } from '../../../src/ui/waiting.ts';
import { child } from './fakes.ts';

const task = (id: string, status: TrackedTask['status'] = 'review'): TrackedTask => ({ id, subject: `Do\n${id}`, description: '', status, createdAt: 1, updatedAt: 1, history: [] });
const inReview = (agentId: string, patch: Partial<ChildView> = {}): ChildView => child({ agentId, taskId: agentId, status: 'completed', taskStatus: 'review', ...patch });
const shownChild = (one: ChildView): Acceptable => ({ kind: 'child', child: one });

describe('accepting', () => {
  let done: string[];
  let children: readonly ChildView[];
  let tasks: readonly TrackedTask[];
  let failures: Readonly<Record<string, AppError>>;
  const accept = async (id: string): Promise<never> => {
    const failure = failures[id];
    if (failure) throw failure;
    done.push(id);
    return undefined as never;
  };
  let conflicts: AcceptReport['conflicts'];
  const acceptChanges = async (id: string): Promise<AcceptReport> => {
    await accept(`changes of ${id}`);
    return { accepted: [], conflicts, unsaved: [] };
  };
  const agent = { child: (id: string) => children.find(({ agentId }) => agentId === id), tasks: { list: () => tasks, accept }, reviews: { accept: acceptChanges } };

  beforeEach(() => {
    [done, children, tasks, failures, conflicts] = [[], [], [], {}, []];
  });

  it('leaves alone what is in another round, or ended in another way, than when it was shown', async () => {
    const shown = ['same', 'again', 'stopped', 'gone'].map((id) => inReview(id));
    const [same, again, stopped] = shown;
    assert.ok(same && again && stopped);
    children = [same, { ...again, round: 2, changedFiles: ['/unseen'] }, { ...stopped, status: 'interrupted' }];
    const { failures: failed, goneOn } = await acceptEach(agent, shown.map(shownChild));
    assert.deepEqual([done, failed], [['same', 'gone'], []]);
    assert.deepEqual(goneOn.map((item) => item.kind === 'child' && item.child.agentId), ['again', 'stopped']);
  });

  it('takes the task where there is one in review, else the changes', async () => {
    await acceptEach(agent, [shownChild(inReview('a')), shownChild(child({ agentId: 'b', status: 'failed', changedFiles: ['/a'] })), { kind: 'task', task: task('c') }]);
    assert.deepEqual(done, ['a', 'changes of b', 'c']);
  });

  it('merges what was done in a worktree, and leaves the task where something is in conflict, which is told apart from failures', async () => {
    const worktree = { path: '/storage/a', base: '1a2b3c4', leavesOut: false };
    await acceptEach(agent, [shownChild(inReview('merged', { worktree }))]);
    conflicts = [{ path: '/work/a.txt', why: 'Changed.' }];
    const accepted = await acceptEach(agent, [shownChild(inReview('apart', { worktree }))]);
    assert.deepEqual(done, ['changes of merged', 'merged', 'changes of apart']);
    assert.deepEqual([accepted.failures, accepted.done], [[], [{ agentId: 'apart', report: { accepted: [], conflicts, unsaved: [] } }]]);
  });

  it('goes on after a failure and tells all of them; what somebody else accepted is done, and what still waits is not', async () => {
    failures = { a: new AppError('unavailable', 'Locked.'), moved: new AppError('conflict', 'It is completed.'), busy: new AppError('conflict', 'It is another window’s.'), c: new AppError('not_found', 'There is none.') };
    tasks = [task('moved', 'completed'), task('busy')];
    const { failures: failed } = await acceptEach(agent, [...['a', 'moved', 'busy', 'b'].map((id) => shownChild(inReview(id))), { kind: 'task', task: task('c') }]);
    assert.deepEqual(done, ['b']);
    assert.deepEqual(failed, ['Docs review: Locked.', 'Docs review: It is another window’s.', 'Do c: There is none.']);
  });
});
