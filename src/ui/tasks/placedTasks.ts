import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { TrackedTask, TrackedTaskStatus } from '../../runtime/domain/trackedTasks.ts';
import { blockedTasks } from '../../runtime/tasks/dependencies.ts';
import { statusId, taskId } from './taskNodes.ts';

/** Ids of rows to draw anew; `undefined` stands for the whole list. */
export type StaleRows = ReadonlySet<string | undefined>;

/** Where the rows of tasks stand, so that a change is known to draw one row anew, or to move it. */
export class PlacedTasks {
  #places = new Map<string, { readonly status: TrackedTaskStatus; readonly agentId: string | undefined }>();

  constructor(tasks: readonly TrackedTask[]) {
    for (const task of tasks) this.#place(task);
  }

  /** Whether tasks that stand here are gone: no event tells of those, which only damage takes away. `tasks`: all that there are now. */
  holdsMoreThan(tasks: readonly TrackedTask[]): boolean {
    return this.#places.size > tasks.length;
  }

  /** Takes a changed task in. `tasks`: all that there are now. */
  change(task: TrackedTask, tasks: readonly TrackedTask[]): StaleRows {
    const before = this.#places.get(task.id);
    const shown = new Set([...this.#places.values()].map(({ status }) => status));
    this.#place(task);
    const present = new Set([...this.#places.values()].map(({ status }) => status));
    // Only the top can give or take away a status.
    if (shown.size !== present.size || [...present].some((status) => !shown.has(status))) return new Set([undefined]);
    const isInPlace = before?.status === task.status && before.agentId === task.agentId;
    const rows = isInPlace ? [taskId(task.status, task.id)] : [statusId(task.status), ...(before ? [statusId(before.status)] : [])];
    // Those that wait for it name it.
    const waiting = blockedTasks(task.id, tasks).filter(({ status }) => status === 'pending').map(({ id, status }) => taskId(status, id));
    return new Set([...rows, ...waiting]);
  }

  /** The row of a task that is as it was, where what it shows of its subagent has changed. */
  row(id: string): StaleRows {
    const place = this.#places.get(id);
    return new Set(place ? [taskId(place.status, id)] : []);
  }

  #place({ id, status, agentId }: TrackedTask): void {
    this.#places.set(id, { status, agentId });
  }
}

/** The subagents of which an event changes what a task's row shows; those of a whole group by its id. Nothing for what no row shows. */
export function affectedChildren(event: RuntimeEvent): { readonly agentId: string } | { readonly groupId: string } | undefined {
  switch (event.type) {
    case 'child.queued':
    case 'child.started':
    case 'child.settled':
    case 'child.interrupted':
      return { agentId: event.agentId };
    case 'group.accepted':
      return { groupId: event.group.groupId };
    case 'group.refreshed':
      return { groupId: event.groupId };
    case 'retry.scheduled':
    case 'files.changed':
      return event.agent.kind === 'child' ? { agentId: event.agent.agentId } : undefined;
    case 'approval.wanted':
    case 'approval.decided':
    case 'approval.withdrawn':
      return event.request.agent.kind === 'child' ? { agentId: event.request.agent.agentId } : undefined;
    default:
      return undefined;
  }
}
