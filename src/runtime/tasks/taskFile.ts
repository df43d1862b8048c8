import { oneLine } from '../base/text.ts';
import { TASK_STATUSES, type TrackedTask, type TrackedTaskChange, type TrackedTaskStatus } from '../domain/trackedTasks.ts';
import { withPossibleDependencies } from './dependencies.ts';

const VERSION = 1;
/** How a file begins, from which its version can be told however much of the rest is lost. */
const BEGINNING = /^\s*\{\s*"version":\s*(\d+)/;
/** Times from here on are no task's: another program wrote them, and those far ahead can't be counted on from. */
const END_OF_TIMES = Date.UTC(3000, 0);
const ID_LENGTH = 200;
const ACTORS: readonly string[] = ['runtime', 'user', 'agent'] satisfies TrackedTaskChange['by'][];

/** What a task file holds. `damaged`: some or all of it isn't readable; `tasks` is the rest. `newer`: another version's, not to be touched. */
export type TaskFile =
  | { readonly kind: 'read'; readonly tasks: readonly TrackedTask[] }
  | { readonly kind: 'damaged'; readonly tasks: readonly TrackedTask[] }
  | { readonly kind: 'newer' };

/** Reads the text of a task file. Never throws. */
export function parseTaskFile(text: string): TaskFile {
  const file = parseJson(text);
  const isWhole = isRecord(file) && typeof file['version'] === 'number' && Array.isArray(file['tasks']);
  const version = isWhole ? Number(file['version']) : Number(BEGINNING.exec(text)?.[1] ?? VERSION);
  if (version > VERSION) return { kind: 'newer' };
  const items: readonly unknown[] = isWhole ? (file['tasks'] as readonly unknown[]) : wholeLines(text);
  const known = new Set<string>();
  const tasks = items.filter(isTask).filter((task) => !known.has(task.id) && known.add(task.id));
  const mended = withPossibleDependencies(tasks);
  return { kind: isWhole && tasks.length === items.length && mended === tasks ? 'read' : 'damaged', tasks: mended };
}

/** A line for each task, so that damage costs no more than those that it is in. */
export function formatTaskFile(tasks: readonly TrackedTask[]): string {
  return `{"version":${VERSION},"tasks":[\n${tasks.map((task) => JSON.stringify(task)).join(',\n')}\n]}\n`;
}

/** What can still be read of a damaged file: the records that have a line of their own. */
function wholeLines(text: string): readonly unknown[] {
  return text.split('\n').map((line) => parseJson(line.replace(/,\s*$/, '')));
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

/** Ids stand in lines that models read, as they are: none may break one, or hide in it. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= ID_LENGTH && oneLine(value) === value;
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < END_OF_TIMES;
}

function isStatus(value: unknown): value is TrackedTaskStatus {
  return TASK_STATUSES.some((status) => status === value);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
