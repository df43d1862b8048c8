import assert from 'node:assert/strict';
import type { ChildView, GroupView } from '../../../src/runtime/domain/agents.ts';
import type { TrackedTask } from '../../../src/runtime/domain/trackedTasks.ts';
import { attention } from '../../../src/ui/attention.ts';
import { stateWords } from '../../../src/ui/childWords.ts';
import { PlacedTasks } from '../../../src/ui/tasks/placedTasks.ts';
import { taskRow } from '../../../src/ui/tasks/taskItem.ts';
import { taskNodes } from '../../../src/ui/tasks/taskNodes.ts';
import { childRow } from '../../../src/ui/tree/childItem.ts';
import { shownStatus } from '../../../src/ui/waiting.ts';
import { readFileSync } from 'node:fs';
import { child, english as l10n, group } from './fakes.ts';

const inReview = (more: Partial<TrackedTask> = {}): TrackedTask => ({ id: 't', subject: 's', description: '', status: 'review', createdAt: 1, updatedAt: 1, history: [], ...more });
const linked = { agentId: 'agent-1', groupId: 'g1' };
const again = (patch: Partial<ChildView>): ChildView => child({ round: 2, taskStatus: 'review', taskId: 't', ...patch });
const agentWith = (groups: readonly GroupView[]) => ({
  child: (id: string) => groups.flatMap(({ children }) => children).find(({ agentId }) => agentId === id),
  group: (id: string) => groups.find(({ groupId }) => groupId === id),
});
/** As the badge and the Tasks view count. */
const counts = (task: TrackedTask, groups: readonly GroupView[]): readonly number[] => [attention(groups, [], [task]).reviews, taskNodes([task], 'review', (each) => shownStatus(each, agentWith(groups))).length];
/** Whether a menu of package.json offers to accept a row. */
const offersAccept = (view: string, contextValue: string): boolean => {
  const { contributes } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { contributes: { menus: Record<string, { command: string; when: string }[]> } };
  return (contributes.menus['view/item/context'] ?? []).some(({ command, when }) => command === 'subagents.accept' && when.includes(view) && new RegExp(/viewItem =~ \/(.+)\/$/.exec(when)?.[1] ?? '(?!)').test(contextValue));
};

describe('a task in review', () => {
  it('counts the same everywhere, and only where it can be accepted', () => {
    assert.deepEqual(counts(inReview(), []), [1, 1], 'nobody’s');
    assert.deepEqual(counts(inReview(linked), []), [1, 1], 'of a subagent that isn’t known any more');
    for (const status of ['completed', 'failed', 'cancelled', 'interrupted'] as const) assert.deepEqual(counts(inReview(linked), [group([again({ status })])]), [1, 1], status);
    for (const status of ['queued', 'running'] as const) assert.deepEqual(counts(inReview(linked), [group([again({ status })])]), [0, 0], status);
    assert.deepEqual(counts(inReview(linked), [group([again({ status: 'completed' })], { isElsewhere: true })]), [0, 0], 'another window’s');
  });

  it('moves in the Tasks view when its subagent is queued again', () => {
    let children = [again({ status: 'completed' })];
    const placed = new PlacedTasks([inReview(linked), inReview({ id: 'u' }), inReview({ id: 'v', status: 'in_progress' })], (task) => shownStatus(task, agentWith([group(children)])));
    children = [again({ status: 'queued' })];
    assert.deepEqual([...placed.change(inReview(linked), [])].sort(), ['status/in_progress', 'status/review']);
  });

  it('can be accepted where its subagent was interrupted in a later round, and both is said', () => {
    const interrupted = again({ status: 'interrupted' });
    assert.equal(stateWords(interrupted, l10n), 'interrupted · review');
    const { contextValue } = taskRow(inReview(linked), { tasks: [], child: interrupted, isElsewhere: false, locale: 'en', l10n });
    const row = childRow(interrupted, { name: 'A', place: 0, now: 0, isElsewhere: false, hasRefused: false, cwd: '/w', locale: 'en', l10n });
    assert.deepEqual([offersAccept('subagents.tasks', contextValue), offersAccept('subagents.groups', row.contextValue)], [true, true]);
    assert.equal(offersAccept('subagents.tasks', taskRow(inReview(linked), { tasks: [], child: again({ status: 'queued' }), isElsewhere: false, locale: 'en', l10n }).contextValue), false);
  });
});
