import { basename } from 'node:path';
import { mapLimited } from '../base/async.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { inFileTurn } from '../base/fileTurn.ts';
import { randomId } from '../base/ids.ts';
import type { ChildView } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { FileDiff, FileReview, ReviewChoice, ReviewDecision, UndoConflict } from '../domain/reviews.ts';
import type { FileState } from '../domain/tools.ts';
import type { WorktreeChange } from '../domain/worktrees.ts';
import type { ChangeEvent, ChangeLog } from '../store/changeLog.ts';
import { isBinary, linesOf, type FileLines } from './fileLines.ts';
import type { LineChange } from './lineDiff.ts';
import { applied, merge } from './merge.ts';
import { changesOf, type Decided } from './records.ts';
import { bytesOf } from './reviewedFile.ts';
import { unitsOf, type Swap } from './swaps.ts';
import { CHANGED, decisionsOn, leftIn, lookAtWorktreeFile, recordedReview, type WorktreeFile, type WorktreeReviewSources } from './worktreeFile.ts';

/** How often it is tried anew where somebody changes the file at that very moment. */
const TRIES = 5;
const PARALLEL = 4;
const NEVER = new AbortController().signal;

export interface WorktreeReviewParts extends WorktreeReviewSources {
  readonly publish: Publish;
  readonly now: () => number;
  readonly changes: Pick<ChangeLog, 'read' | 'stored' | 'alone'>;
}

/** What was done to one file. `isChanged`: something was decided. */
export interface Done {
  readonly path: string;
  readonly isChanged: boolean;
  readonly isUnsaved: boolean;
  readonly conflicts: readonly UndoConflict[];
}

/** How files are decided on. */
interface Steps {
  /** Why a file can't be decided on, in a sentence. */
  readonly obstacle: (path: string) => Promise<string | undefined>;
  readonly decide: (path: string) => Promise<Done>;
}

/** What is known of all files of one child. */
interface Known {
  readonly child: ChildView;
  readonly events: readonly ChangeEvent[];
  /** Absent where there is no worktree any more. */
  readonly changes: ReadonlyMap<string, WorktreeChange> | undefined;
  readonly paths: readonly string[];
}

/**
 * The review of what children did in worktrees of their own: their version of a file beside the workspace's. Accepting
 * merges it there, undoing takes it back in the worktree. Nothing is kept in mind.
 */
export class WorktreeReviews {
  readonly #parts: WorktreeReviewParts;

  constructor(parts: WorktreeReviewParts) {
    this.#parts = parts;
  }

  async changes(child: ChildView): Promise<readonly FileReview[]> {
    const known = await this.#known(child);
    return mapLimited(known.paths, PARALLEL, (path) => this.#review(path, known));
  }

  /** Rejects with `not_found` for a file that the child didn't change. */
  async file(child: ChildView, path: string): Promise<FileReview> {
    return this.#review(path, requirePath(await this.#known(child), path));
  }

  /** Left: what it began from, with what was accepted; right: the child's version. Once all is decided: all that it did. */
  async diff(child: ChildView, path: string): Promise<FileDiff> {
    const known = requirePath(await this.#known(child), path);
    const file = await this.#look(path, known);
    if (file?.review.state === 'open') {
      if (file.settled === undefined) throw new AppError('not_found', file.review.unknown ?? NOT_KEPT);
      return { before: file.settledBytes, after: file.theirs, isPresent: false };
    }
    const changes = changesOf(known.events, path);
    // As it was told at the end of the child's rounds; else what the last decision was on.
    const before = changes.find((change) => change.before !== undefined)?.before;
    const after = leftIn(path, known.events) ?? decisionsOn(path, known.events).at(-1)?.content;
    return { before: await this.#content(before), after: await this.#content(after), isPresent: false };
  }

  /** Rejects with `conflict` for a hunk that isn't there any more, and with `unavailable` where a decision can't be kept. */
  accept(child: ChildView, choice?: ReviewChoice): Promise<readonly Done[]> {
    return this.#parts.changes.alone(child.agentId, () => this.#accept(child, choice));
  }

  /** Takes back in the worktree. Rejects as `accept`, but for hunks: those that aren't there are conflicts. */
  undo(child: ChildView, choice?: ReviewChoice): Promise<readonly Done[]> {
    return this.#parts.changes.alone(child.agentId, () => this.#undo(child, choice));
  }

  async #accept(child: ChildView, choice: ReviewChoice | undefined): Promise<readonly Done[]> {
    const known = await this.#known(child);
    if (choice) requirePath(known, choice.path);
    // What was deleted goes first: a file or a folder that comes in its place needs the room.
    const done = await this.#each(choice, known, 'deleted', {
      obstacle: (path) => this.#acceptObstacle(path, known),
      decide: (path) => this.#acceptFile(path, known, path === choice?.path ? choice.hunks : undefined),
    });
    const merged = done.filter(({ isChanged }) => isChanged).map(({ path }) => path);
    const { sessionId, groupId, agentId } = child;
    if (merged.length > 0) this.#parts.publish({ type: 'worktree.applied', sessionId, groupId, agentId, paths: merged });
    // Nobody was there to tell when somebody else removed it.
    if (!known.changes && !child.isWorktreeGone) this.#parts.publish({ type: 'worktree.removed', sessionId, groupId, agentId });
    return done;
  }

