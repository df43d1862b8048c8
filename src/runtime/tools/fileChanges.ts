import type { FileChange, FileState } from '../domain/tools.ts';

const KINDS: readonly FileChange['kind'][] = ['created', 'edited', 'deleted'];

/** The changes of files in what a tool tells, as far as they can be read: they are stored, and tools come from many hands. */
export function fileChanges(value: unknown): readonly FileChange[] {
  return Array.isArray(value) ? value.flatMap((each: unknown) => fileChange(each) ?? []) : [];
}

function fileChange(value: unknown): FileChange | undefined {
  if (!isRecord(value)) return undefined;
  // Whose work it may be, a tool can't know: `oneOf` is the watch's alone.
  const { path, unsure } = value;
  const kind = KINDS.find((each) => each === value['kind']);
  if (typeof path !== 'string' || kind === undefined) return undefined;
  const [before, after] = [fileState(value['before']), fileState(value['after'])];
  return { path, kind, ...(before && { before }), ...(after && { after }), ...(typeof unsure === 'string' && { unsure }) };
}

function fileState(value: unknown): FileState | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, hash, why } = value;
  if (kind === 'kept' && typeof hash === 'string') return { kind, hash };
  if (kind === 'unknown' && typeof why === 'string') return { kind, why };
  return kind === 'absent' ? { kind } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
