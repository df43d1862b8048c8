import { TASK_STATUSES, type TrackedTask, type TrackedTaskChange, type TrackedTaskStatus } from '../domain/trackedTasks.ts';
import { isId, isTime, ListFormat } from '../store/listFormat.ts';
import { isRecord } from '../store/shapes.ts';
import type { ListFile } from '../store/sharedList.ts';
import { withPossibleDependencies } from './dependencies.ts';

const ACTORS: readonly string[] = ['runtime', 'user', 'agent'] satisfies TrackedTaskChange['by'][];

const FORMAT = new ListFormat('tasks', isTask);

/** Reads the text of a task file. Never throws. */
export function parseTaskFile(text: string): ListFile<TrackedTask> {
  const file = FORMAT.parse(text);
  if (file.kind === 'newer') return file;
  const mended = withPossibleDependencies(file.items);
  return { kind: mended === file.items ? file.kind : 'damaged', items: mended };
}

export function formatTaskFile(tasks: readonly TrackedTask[]): string {
  return FORMAT.format(tasks);
}

function isTask(value: unknown): value is TrackedTask {
  if (!isRecord(value)) return false;
  return (
    isId(value['id']) &&
    [value['subject'], value['description']].every((field) => typeof field === 'string') &&
    [value['groupId'], value['agentId']].every((field) => field === undefined || isId(field)) &&
    isOptionalText(value['owner']) &&
    (value['blockedBy'] === undefined || (Array.isArray(value['blockedBy']) && value['blockedBy'].every((id) => typeof id === 'string'))) &&
    [value['createdAt'], value['updatedAt']].every(isTime) &&
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
    isTime(value['at']) &&
    isOptionalText(value['reason'])
  );
}

function isStatus(value: unknown): value is TrackedTaskStatus {
  return TASK_STATUSES.some((status) => status === value);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