  async #undo(child: ChildView, choice: ReviewChoice | undefined): Promise<readonly Done[]> {
    const known = await this.#known(child);
    if (choice) requirePath(known, choice.path);
    return this.#each(choice, known, 'created', {
      obstacle: (path) => this.#undoObstacle(path, known),
      decide: (path) => this.#undoFile(path, known, path === choice?.path ? choice.hunks : undefined),
    });
  }

  /** Takes all that nobody decided on for undone, and leaves it where it is: that goes. Rejects with `unavailable` where a decision can't be kept. */
  async discard(child: ChildView): Promise<void> {
    const known = await this.#known(child);
    for (const path of known.paths) await inFileTurn(path, NEVER, () => this.#discardFile(path, known));
  }

  /** `first`: the kind of change that is decided on before others. */
  async #each(choice: ReviewChoice | undefined, known: Known, first: WorktreeChange['kind'], { obstacle, decide }: Steps): Promise<readonly Done[]> {
    const done: Done[] = [];
    for (const unit of unitsOf(sorted(choice ? [choice.path] : known.paths, known, first), known.changes)) {
      const why = unit.swap && (await this.#swapObstacle(unit.swap, known, first, obstacle));
      for (const path of sorted(unit.paths, known, first)) done.push(why === undefined ? await inFileTurn(path, NEVER, () => decide(path)) : leftAlone(path, why));
    }
    return done;
  }

  /** Why a swap can't be decided on as a whole. */
  async #swapObstacle({ file, inside }: Swap, known: Known, first: WorktreeChange['kind'], obstacle: Steps['obstacle']): Promise<string | undefined> {
    for (const { path } of [file, ...inside]) {
      const why = await obstacle(path);
      if (why !== undefined) return path === file.path ? why : `${basename(path)}: ${why}`;
    }
    // The file comes in the place of the folder.
    if (file.kind === first) return undefined;
    const place = first === 'deleted' ? 'path' : 'place';
    const isInTheWay = await this.#parts.worktrees.holdsMore(file[place], inside.map((change) => change[place]));
    return isInTheWay ? `${file[place]} is a folder with other files in it. Move them elsewhere first.` : undefined;
  }

  async #acceptObstacle(path: string, known: Known): Promise<string | undefined> {
    const file = await this.#look(path, known);
    if (file?.review.state !== 'open') return undefined;
    const { settled, settledBytes, theirs, present, pieces } = file;
    if (settled === undefined) return file.review.unknown ?? NOT_KEPT;
    if (present.kind === 'unreadable') return present.why;
    return (await this.#merged(settled, pieces, theirs, settledBytes, present.bytes)) === 'conflict' ? whyNot(file) : undefined;
  }

  async #undoObstacle(path: string, known: Known): Promise<string | undefined> {
    const file = await this.#look(path, known);
    return file?.review.state === 'open' && file.settled === undefined ? cannotTakeBack(file) : undefined;
  }

  async #acceptFile(path: string, known: Known, ids: readonly string[] | undefined): Promise<Done> {
    const { checkpoints, worktrees } = this.#parts;
    for (let tries = 1; ; tries++) {
      const file = await this.#look(path, known);
      if (!file) return this.#leftBehind(path, known);
      if (file.review.state !== 'open') return nothing(path);
      const { settled, settledBytes, settledExecutable, theirs, present, change } = file;
      if (settled === undefined) return leftAlone(path, file.review.unknown ?? NOT_KEPT);
      if (present.kind === 'unreadable') return leftAlone(path, present.why);
      const chosen = choose(file, ids);
      if (ids && chosen.length === 0) return nothing(path);
      const isWhole = chosen.length === file.pieces.length;
      const target = isWhole ? theirs : await bytesOf(applied(settled, chosen), checkpoints);
      const accepted = await checkpoints.keep(target, (isWhole ? change.isExecutable : settledExecutable) ? 0o755 : 0o644);
      if (accepted.kind === 'unknown') return leftAlone(path, accepted.why);
      const put = await this.#merged(settled, chosen, target, settledBytes, present.bytes);
      if (put === 'conflict') return leftAlone(path, whyNot(file));
      const isNew = present.bytes === undefined && put.bytes !== undefined;
      let note: string | undefined;
      try {
        if (!isSame(put.bytes, present.bytes)) note = await this.#write(path, put.bytes, present.bytes, isNew && change.isExecutable);
      } catch (error) {
        if (isAppError(error, 'conflict') && tries < TRIES) continue;
        if (isAppError(error)) return leftAlone(path, error.message);
        throw error;
      }
      if (isWhole && theirs !== undefined && settledExecutable !== change.isExecutable && !isNew) await worktrees.takeOverMode(change);
      await this.#decided(known.child, decision(path, 'accepted', accepted));
      return { path, isChanged: true, isUnsaved: present.unsaved || note !== undefined, conflicts: [] };
    }
  }

  async #undoFile(path: string, known: Known, ids: readonly string[] | undefined): Promise<Done> {
    const { checkpoints, worktrees } = this.#parts;
    const file = await this.#look(path, known);
    if (!file) return this.#discardFile(path, known);
    if (file.review.state !== 'open') return nothing(path);
    if (file.settled === undefined) return leftAlone(path, cannotTakeBack(file));
    const there = new Set(file.review.hunks.map(({ id }) => id));
    if (ids?.some((id) => !there.has(id))) return leftAlone(path, GONE_ON);
    const taken = new Set(choose(file, ids));
    const rest = file.pieces.filter((piece) => !taken.has(piece));
    const bytes = rest.length === 0 ? file.settledBytes : await bytesOf(applied(file.settled, rest), checkpoints);
    const isExecutable = rest.length === 0 ? file.settledExecutable : file.change.isExecutable;
    const kept = await checkpoints.keep(file.theirs);
    if (kept.kind === 'unknown') return leftAlone(path, kept.why);
    const failed = await worktrees.put(known.child.agentId, file.change, bytes, isExecutable).then(() => undefined, (error: unknown) => {
      if (isAppError(error)) return error.message;
      throw error;
    });
    if (failed !== undefined) return leftAlone(path, failed);
    await this.#decided(known.child, decision(path, 'undone', kept));
    return { path, isChanged: true, isUnsaved: false, conflicts: [] };
  }

  async #discardFile(path: string, known: Known): Promise<Done> {
    const file = await this.#look(path, known);
    const { state, unknown } = file?.review ?? (await this.#recorded(path, known));
    if (state !== 'open') return nothing(path);
    const content = file?.settled === undefined ? leftIn(path, known.events) : await this.#parts.checkpoints.keep(file.theirs);
    await this.#decided(known.child, decision(path, 'undone', content ?? { kind: 'unknown', why: unknown ?? NOT_KEPT }));
    return { ...nothing(path), isChanged: true };
  }

  /** Of a worktree that is gone nothing can be merged. */
  async #leftBehind(path: string, known: Known): Promise<Done> {
    const { state, unknown } = await this.#recorded(path, known);
    return state === 'open' ? leftAlone(path, unknown ?? NOT_KEPT) : nothing(path);
  }

  #recorded(path: string, { child, events }: Known): Promise<FileReview> {
    return recordedReview(child.agentId, path, events, this.#parts.worktrees);
  }

  /** What is to stand in the workspace. */
  async #merged(settled: FileLines, chosen: readonly LineChange[], target: Uint8Array | undefined, base: Uint8Array | undefined, present: Uint8Array | undefined): Promise<{ readonly bytes: Uint8Array | undefined } | 'conflict'> {
    if (isSame(present, base) || isSame(present, target)) return { bytes: target };
    const ours = linesOf(present);
    if (isBinary(ours) || isBinary(settled)) return 'conflict';
    const { lines } = merge(settled, chosen, ours);
    return lines === undefined ? 'conflict' : { bytes: await bytesOf(lines, this.#parts.checkpoints) };
  }

  /** What stood there is kept first. Resolves to a note on what was written. */
  async #write(path: string, bytes: Uint8Array | undefined, expected: Uint8Array | undefined, isExecutable: boolean): Promise<string | undefined> {
    const { files, checkpoints } = this.#parts;
    const kept = await checkpoints.keep(expected);
    if (kept.kind === 'unknown') throw new AppError('unavailable', kept.why);
    if (bytes !== undefined) return (await files.write(path, bytes, { expected: { bytes: expected }, ...(expected === undefined && { replacesFolder: true }), ...(isExecutable && { mode: 0o755 }) })).note;
    await files.remove(path, { expected: { bytes: expected } });
    return undefined;
  }

  async #decided({ sessionId, groupId, agentId }: ChildView, decided: ReviewDecision): Promise<void> {
    const event: Decided = { type: 'review.decided', at: this.#parts.now(), sessionId, groupId, agentId, decision: decided };
    this.#parts.publish(event);
    await this.#parts.changes.stored(agentId, [decided.id]);
  }

  async #known(child: ChildView): Promise<Known> {
    const { worktrees, changes: log } = this.#parts;
    const { events } = await log.read(child.agentId);
    const found = await unlessGone(() => worktrees.changes(child.agentId));
    const told = events.flatMap((event) => (event.type === 'files.changed' ? event.changes.map(({ path }) => path) : event.type === 'review.decided' ? [event.decision.path] : []));
    const decided = new Set(events.flatMap((event) => (event.type === 'review.decided' ? [event.decision.path] : [])));
    // Of what it took back itself nothing is left to show.
    const paths = [...new Set([...told.filter((path) => !found || decided.has(path) || found.some((change) => change.path === path)), ...(found ?? []).map(({ path }) => path)])];
    return { child, events, changes: found && new Map(found.map((change) => [change.path, change])), paths };
  }

  async #review(path: string, known: Known): Promise<FileReview> {
    return (await this.#look(path, known))?.review ?? this.#recorded(path, known);
  }

  /** Nothing where there is no worktree any more. */
  async #look(path: string, { child: { agentId }, events, changes }: Known): Promise<WorktreeFile | undefined> {
    if (!changes) return undefined;
    return unlessGone(async () => lookAtWorktreeFile(agentId, changes.get(path) ?? (await this.#parts.worktrees.unchanged(agentId, path)), events, this.#parts));
  }

  async #content(state: FileState | undefined): Promise<Uint8Array | undefined> {
    if (state?.kind === 'kept') return this.#parts.checkpoints.read(state.hash);
    if (state?.kind === 'absent') return undefined;
    throw new AppError('not_found', state?.why ?? NOT_KEPT);
  }
}

