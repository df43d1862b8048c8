import assert from 'node:assert/strict';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { TASK_STATUSES, type TrackedTask, type TrackedTaskStatus } from '../../../src/runtime/domain/trackedTasks.ts';
import { targetsOf } from '../../../src/ui/commands/targets.ts';
import { completedText, Completions } from '../../../src/ui/tasks/completedText.ts';
import { affectedChildren, PlacedTasks } from '../../../src/ui/tasks/placedTasks.ts';
import { statusRow, taskDescription, taskRow, taskTooltip, type TaskContext } from '../../../src/ui/tasks/taskItem.ts';
import { isOver, nodeId, statusNodes, taskNodes } from '../../../src/ui/tasks/taskNodes.ts';
import { child, english as l10n } from './fakes.ts';

const task = (id: string, status: TrackedTaskStatus = 'pending', more: Partial<TrackedTask> = {}): TrackedTask => ({
  id, subject: `Do ${id}`, description: '', status, createdAt: 1, updatedAt: 1, history: [{ to: status, by: 'runtime', at: 1 }], ...more,
});
const own = ({ status }: TrackedTask): TrackedTaskStatus => status;
const linked = { groupId: 'g1', agentId: 'agent-1' };
const context = (more: Partial<TaskContext> = {}): TaskContext => ({ tasks: [], child: undefined, isElsewhere: false, locale: 'en', l10n, ...more });
const lines = (of: TrackedTask, more: Partial<TaskContext> = {}): Readonly<Record<string, string>> => Object.fromEntries(taskTooltip(of, context(more)).map(({ name, value }) => [name, value]));

