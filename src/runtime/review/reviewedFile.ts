import { AppError } from '../base/errors.ts';
import type { Checkpoints, FilePort } from '../domain/ports.ts';
import type { FileDiff, FileReview, FileReviewState, ReviewDecision } from '../domain/reviews.ts';
import type { FileChange, FileState } from '../domain/tools.ts';
import type { ChangeEvent } from '../store/changeLog.ts';
import type { Block } from './blocks.ts';
import { fileOf, type FileLines } from './fileLines.ts';
import { hunksOf, withoutOwn } from './hunks.ts';
import { isFolder, lookAt, type Present } from './present.ts';
import { changesOf, type Records } from './records.ts';
import { replayFile, type FileReplay } from './replayFile.ts';

export interface ReviewedFiles {
  readonly files: FilePort;
  readonly checkpoints: Pick<Checkpoints, 'read'>;
}

/** A file that children changed, as it stands, with what is theirs in it. */
export interface ReviewedFile {
  readonly path: string;
  readonly present: Present;
  readonly blocks: readonly Block[];
  readonly review: FileReview;
  /** The own changes, oldest first. */
  readonly changes: readonly FileChange[];
  /** Of the own children, those who changed it. */
  readonly authors: readonly string[];
}

/** Looks at a file of the records. Never rejects but for defects. */
export async function reviewFile(path: string, records: Records, { files, checkpoints }: ReviewedFiles): Promise<ReviewedFile> {
  const changes = ownChanges(records, path);
  const present = await presentAt(path, records, changes, files);
  const ownIds = new Set(records.own.map(({ agentId }) => agentId));
  const isOwn = (agentId: string): boolean => ownIds.has(agentId);
  const replayed = await replayFile(path, { logs: [...records.logs.values()], attempts: records.attempts }, present, isOwn, (hash) => checkpoints.read(hash));
  const { blocks, added, removed, isBinary } = replayed;
  const authors = records.own.filter(({ agentId, changedFiles }) => changedFiles.includes(path) || changesOf(records.logs.get(agentId) ?? [], path).length > 0).map(({ agentId }) => agentId);
  const isAllDecided = authors.every((agentId) => decidedAll('accepted', records.logs.get(agentId) ?? [], path, records.damaged.get(agentId)));
  const isDamaged = authors.some((agentId) => records.damaged.has(agentId));
  const hunks = present.kind === 'unreadable' || isAllDecided || isDamaged ? [] : hunksOf(blocks);
  const unknown = present.kind === 'unreadable' ? present.why : unknownOf(authors, replayed.unknown, records, path);
  const isOpen = hunks.length > 0 || (unknown !== undefined && !isAllDecided);
  return {
    path,
    present,
    blocks,
    changes,
    authors,
    review: {
      path,
      kind: kindOf(changes),
      state: isOpen ? 'open' : decidedState(path, records, replayed),
      added,
      removed,
      isBinary,
      hunks,
      sharedWith: [...records.logs].filter(([agentId, events]) => !ownIds.has(agentId) && changesOf(events, path).length > 0).map(([agentId]) => agentId),
      ...(unknown !== undefined && { unknown }),
    },
  };
}

/** What stands there now. A folder in the place of a file that a child removed, or that was undone since a child had made it, is no file there. */
async function presentAt(path: string, { own, logs }: Records, changes: readonly FileChange[], files: FilePort): Promise<Present> {
  const present = await lookAt(path, files);
  const isUndone = (): boolean => changes[0]?.before?.kind === 'absent' && own.some(({ agentId }) => decidedAll('undone', logs.get(agentId) ?? [], path));
  const isGone = present.kind === 'unreadable' && (changes.at(-1)?.after?.kind === 'absent' || isUndone());
  return isGone && (await isFolder(path, files)) ? { kind: 'content', bytes: undefined, unsaved: false } : present;
}

