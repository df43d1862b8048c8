import { Batcher } from '../base/async.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { oneLine } from '../base/text.ts';
import type { Publish } from '../domain/events.ts';
import type { TrackedTask, TrackedTaskChange, TrackedTaskStatus } from '../domain/trackedTasks.ts';
import { claimProblem } from './claim.ts';
import { waitProblem } from './dependencies.ts';
import { applyEdit, cleanSubject, type TaskEdit } from './edit.ts';
import { changedAt, taskIn, withTasks, type FindTask } from './taskList.ts';
import { createTaskStore, type TaskListChange, type TaskStore } from './taskStore.ts';
import { applyTransition } from './transitions.ts';

/** The child that works on a task. */
export interface TaskLink {
  readonly groupId: string;
  readonly agentId: string;
}

/** What a task says when it is made. */
export interface TaskDraft {
  readonly subject: string;
  readonly description: string;
  readonly owner?: string;
  /** Ids of tasks that have to be completed before it. */
  readonly blockedBy?: readonly string[];
  /** Ids of tasks that have to wait for it. */
  readonly blocks?: readonly string[];
}

/** A child's task: made new, or the one that `taskId` names. */
export interface ChildTask extends Pick<TaskDraft, 'subject' | 'description'>, TaskLink {
  readonly taskId?: string;
}

/** An edit, and then perhaps a change of the status. */
export interface TaskUpdate extends TaskEdit {
  readonly status?: TrackedTaskStatus;
  /** Why the status changes. */
  readonly reason?: string;
}

/** A change that waits to be stored, or only a look at what is, and what came of it. */
interface Operation {
  readonly change?: TaskListChange;
  result?: readonly TrackedTask[];
  failed?: { readonly error: unknown };
}

export interface TrackedTasksOptions {
  /** Absolute path of the folder of this project's list. */
  readonly dir: string;
  readonly publish: Publish;
  readonly now?: () => number;
}

/**
 * The task list of a project. Operations run in order, each on what is stored at that moment, also by other
 * processes. `task.changed` is published once a change is on disk. Where storing fails, a `problem` is published, the
 * operation rejects with `unavailable`, and the list in memory stays as it is stored.
 */
export class TrackedTasks {
  readonly #store: TaskStore;
  readonly #publish: Publish;
  readonly #now: () => number;
  /** Operations that come while others are stored share the next lock, read and write. */
  readonly #operations = new Batcher<Operation>((operations) => this.#apply(operations));
  #list: readonly TrackedTask[] = [];
  #tasks: ReadonlyMap<string, TrackedTask> = new Map();
  #loaded = false;

  constructor(options: TrackedTasksOptions) {
    this.#publish = options.publish;
    this.#now = options.now ?? Date.now;
    this.#store = createTaskStore(options.dir, (message) => this.#publish({ type: 'problem', message }));
  }

  /** Reads the stored list; later calls take in what other processes did. Rejects with `unavailable` where it can't be read, which is its caller's to tell. */
  async load(): Promise<void> {
    await this.#update();
  }

  /** The host ends: from now on others that hold the list are waited for about a second in all. */
  hurry(): void {
    this.#store.hurry();
  }

  /** Oldest first, as of the last operation. The same array until something changes. */
  list(): readonly TrackedTask[] {
    return this.#list;
  }

  get(id: string): TrackedTask | undefined {
    return this.#tasks.get(id);
  }

