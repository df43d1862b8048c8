import { Batcher } from '../base/async.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { Publish } from '../domain/events.ts';
import type { TrackedTask, TrackedTaskChange, TrackedTaskStatus } from '../domain/trackedTasks.ts';
import { TaskStore, type TaskListChange } from './taskStore.ts';
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
}

/** A child's task: made new, or the one that `taskId` names. */
export interface ChildTask extends TaskDraft, TaskLink {
  readonly taskId?: string;
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
  #tasks: ReadonlyMap<string, TrackedTask> = new Map();
  #loaded = false;

  constructor(options: TrackedTasksOptions) {
    this.#publish = options.publish;
    this.#now = options.now ?? Date.now;
    this.#store = new TaskStore(options.dir, (message) => this.#publish({ type: 'problem', message }));
  }

  /** Reads the stored list; later calls take in what other processes did. Rejects with `unavailable` where it can't be read, which is its caller's to tell. */
  async load(): Promise<void> {
    await this.#update();
  }

  /** The host ends: from now on others that hold the list are waited for about a second in all. */
  hurry(): void {
    this.#store.hurry();
  }

  /** Oldest first, as of the last operation. */
  list(): readonly TrackedTask[] {
    return [...this.#tasks.values()];
  }

  get(id: string): TrackedTask | undefined {
    return this.#tasks.get(id);
  }

  /** Makes a pending task that no child works on yet. */
  async create(draft: TaskDraft, by: TrackedTaskChange['by']): Promise<TrackedTask> {
    const task = this.#newTask(draft, by);
    await this.#update((tasks) => [...tasks, task]);
    return task;
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
        const task = this.#linked(child.taskId === undefined ? this.#newTask(child, 'runtime') : find(tasks, child.taskId), child);
        linked.push(task);
        tasks = merge(tasks, [task]);
      }
      return tasks;
    });
    return linked;
  }

  /** Links a child to a waiting task. Rejects with `not_found`, or `conflict` where it is finished or has a child already. */
  claim(taskId: string, link: TaskLink): Promise<TrackedTask> {
    return this.#change(taskId, (task) => this.#linked(task, link));
  }

  /** Changes a task's status. Rejects with `not_found`, or `conflict` naming the allowed statuses. */
  transition(id: string, to: TrackedTaskStatus, by: TrackedTaskChange['by'], reason?: string): Promise<TrackedTask> {
    return this.#change(id, (task) => applyTransition(task, { to, by, at: this.#now(), ...(reason !== undefined && { reason }) }));
  }

  /** The user looked: `review` → `completed`. Rejects with `not_found`, or `conflict` in any other status. */
  accept(id: string): Promise<TrackedTask> {
    return this.transition(id, 'completed', 'user');
  }

  async #change(id: string, change: (task: TrackedTask) => TrackedTask): Promise<TrackedTask> {
    let changed: TrackedTask | undefined;
    const tasks = await this.#update((stored) => {
      changed = change(find(stored, id));
      return merge(stored, [changed]);
    });
    return changed ?? find(tasks, id);
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
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    const news = this.#loaded ? tasks.filter((task) => !isSame(before.get(task.id), task)) : [];
    this.#loaded = true;
    for (const task of news) this.#publish({ type: 'task.changed', task });
  }

  #newTask({ subject, description }: TaskDraft, by: TrackedTaskChange['by']): TrackedTask {
    const at = this.#now();
    return { id: `task-${randomId().slice(0, 10)}`, subject, description, status: 'pending', createdAt: at, updatedAt: at, history: [{ to: 'pending', by, at }] };
  }

  #linked(task: TrackedTask, { groupId, agentId }: TaskLink): TrackedTask {
    const problem = claimProblem(task);
    if (problem !== undefined) throw new AppError('conflict', problem);
    return { ...task, groupId, agentId, updatedAt: this.#now() };
  }
}

/** Why no child can take this task, as a sentence; nothing when one can. */
export function claimProblem(task: TrackedTask): string | undefined {
  switch (task.status) {
    case 'completed':
    case 'failed':
    case 'cancelled':
      return `Task ${task.id} is finished (${task.status}). Leave task_id out to start a new task.`;
    case 'in_progress':
    case 'review':
      return `Task ${task.id} is already being worked on (${task.status}).`;
    case 'pending':
      return task.agentId === undefined ? undefined : `Task ${task.id} is already being worked on (queued as ${task.agentId}).`;
  }
}

function find(tasks: readonly TrackedTask[], id: string): TrackedTask {
  const task = tasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new AppError('not_found', `There is no task ${id}.`);
  return task;
}

function merge(tasks: readonly TrackedTask[], changed: readonly TrackedTask[]): readonly TrackedTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const task of changed) byId.set(task.id, task);
  return [...byId.values()];
}

/** Every change moves the time or adds to the history; comparing whole lists would cost more with each task. */
function isSame(a: TrackedTask | undefined, b: TrackedTask): boolean {
  return a !== undefined && a.updatedAt === b.updatedAt && a.history.length === b.history.length && a.status === b.status && a.agentId === b.agentId;
}

function applied(tasks: readonly TrackedTask[], operation: Operation): readonly TrackedTask[] {
  try {
    return (operation.result = operation.change?.(tasks) ?? tasks);
  } catch (error) {
    operation.failed = { error };
    return tasks;
  }
}