/** Both sides of its diff. Rejects with `not_found` where one of them isn't kept. */
export async function diffOf({ present, blocks, review, changes }: ReviewedFile, checkpoints: Pick<Checkpoints, 'read'>): Promise<FileDiff> {
  if (review.hunks.length > 0 && present.kind === 'content') return { before: await bytesOf(withoutOwn(blocks), checkpoints), after: present.bytes, isPresent: true };
  const [before, after] = [await contentOf(changes[0]?.before, checkpoints), await contentOf(changes.at(-1)?.after, checkpoints)];
  return { before, after, isPresent: present.kind === 'content' && isSame(after, present.bytes) };
}

/** The bytes of lines, `undefined` for no file. Rejects with `not_found` for a content that isn't kept, and `invalid_input` for lines that make no file. */
export async function bytesOf(lines: FileLines, checkpoints: Pick<Checkpoints, 'read'>): Promise<Uint8Array | undefined> {
  const file = fileOf(lines);
  switch (file.kind) {
    case 'absent':
      return undefined;
    case 'bytes':
      return file.bytes;
    case 'stored':
      return checkpoints.read(file.hash);
  }
}

async function contentOf(state: FileState | undefined, checkpoints: Pick<Checkpoints, 'read'>): Promise<Uint8Array | undefined> {
  switch (state?.kind) {
    case 'kept':
      return checkpoints.read(state.hash);
    case 'absent':
      return undefined;
    case 'unknown':
      throw new AppError('not_found', state.why);
    case undefined:
      throw new AppError('not_found', NOT_KEPT);
  }
}

const NOT_KEPT = 'What stood in this file was not kept.';
const DAMAGED = 'A part of the record of these changes is damaged.';

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.from(a).equals(b);
}

function ownChanges({ own, logs }: Records, path: string): readonly FileChange[] {
  const events = own.flatMap(({ agentId }) => logs.get(agentId) ?? []).filter((event) => event.type === 'files.changed');
  return changesOf(events.toSorted((a, b) => a.at - b.at), path);
}

function unknownOf(authors: readonly string[], found: ReadonlyMap<string, string>, records: Records, path: string): string | undefined {
  if (authors.some((agentId) => records.damaged.has(agentId))) return DAMAGED;
  const known = authors.map((agentId) => found.get(agentId) ?? (changesOf(records.logs.get(agentId) ?? [], path).length === 0 ? NOT_KEPT : undefined));
  return known.find((why) => why !== undefined);
}

/** Whether a child's whole part was decided so after its last change, whatever is known of it. What is lost before `damaged` may have been one. */
function decidedAll(verdict: ReviewDecision['verdict'], events: readonly ChangeEvent[], path: string, damaged = 0): boolean {
  const decided = events.findLastIndex((event) => event.type === 'review.decided' && event.decision.path === path && event.decision.verdict === verdict && event.decision.lines === 'all');
  const changed = events.findLastIndex((event) => event.type === 'files.changed' && event.changes.some((change) => change.path === path));
  return decided > changed && decided >= damaged;
}

function kindOf(changes: readonly FileChange[]): FileChange['kind'] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (last && (last.after === undefined || last.after.kind === 'unknown' ? last.kind === 'deleted' : last.after.kind === 'absent')) return 'deleted';
  return first && (first.before === undefined || first.before.kind === 'unknown' ? first.kind === 'created' : first.before.kind === 'absent') ? 'created' : 'edited';
}

/** What became of a file of which nothing is left to decide. */
function decidedState(path: string, { own, logs, attempts }: Records, replayed: FileReplay): FileReviewState {
  const ids = own.map(({ agentId }) => agentId);
  const decided = ids.flatMap((agentId) => logs.get(agentId) ?? []).filter((event) => event.type === 'review.decided' && event.decision.path === path);
  const verdicts = new Set(replayed.verdicts);
  // What stood there wasn't known then, but the decision is.
  for (const event of decided) if (event.type === 'review.decided' && event.decision.content.kind === 'unknown' && !attempts.has(event.decision.id)) verdicts.add(event.decision.verdict);
  const [only] = verdicts;
  return verdicts.size > 1 ? 'mixed' : (only ?? 'gone');
}
