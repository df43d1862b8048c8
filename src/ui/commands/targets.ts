import { isDeepStrictEqual } from 'node:util';

/** What a command is asked to act on: rows of the tree, or the arguments of a link. */
export interface Target {
  readonly groupId?: string;
  readonly agentId?: string;
  readonly requestId?: string;
  readonly taskId?: string;
  /** A definition, used or not. */
  readonly definitionId?: string;
  /** The definition that a name means. */
  readonly agentName?: string;
  /** The file of an editor whose title was clicked, as VS Code writes its path. */
  readonly documentPath?: string;
  /** A file that a child changed. Such a row is neither the child nor its group, so it doesn't carry their ids. */
  readonly file?: ChangedFile;
}

export interface ChangedFile {
  readonly agentId: string;
  /** Absolute real path. */
  readonly path: string;
}

/**
 * The targets in a command's arguments: the row that was clicked, or a link, first; where it is among the selected
 * rows, these after it. Of a click outside of the selection that row alone is meant. Never throws.
 */
export function targetsOf(args: readonly unknown[]): readonly Target[] {
  const [first, selected] = args;
  const clicked = target(first);
  const others = Array.isArray(selected) ? selected.map(target).filter((item) => item !== undefined) : [];
  if (clicked === undefined) return others;
  const isClicked = (item: Target): boolean => isDeepStrictEqual(item, clicked);
  return others.some(isClicked) ? [clicked, ...others.filter((item) => !isClicked(item))] : [clicked];
}

/** The one that a command for a single thing acts on: the first that it can take. */
export function firstWith<K extends keyof Target>(targets: readonly Target[], key: K): Target[K] | undefined {
  return targets.find((item) => item[key] !== undefined)?.[key];
}

/** The groups that are meant themselves, each once: a child's row names its group, too, and means the child. */
export function groupsOf(targets: readonly Target[]): readonly string[] {
  return [...new Set(targets.flatMap(({ groupId, agentId }) => (groupId === undefined || agentId !== undefined ? [] : [groupId])))];
}

/** The files that are meant. */
export function filesOf(targets: readonly Target[]): readonly ChangedFile[] {
  return targets.flatMap(({ file }) => file ?? []);
}

function target(value: unknown): Target | undefined {
  const documentPath = fileUriPath(value);
  const { agent } = text(value, 'agent');
  const ids: Target = { ...(documentPath !== undefined && { documentPath }), ...(agent !== undefined && { agentName: agent }), ...text(value, 'groupId'), ...text(value, 'agentId'), ...text(value, 'requestId'), ...text(value, 'taskId'), ...text(value, 'definitionId') };
  const file = fileIn(field(value, 'file'));
  const found: Target = { ...ids, ...(file !== undefined && { file }) };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** A `Uri` makes its path when it is asked for. */
function fileUriPath(value: unknown): string | undefined {
  const path: unknown = field(value, 'scheme') === 'file' ? Reflect.get(value as object, 'fsPath') : undefined;
  return typeof path === 'string' && path !== '' ? path : undefined;
}

function fileIn(value: unknown): ChangedFile | undefined {
  const { agentId, path } = { ...text(value, 'agentId'), ...text(value, 'path') };
  return agentId === undefined || path === undefined ? undefined : { agentId, path };
}

function text<K extends string>(value: unknown, key: K): Partial<Record<K, string>> {
  const found = field(value, key);
  return typeof found === 'string' && found !== '' ? ({ [key]: found } as Record<K, string>) : {};
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