  /** Makes a pending task that no child works on yet, all or nothing. Rejects with `invalid_input` for an empty subject, and else as `update` does. */
  async create({ subject, description, owner = '', blockedBy = [], blocks = [] }: TaskDraft, by: TrackedTaskChange['by']): Promise<TrackedTask> {
    const task = this.#newTask({ subject: cleanSubject(subject), description, owner: oneLine(owner) }, by);
    const tasks = await this.#update((stored) => {
      const withIt = [...stored, task];
      return applyEdit(withIt, task.id, { addBlockedBy: blockedBy, addBlocks: blocks }, this.#now());
    });
    return taskIn(tasks, task.id);
  }

  /**
   * One task for each child, in that order: new ones, and those that are named, linked to their child. All or nothing.
   * Rejects with `not_found` or `conflict` as `claim` does.
   */
  async createForChildren(children: readonly ChildTask[]): Promise<readonly TrackedTask[]> {
    const linked: TrackedTask[] = [];
    await this.#update((stored) => {
      let tasks = stored;
      for (const child of children) {
        const { taskId, subject, description } = child;
        const task = this.#linked(taskId === undefined ? this.#newTask({ subject, description }, 'runtime') : taskIn(tasks, taskId), child, findIn(tasks));
        linked.push(task);
        tasks = withTasks(tasks, [task]);
      }
      return tasks;
    });
    return linked;
  }

  /** Links a child to a waiting task. Rejects with `not_found`, or `conflict` where it is finished, has a child already, or waits for other tasks. */
  claim(taskId: string, link: TaskLink): Promise<TrackedTask> {
    return this.#change(taskId, (task, find) => this.#linked(task, link, find));
  }

  /** Changes a task's status. Rejects with `not_found`, or `conflict` naming the allowed statuses. */
  transition(id: string, to: TrackedTaskStatus, by: TrackedTaskChange['by'], reason?: string): Promise<TrackedTask> {
    return this.#change(id, (task) => applyTransition(task, { to, by, at: this.#now(), ...(reason !== undefined && { reason }) }));
  }

  /**
   * Edits a task and then changes its status, all or nothing; the status that it has already is no change. `check`: called with the task as it is stored at that
   * moment; what it throws rejects. Rejects with `invalid_input` for an empty subject, `not_found` for an unknown id,
   * and `conflict` for dependencies that close a circle, for a status that can't follow, and for the start of a task
   * that waits for others.
   */
  async update(id: string, { status, reason, ...edit }: TaskUpdate, by: TrackedTaskChange['by'], check: (task: TrackedTask) => void = () => undefined): Promise<TrackedTask> {
    const tasks = await this.#update((stored) => {
      check(taskIn(stored, id));
      const edited = applyEdit(stored, id, edit, this.#now());
      const task = taskIn(edited, id);
      if (status === undefined || status === task.status) return edited;
      const after = applyTransition(task, { to: status, by, at: this.#now(), ...(reason !== undefined && { reason }) });
      const problem = status === 'in_progress' ? waitProblem(task, findIn(edited)) : undefined;
      if (problem !== undefined) throw new AppError('conflict', problem);
      return withTasks(edited, [after]);
    });
    return taskIn(tasks, id);
  }

  /** The user looked: `review` → `completed`. Rejects with `not_found`, or `conflict` in any other status. */
  accept(id: string): Promise<TrackedTask> {
    return this.transition(id, 'completed', 'user');
  }

  async #change(id: string, change: (task: TrackedTask, find: FindTask) => TrackedTask): Promise<TrackedTask> {
    const tasks = await this.#update((stored) => withTasks(stored, [change(taskIn(stored, id), findIn(stored))]));
    return taskIn(tasks, id);
  }

  /** Applies a change and resolves to the list with it. Rejects with what the change throws, or as storing fails. */
  async #update(change?: TaskListChange): Promise<readonly TrackedTask[]> {
    const operation: Operation = change ? { change } : {};
    await this.#operations.add(operation);
    if (operation.failed) throw operation.failed.error;
    return operation.result ?? this.list();
  }

  /** Each change works on what the one before it left; one that throws leaves it as it was. */
  async #apply(operations: readonly Operation[]): Promise<void> {
    const isLook = operations.every(({ change }) => change === undefined);
    try {
      this.#adopt(isLook ? await this.#store.read() : await this.#store.update((stored) => operations.reduce(applied, stored)));
    } catch (error) {
      // Whatever is in a list that could not be read at first is news once it can be.
      this.#loaded = true;
      if (!isLook && isAppError(error, 'unavailable')) this.#publish({ type: 'problem', message: error.message });
      throw error;
    }
  }

  /** Takes a stored list over and tells what is new in it, whoever changed it; the first one is nobody's news. */
  #adopt(tasks: readonly TrackedTask[]): void {
    const before = this.#tasks;
    // Every change moves the time; comparing whole tasks would cost more with each of them.
    const changed = tasks.filter(({ id, updatedAt }) => before.get(id)?.updatedAt !== updatedAt);
    const isFirst = !this.#loaded;
    this.#loaded = true;
    if (changed.length === 0 && tasks.length === before.size) return;
    this.#list = tasks;
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    if (!isFirst) for (const task of changed) this.#publish({ type: 'task.changed', task });
  }

  #newTask({ subject, description, owner = '' }: TaskDraft, by: TrackedTaskChange['by']): TrackedTask {
    const at = this.#now();
    return { id: `task-${randomId().slice(0, 10)}`, subject, description, status: 'pending', ...(owner !== '' && { owner }), createdAt: at, updatedAt: at, history: [{ to: 'pending', by, at }] };
  }

  #linked(task: TrackedTask, { groupId, agentId }: TaskLink, find: FindTask): TrackedTask {
    const problem = claimProblem(task, find);
    if (problem !== undefined) throw new AppError('conflict', problem);
    return { ...task, groupId, agentId, updatedAt: changedAt(task, this.#now()) };
  }
}

function findIn(tasks: readonly TrackedTask[]): FindTask {
  return (id) => tasks.find((task) => task.id === id);
}

function applied(tasks: readonly TrackedTask[], operation: Operation): readonly TrackedTask[] {
  try {
    return (operation.result = operation.change?.(tasks) ?? tasks);
  } catch (error) {
    operation.failed = { error };
    return tasks;
  }
}
