import type { TrackedTask } from '../domain/trackedTasks.ts';
import { SharedList, type ListChange } from '../store/sharedList.ts';
import { formatTaskFile, parseTaskFile } from './taskFile.ts';

/** What a change makes of the tasks; the same array means that there is nothing to write. */
export type TaskListChange = ListChange<TrackedTask>;

/** A task list in `<dir>/tasks.json`, shared by any number of processes. */
export type TaskStore = SharedList<TrackedTask>;

/** `dir` is absolute and made when needed. `report` hears of a damaged file that was set aside. */
export function createTaskStore(dir: string, report: (message: string) => void): TaskStore {
  return new SharedList({ dir, name: 'tasks', words: { list: 'task list', items: 'tasks' }, parse: parseTaskFile, format: formatTaskFile, report });
}