describe('the rows of the Tasks view', () => {
  const tasks = [task('a', 'completed'), task('b'), task('c', 'review', linked), task('d', 'completed'), task('e')];

  it('are the statuses that tasks are in, review first, each with its tasks', () => {
    assert.deepEqual(statusNodes(tasks, own).map(nodeId), ['status/review', 'status/pending', 'status/completed']);
    assert.deepEqual(taskNodes(tasks, 'pending', own).map(nodeId), ['task/pending/b', 'task/pending/e']);
    assert.deepEqual(taskNodes(tasks, 'completed', own).map(nodeId), ['task/completed/d', 'task/completed/a']);
    assert.deepEqual(TASK_STATUSES.filter(isOver), ['failed', 'cancelled', 'completed']);
    assert.deepEqual(statusNodes([], own), []);
  });

  it('are targets of commands: a subagent, its group and the task, or the task alone', () => {
    const [row] = taskNodes(tasks, 'review', own);
    assert.deepEqual(targetsOf([row]), [{ ...linked, taskId: 'c' }]);
    assert.deepEqual(targetsOf([row, [row, ...statusNodes(tasks, own), ...taskNodes(tasks, 'pending', own)]]), [{ ...linked, taskId: 'c' }, { taskId: 'b' }, { taskId: 'e' }]);
  });

  it('each have words and an icon of their own as a status', () => {
    const rows = TASK_STATUSES.map((status) => statusRow(status, 2, l10n));
    assert.equal(new Set(rows.map(({ label }) => label)).size, rows.length);
    assert.equal(new Set(rows.map(({ icon }) => icon.id)).size, rows.length);
    assert.deepEqual([rows[0]?.label, rows[0]?.description, rows[0]?.spoken, rows[0]?.contextValue], ['In review', '2', 'In review, 2', 'status+review']);
  });

  it('say of a task what its status leaves open', () => {
    const row = (of: TrackedTask, more: Partial<TaskContext> = {}): readonly string[] => {
      const { description, contextValue } = taskRow(of, context(more));
      return [description, contextValue];
    };
    const busy = (patch: Parameters<typeof child>[0]): Partial<TaskContext> => ({ child: child(patch) });
    const retry = { attempt: 2, until: 1, failure: 'overloaded', message: 'm' } as const;
    const failed = task('f', 'failed', { ...linked, history: [{ to: 'failed', by: 'runtime', at: 1, reason: 'It reached\n9 turns.' }] });
    assert.deepEqual(row(task('a', 'pending', linked), busy({ status: 'queued' })), ['queued · general-purpose', 'task+pending+child-queued']);
    assert.deepEqual(row(task('a', 'in_progress', linked), busy({ status: 'running' })), ['general-purpose', 'task+in_progress+child-running']);
    assert.deepEqual(row(task('a', 'in_progress', linked), busy({ approvals: ['r'] })), ['waiting for approval · general-purpose', 'task+in_progress+child-running']);
    assert.deepEqual(row(task('a', 'in_progress', linked), busy({ approvals: ['q'], questions: ['q'] })), ['waiting for an answer · general-purpose', 'task+in_progress+child-running']);
    assert.deepEqual(row(task('a', 'in_progress', linked), busy({ retry })), ['retrying · general-purpose', 'task+in_progress+child-running']);
    assert.deepEqual(row(task('a', 'in_progress', linked), busy({ status: 'interrupted' })), ['interrupted · general-purpose', 'task+in_progress+child-interrupted']);
    assert.deepEqual(row(task('a', 'review', linked), busy({ status: 'completed', changedFiles: ['x', 'y'], round: 2 })), ['2 files · round 2 · general-purpose', 'task+review+child-completed+changes']);
    assert.deepEqual(row(failed, busy({ status: 'failed' })), ['It reached 9 turns. · general-purpose', 'task+failed+child-failed']);
    assert.deepEqual(row(failed, busy({ status: 'queued', round: 2 })), ['queued · It reached 9 turns. · round 2 · general-purpose', 'task+failed+child-queued']);
    assert.deepEqual(row(failed), ['It reached 9 turns.', 'task+failed+lost']);
    assert.deepEqual(row(task('a', 'in_progress', { owner: 'me' })), ['me', 'task+in_progress+own']);
    assert.deepEqual(row(task('a', 'in_progress', linked), { ...busy({ status: 'running' }), isElsewhere: true }), ['in another window · general-purpose', 'taskElsewhere+in_progress+child-running']);
  });

  it('say for what a task waits, until that is completed', () => {
    const all = [task('a', 'failed'), task('b', 'completed'), task('c'), task('d', 'pending', { blockedBy: ['b', 'a', 'c'] })];
    const [first, , third, waiting] = all;
    assert.ok(first && third && waiting);
    assert.equal(taskDescription(waiting, context({ tasks: all })), 'waits for “Do a” and 1 more');
    assert.equal(taskDescription(waiting, context({ tasks: [third, waiting] })), 'waits for “Do c”');
    assert.equal(taskDescription(waiting, context({ tasks: [waiting] })), '');
    assert.equal(taskDescription({ ...waiting, status: 'in_progress' }, context({ tasks: all })), '');
    assert.equal(lines(waiting, { tasks: all })['Depends on'], 'Do b (completed), Do a (failed), Do c (pending)');
    assert.equal(lines(first, { tasks: all })['Needed by'], 'Do d (pending)');
  });

  it('have one label in sight, and in the tooltip all the rest, as mere text', () => {
    const long = task('a', 'review', { ...linked, subject: `Read\nthe ${'x'.repeat(90)}`, description: 'First\nthen', owner: 'Ada', history: [{ to: 'pending', by: 'agent', at: 0 }, { to: 'in_progress', by: 'runtime', at: 1000 }, { to: 'review', by: 'user', at: 90_061_000, reason: 'not\nyet' }] });
    const row = taskRow(long, context({ child: child({ status: 'completed' }) }));
    assert.ok(row.label.startsWith('Read the xxx') && row.label.length <= 48);
    assert.match(row.spoken, /^Read the x+…, In review, general-purpose$/);
    const tooltip = lines(long, { child: child({ status: 'completed' }) });
    assert.deepEqual([tooltip['Status'], tooltip['Owner'], tooltip['Subagent'], tooltip['Description']], ['review · general-purpose', 'Ada', 'Docs review · general-purpose', 'First then']);
    const told = taskTooltip(long, context()).slice(-3);
    assert.deepEqual(told.map(({ value }) => value), ['pending · by the chat', 'in progress', 'review · by you · not yet']);
    assert.equal(new Set(told.map(({ name }) => name)).size, 3);
    const many = task('b', 'pending', { history: Array.from({ length: 50 }, (_, at) => ({ to: 'pending' as const, by: 'runtime' as const, at: at * 1000 })) });
    assert.ok(taskTooltip(many, context()).length < 12);
  });
});