const NOT_KEPT = 'What stood in this file was not kept.';
const GONE_ON = 'This file has changed since you looked at it. Look at its changes again.';

/** The pieces of those hunks, or all. @throws AppError `conflict` where one isn't there any more */
function choose({ review: { path, hunks }, pieces }: WorktreeFile, ids: readonly string[] | undefined): readonly LineChange[] {
  if (!ids) return pieces;
  const wanted = new Set(ids);
  const chosen = pieces.filter((_, index) => wanted.has(hunks[index]?.id ?? ''));
  if (chosen.length < wanted.size) throw new AppError('conflict', `${path} has changed since you looked at it. Look at its changes again.`);
  return chosen;
}

function cannotTakeBack({ review }: WorktreeFile): string {
  return `${review.unknown ?? NOT_KEPT} Take it back in the worktree yourself.`;
}

function whyNot({ review: { kind, isBinary: binary } }: WorktreeFile): string {
  if (binary) return 'The file was changed in the workspace, too, and isn\'t text that could be merged.';
  if (kind === 'created') return 'Such a file was made in the workspace, too.';
  return kind === 'deleted' ? 'The subagent deleted the file, and it was changed in the workspace since.' : CHANGED;
}

/** Nothing where the worktree is gone, perhaps right now: with all decided it goes by itself. */
async function unlessGone<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined;
    throw error;
  }
}

function decision(path: string, verdict: ReviewDecision['verdict'], content: FileState): ReviewDecision {
  return { id: `decision-${randomId().slice(0, 12)}`, path, verdict, content, lines: 'all' };
}

function sorted(paths: readonly string[], { changes }: Known, first: WorktreeChange['kind']): readonly string[] {
  const isFirst = (path: string): boolean => changes?.get(path)?.kind === first;
  return [...paths.filter(isFirst), ...paths.filter((path) => !isFirst(path))];
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.from(a).equals(b);
}

function nothing(path: string): Done {
  return { path, isChanged: false, isUnsaved: false, conflicts: [] };
}

function leftAlone(path: string, why: string): Done {
  return { ...nothing(path), conflicts: [{ path, why }] };
}

function requirePath(known: Known, path: string): Known {
  if (!known.paths.includes(path)) throw new AppError('not_found', `${path} was not changed by ${known.child.displayName}.`);
  return known;
}
