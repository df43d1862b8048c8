import { AppError } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { TrackedTask } from '../domain/trackedTasks.ts';
import { assertNoCircle } from './dependencies.ts';
import { changedAt, taskIn, withTasks } from './taskList.ts';

/** What is to change in a task; what is left out stays. Ids are those of other tasks. */
export interface TaskEdit {
  readonly subject?: string;
  readonly description?: string;
  /** Empty: nobody. */
  readonly owner?: string;
  readonly addBlockedBy?: readonly string[];
  readonly removeBlockedBy?: readonly string[];
  readonly addBlocks?: readonly string[];
  readonly removeBlocks?: readonly string[];
}

/**
 * The list after an edit, all of it or nothing; the same array where nothing changes. Throws `invalid_input` for an
 * empty subject, `not_found` for an unknown id, `conflict` naming the circle that its dependencies would close, or the
 * subagent of a task that can wait for nothing any more.
 */
export function applyEdit(tasks: readonly TrackedTask[], id: string, edit: TaskEdit, now: number): readonly TrackedTask[] {
  const { addBlockedBy = [], removeBlockedBy = [], addBlocks = [], removeBlocks = [] } = edit;
  const task = taskIn(tasks, id);
  for (const other of [...addBlockedBy, ...removeBlockedBy, ...addBlocks, ...removeBlocks]) taskIn(tasks, other);
  // A dependency on itself passes both ways, and is a circle of one.
  const edited = withBlockers(withText(task, edit), [...addBlockedBy, ...(addBlocks.includes(id) ? [id] : [])], removeBlockedBy);
  const others = [...new Set([...addBlocks, ...removeBlocks])].filter((other) => other !== id).map((other) => taskIn(tasks, other));
  const blocked = others.map((other) => withBlockers(other, addBlocks.includes(other.id) ? [id] : [], removeBlocks.includes(other.id) ? [id] : []));
  const before = [task, ...others];
  const changed = [edited, ...blocked].filter((one, index) => one !== before[index]).map((one) => ({ ...one, updatedAt: changedAt(one, now) }));
  const after = withTasks(tasks, changed);
  if (addBlockedBy.length + addBlocks.length > 0) assertNoCircle(after);
  return after;
}

/** A subject as it is shown: one line. Throws `invalid_input` where nothing of it can be seen. */
export function cleanSubject(subject: string): string {
  const clean = oneLine(subject);
  if (clean === '') throw new AppError('invalid_input', 'The subject is empty. Say in a few words what is to be done.');
  return clean;
}

function withText(task: TrackedTask, edit: TaskEdit): TrackedTask {
  const { owner: before, ...rest } = task;
  const subject = edit.subject === undefined ? task.subject : cleanSubject(edit.subject);
  const description = edit.description ?? task.description;
  const owner = edit.owner === undefined ? before : oneLine(edit.owner) || undefined;
  if (subject === task.subject && description === task.description && owner === before) return task;
  return { ...rest, subject, description, ...(owner !== undefined && { owner }) };
}

/** What is both added and removed is removed. Throws `conflict` where a task that has a subagent would get a blocker: that is queued already, and waits for nobody but its turn. */
function withBlockers(task: TrackedTask, added: readonly string[], removed: readonly string[]): TrackedTask {
  const before = task.blockedBy ?? [];
  const after = [...new Set([...before, ...added])].filter((id) => !removed.includes(id));
  const blocker = after.find((id) => !before.includes(id));
  if (blocker !== undefined && task.agentId !== undefined) throw new AppError('conflict', `Task ${task.id} was handed to subagent ${task.agentId} already and can't be made to wait for ${blocker} any more. Leave this dependency out.`);
  return after.length === before.length && after.every((id, index) => id === before[index]) ? task : { ...task, blockedBy: after };
}