describe('what is drawn anew in the Tasks view', () => {
  const all = [task('a'), task('b'), task('w', 'pending', { blockedBy: ['a'] }), task('d', 'completed')];
  const change = (changed: TrackedTask, placed = new PlacedTasks(all, own)): readonly (string | undefined)[] => [...placed.change(changed, all.map((each) => (each.id === changed.id ? changed : each)))].sort();

  it('is the one row of a task that stays in its place', () => {
    assert.deepEqual(change(task('b', 'pending', { subject: 'new' })), ['task/pending/b']);
  });

  it('is also what waits for it, which names it', () => {
    assert.deepEqual(change(task('a', 'pending', { subject: 'new' })), ['task/pending/a', 'task/pending/w']);
    assert.deepEqual(change(task('a', 'completed')), ['status/completed', 'status/pending', 'task/pending/w']);
  });

  it('is two statuses where it moves, and one where it is new or gets a subagent', () => {
    assert.deepEqual(change(task('b', 'completed')), ['status/completed', 'status/pending']);
    assert.deepEqual(change(task('n')), ['status/pending']);
    assert.deepEqual(change(task('b', 'pending', linked)), ['status/pending']);
  });

  it('is the whole list only where a status comes or goes', () => {
    assert.deepEqual(change(task('b', 'review')), [undefined]);
    assert.deepEqual(change(task('d', 'pending')), [undefined]);
    const placed = new PlacedTasks(all, own);
    change(task('b', 'review'), placed);
    assert.deepEqual(change(task('a', 'review'), placed), ['status/pending', 'status/review', 'task/pending/w']);
  });

  it('is the whole list once some of it is gone', () => {
    const placed = new PlacedTasks(all, own);
    assert.equal(placed.holdsMoreThan(all), false);
    assert.equal(placed.holdsMoreThan(all.slice(1)), true);
  });

  it('is the row of a task whose subagent shows something else, where it stands by now', () => {
    const placed = new PlacedTasks(all, own);
    const [first] = all;
    assert.ok(first);
    assert.deepEqual([...placed.change(first, all)], [`task/${first.status}/${first.id}`, 'task/pending/w'], 'with what waits for it');
    const agent = { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'x', displayName: 'X' } as const;
    assert.deepEqual(affectedChildren({ type: 'child.started', sessionId: 's', groupId: 'g', agentId: 'x', at: 1 }), { agentId: 'x' });
    assert.deepEqual(affectedChildren({ type: 'files.changed', agent, callId: 'c', changes: [], at: 1 }), { agentId: 'x' });
    assert.deepEqual(affectedChildren({ type: 'group.refreshed', sessionId: 's', groupId: 'g', at: 1 }), { groupId: 'g' });
    const quiet: readonly RuntimeEvent[] = [{ type: 'text.delta', agent, text: 't', at: 1 }, { type: 'tool.called', agent, callId: 'c', tool: 'Read', activity: 'r', paths: [], at: 1 }, { type: 'problem', message: 'm', at: 1 }];
    for (const event of quiet) assert.equal(affectedChildren(event), undefined);
  });
});

describe('what was completed', () => {
  it('is news once, and only where it was something else before', () => {
    const completions = new Completions([task('a', 'review'), task('old', 'completed')]);
    const told = [task('a', 'review'), task('a', 'completed'), task('a', 'completed', { subject: 'new' }), task('old', 'completed'), task('theirs', 'completed'), task('b'), task('b', 'completed')].map((each) => completions.isCompletedBy(each));
    assert.deepEqual(told, [false, true, false, false, false, false, true]);
  });

  it('is one line for the status bar, in which a subject makes no icon', () => {
    assert.equal(completedText(['Audit'], l10n), '$(pass) Completed: Audit');
    assert.equal(completedText(['Audit', 'b', 'c'], l10n), '$(pass) Completed: Audit and 2 more');
    const text = completedText([`$(trash)\n${'x'.repeat(90)}`], l10n);
    assert.ok(!text.slice(2).includes('$(') && !text.includes('\n') && text.length < 70);
  });
});
