import { AppError } from '../base/errors.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import type { FindTask } from './taskList.ts';

/** The tasks that have to be completed before this one and aren't, in the order in which they were named. */
export function openBlockers({ blockedBy = [] }: TrackedTask, find: FindTask): readonly TrackedTask[] {
  return blockedBy.flatMap((id) => {
    const blocker = find(id);
    return blocker === undefined || blocker.status === 'completed' ? [] : [blocker];
  });
}

/** The tasks that wait for this one, or waited for it. */
export function blockedTasks(id: string, tasks: readonly TrackedTask[]): readonly TrackedTask[] {
  return tasks.filter(({ blockedBy = [] }) => blockedBy.includes(id));
}

/** Why a task can't be started yet, as a sentence; nothing where it waits for nothing. */
export function waitProblem(task: TrackedTask, find: FindTask): string | undefined {
  const blockers = openBlockers(task, find);
  if (blockers.length === 0) return undefined;
  return `Task ${task.id} waits for ${blockers.map(blockerText).join(', ')}: start it once what it waits for is completed.`;
}

/** What has ended badly is in the way until somebody does something about it. */
function blockerText({ id, status }: TrackedTask): string {
  const isStuck = status === 'failed' || status === 'cancelled';
  return `${id} (${status}${isStuck ? '; retry it, or remove the dependency' : ''})`;
}

/** Throws `conflict` naming the circle where tasks wait for each other. */
export function assertNoCircle(tasks: readonly TrackedTask[]): void {
  const circle = findCircle(tasks);
  if (circle !== undefined) throw new AppError('conflict', `These tasks would wait for each other, so none could ever start: ${circle.join(' → ')}. Leave one of these dependencies out.`);
}

/** Ids of tasks of which each waits for the next, the last being the first again; nothing where there is no such circle. Takes time in proportion to the list. */
export function findCircle(tasks: readonly TrackedTask[]): readonly string[] | undefined {
  const waitsFor = new Map(tasks.flatMap(({ id, blockedBy = [] }) => (blockedBy.length > 0 ? [[id, blockedBy] as const] : [])));
  const done = new Set<string>();
  for (const start of waitsFor.keys()) {
    // Without recursion: a chain may be as long as the list.
    const path: string[] = [];
    const onPath = new Set<string>();
    const pending: { readonly id: string; readonly depth: number }[] = [{ id: start, depth: 0 }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      while (path.length > next.depth) leave(path, onPath, done);
      if (onPath.has(next.id)) return [...path.slice(path.indexOf(next.id)), next.id];
      if (done.has(next.id)) continue;
      path.push(next.id);
      onPath.add(next.id);
      for (const id of waitsFor.get(next.id) ?? []) pending.push({ id, depth: path.length });
    }
    while (path.length > 0) leave(path, onPath, done);
  }
  return undefined;
}

function leave(path: string[], onPath: Set<string>, done: Set<string>): void {
  const id = path.pop();
  if (id === undefined) return;
  onPath.delete(id);
  done.add(id);
}

/** The list without dependencies that can't be: on tasks that aren't in it, and such that close a circle. The same array where all are well. */
export function withPossibleDependencies(tasks: readonly TrackedTask[]): readonly TrackedTask[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const isWell = tasks.every(({ blockedBy = [] }) => blockedBy.every((id) => ids.has(id)));
  let mended = isWell ? tasks : tasks.map((task) => withoutBlockers(task, (id) => !ids.has(id)));
  for (let circle = findCircle(mended); circle !== undefined; circle = findCircle(mended)) {
    const [first, second] = circle;
    mended = mended.map((task) => (task.id === first ? withoutBlockers(task, (id) => id === second) : task));
  }
  return mended;
}

function withoutBlockers(task: TrackedTask, isGone: (id: string) => boolean): TrackedTask {
  return task.blockedBy?.some(isGone) === true ? { ...task, blockedBy: task.blockedBy.filter((id) => !isGone(id)) } : task;
}
