import type { FileReview } from '../../../runtime/domain/reviews.ts';

/** Whose changes are meant: one child's, or those of the children in a group's row together. */
export type ChangeScope = { readonly kind: 'child'; readonly agentId: string } | { readonly kind: 'group'; readonly groupId: string };

/** A side of a diff: what stood there before, what was made of it, or nothing, where no file is. */
export type ChangeSide = 'before' | 'after' | 'none';

/** One side of the diff of one file. */
export interface ChangeKey {
  readonly scope: ChangeScope;
  readonly side: ChangeSide;
  /** Absolute real path. */
  readonly path: string;
  /** A sentence about the content stands in its place: what is no text would be shown as garbage. */
  readonly isNote: boolean;
}

/** The query of a side's address. Its path is the file's own, so that editors show the name, and see no renaming between both sides. */
export function changeQuery({ scope, side, path, isNote }: ChangeKey): string {
  const query = new URLSearchParams({ [scope.kind]: scope.kind === 'child' ? scope.agentId : scope.groupId, side, path });
  if (isNote) query.set('note', '1');
  return query.toString();
}

/** The key in a side's address, or nothing for a query that isn't one of ours. */
export function changeKey(query: string): ChangeKey | undefined {
  const fields = new URLSearchParams(query);
  const [scope, side, path] = [scopeIn(fields), fields.get('side'), fields.get('path')];
  if (scope === undefined || path === null || (side !== 'before' && side !== 'after' && side !== 'none')) return undefined;
  return { scope, side, path, isNote: fields.has('note') };
}

/** What a row of a file is marked with. */
export interface RowMark {
  readonly kind: FileReview['kind'];
  /** Nothing is left to decide. */
  readonly isDone: boolean;
  /** What is left doesn't go into the workspace's file. */
  readonly isInConflict?: true;
}

/** The query in the address of a file's row, which is no document: it gives the row its icon, and nobody else's decorations. */
export function rowQuery(agentId: string, { kind, isDone, isInConflict }: RowMark): string {
  return new URLSearchParams({ row: agentId, kind, ...(isDone && { done: '1' }), ...(isInConflict && { conflict: '1' }) }).toString();
}

export function rowMark(query: string): RowMark | undefined {
  const fields = new URLSearchParams(query);
  const kind = fields.get('kind');
  if (!fields.has('row') || (kind !== 'created' && kind !== 'edited' && kind !== 'deleted')) return undefined;
  return { kind, isDone: fields.has('done'), ...(fields.has('conflict') && { isInConflict: true }) };
}

function scopeIn(fields: URLSearchParams): ChangeScope | undefined {
  const [agentId, groupId] = [fields.get('child'), fields.get('group')];
  if (agentId !== null && agentId !== '') return { kind: 'child', agentId };
  return groupId === null || groupId === '' ? undefined : { kind: 'group', groupId };
}
