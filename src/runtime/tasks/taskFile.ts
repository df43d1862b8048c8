import type { TrackedTask, TrackedTaskChange, TrackedTaskStatus } from '../domain/trackedTasks.ts';

const VERSION = 1;
const STATUSES: readonly string[] = ['pending', 'in_progress', 'review', 'completed', 'failed', 'cancelled'] satisfies TrackedTaskStatus[];
const ACTORS: readonly string[] = ['runtime', 'user', 'agent'] satisfies TrackedTaskChange['by'][];

/** What a task file holds. `damaged`: some or all of it isn't readable; `tasks` is the rest. `newer`: another version's, not to be touched. */
export type TaskFile =
  | { readonly kind: 'read'; readonly tasks: readonly TrackedTask[] }
  | { readonly kind: 'damaged'; readonly tasks: readonly TrackedTask[] }
  | { readonly kind: 'newer' };

/** Reads the text of a task file. Never throws. */
export function parseTaskFile(text: string): TaskFile {
  const file = parseJson(text);
  if (!isRecord(file) || typeof file['version'] !== 'number' || !Array.isArray(file['tasks'])) return { kind: 'damaged', tasks: [] };
  if (file['version'] > VERSION) return { kind: 'newer' };
  const items: readonly unknown[] = file['tasks'];
  const known = new Set<string>();
  const tasks = items.filter(isTask).filter((task) => !known.has(task.id) && known.add(task.id));
  return { kind: tasks.length === items.length ? 'read' : 'damaged', tasks };
}

export function formatTaskFile(tasks: readonly TrackedTask[]): string {
  return `${JSON.stringify({ version: VERSION, tasks }, undefined, 1)}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTask(value: unknown): value is TrackedTask {
  if (!isRecord(value)) return false;
  return (
    [value['id'], value['subject'], value['description']].every((field) => typeof field === 'string') &&
    [value['groupId'], value['agentId']].every(isOptionalText) &&
    [value['createdAt'], value['updatedAt']].every((field) => typeof field === 'number') &&
    isStatus(value['status']) &&
    Array.isArray(value['history']) &&
    value['history'].every(isChange)
  );
}

function isChange(value: unknown): value is TrackedTaskChange {
  if (!isRecord(value)) return false;
  return (
    (value['from'] === undefined || isStatus(value['from'])) &&
    isStatus(value['to']) &&
    typeof value['by'] === 'string' &&
    ACTORS.includes(value['by']) &&
    typeof value['at'] === 'number' &&
    isOptionalText(value['reason'])
  );
}

function isStatus(value: unknown): value is TrackedTaskStatus {
  return typeof value === 'string' && STATUSES.includes(value);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
