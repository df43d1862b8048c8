import { isAppError, type AppError } from '../base/errors.ts';
import type { ChildView } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { Checkpoints, FilePort } from '../domain/ports.ts';
import type { UndoConflict } from '../domain/reviews.ts';
import type { ChangeLog } from '../store/changeLog.ts';
import { decidedEvents, decisionOn } from './decide.ts';
import { undo } from './hunks.ts';
import { bytesOf, type ReviewedFile } from './reviewedFile.ts';

/** How often it is tried anew where somebody changes the file at that very moment. */
const TRIES = 5;

export interface TakeBackParts {
  readonly files: FilePort;
  readonly checkpoints: Checkpoints;
  readonly changes: Pick<ChangeLog, 'record' | 'stored'>;
  readonly publish: Publish;
  readonly now: () => number;
}

/** What an undo did to one file. */
export interface TakenBack {
  readonly isChanged: boolean;
  readonly isUnsaved: boolean;
  readonly conflicts: readonly UndoConflict[];
}

type Attempt = TakenBack | 'again';

/**
 * Takes the changes of these children in a file back, or those hunks of it. Nothing that anybody else wrote is touched:
 * what can't be taken back is told. Rejects with `unavailable` where the decision can't be kept; then nothing is changed.
 * @param look looks at the file as it stands
 */
export async function takeBack(own: readonly ChildView[], look: () => Promise<ReviewedFile>, hunks: readonly string[] | undefined, parts: TakeBackParts): Promise<TakenBack> {
  for (let tries = 1; ; tries++) {
    const file = await look();
    const done = await tryOnce(own, file, hunks, parts);
    if (done !== 'again') return done;
    if (tries === TRIES) return leftAlone(file.path, 'Somebody else keeps changing this file. Try again later.');
  }
}

async function tryOnce(own: readonly ChildView[], file: ReviewedFile, hunks: readonly string[] | undefined, { files, checkpoints, changes, publish, now }: TakeBackParts): Promise<Attempt> {
  const { path, present, blocks, review } = file;
  if (review.state !== 'open') return NOTHING;
  if (present.kind === 'unreadable') return leftAlone(path, present.why);
  const ids = new Set(review.hunks.map(({ id }) => id));
  if (hunks?.some((id) => !ids.has(id))) return leftAlone(path, 'This file has changed since you looked at it. Look at its changes again.');
  if (review.hunks.length === 0) return leftAlone(path, review.unknown ?? 'Nothing is left of this change.');
  const { lines, undone, conflicts } = undo(blocks, hunks);
  const told = [...new Set(conflicts.map(({ conflict = '' }) => conflict))].map((why) => ({ path, why }));
  if (undone.length === 0) return { ...NOTHING, conflicts: told };
  const put = await orWhyNot(() => bytesOf(lines, checkpoints));
  if ('failed' in put) return leftAlone(path, put.failed.message);
  const events = decidedEvents(decisionOn(file, 'undone', await checkpoints.keep(present.bytes), undone), own, file, now());
  // Kept before it happens, and once more when it has: so a crash leaves neither an undo that nobody asked for, nor one that is said to have been made and wasn't.
  for (const event of events) changes.record(event);
  for (const { agentId, decision } of events) await changes.stored(agentId, [decision.id]);
  const written = await orWhyNot(() => replace(files, path, put.value, present.bytes, modeOf(file)));
  if ('failed' in written) return written.failed.reason === 'conflict' ? 'again' : leftAlone(path, written.failed.message);
  for (const event of events) publish(event);
  return { isChanged: true, isUnsaved: present.unsaved || written.value !== undefined, conflicts: told };
}

/** What concerns one file keeps no other from being taken back. */
async function orWhyNot<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly failed: AppError }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isAppError(error)) return { failed: error };
    throw error;
  }
}

/** Resolves to a note on what was written. */
async function replace(files: FilePort, path: string, bytes: Uint8Array | undefined, expected: Uint8Array | undefined, mode: number | undefined): Promise<string | undefined> {
  if (bytes !== undefined) return (await files.write(path, bytes, { expected: { bytes: expected }, ...(expected === undefined && { replacesFolder: true, ...(mode !== undefined && { mode }) }) })).note;
  await files.remove(path, { expected: { bytes: expected } });
  return undefined;
}

/** The permission bits that the file had before the changes, where they are known: one that was private is so again. */
function modeOf({ changes }: ReviewedFile): number | undefined {
  const states = changes.flatMap(({ before, after }) => [before, after]);
  return states.flatMap((state) => (state?.kind === 'kept' && state.mode !== undefined ? [state.mode] : []))[0];
}

const NOTHING: TakenBack = { isChanged: false, isUnsaved: false, conflicts: [] };

function leftAlone(path: string, why: string): TakenBack {
  return { ...NOTHING, conflicts: [{ path, why }] };
}
