import { mapLimited } from '../base/async.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { inFileTurn } from '../base/fileTurn.ts';
import type { ChildView, GroupSpec } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { Checkpoints, FilePort } from '../domain/ports.ts';
import type { AcceptReport, ChangeRequestView, FileDiff, FileReview, ReviewAccess, ReviewChoice, UndoReport } from '../domain/reviews.ts';
import type { FileState } from '../domain/tools.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';
import type { WorktreeFiles } from '../domain/worktrees.ts';
import type { ChangeLog } from '../store/changeLog.ts';
import { completeTask, type ReviewedTasks } from './completeTask.ts';
import { chosenHunks, decidedEvents, decisionOn } from './decide.ts';
import { lookAt } from './present.ts';
import { changesOf, readRecords, type Records } from './records.ts';
import { promptFor, requestedEvent, requestViews, type RequestDraft } from './requests.ts';
import { diffOf, reviewFile, type ReviewedFile } from './reviewedFile.ts';
import { requireChild, requireRow, requireSettled, type ChildArchive } from './subjects.ts';
import { takeBack, type TakenBack } from './takeBack.ts';
import { Turns } from './turns.ts';
import { WorktreeReviews, type Done } from './worktreeReviews.ts';

/** Files looked at, or changed, at the same time: each may be a large one. */
const PARALLEL_LOOKS = 4;
const PARALLEL_WRITES = 4;
const NEVER = new AbortController().signal;

export interface ReviewParts {
  readonly publish: Publish;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly files: FilePort;
  /** Absent where what children change isn't kept. What is published of decisions and requests is recorded in `changes` by its listener. */
  readonly kept?: { readonly checkpoints: Checkpoints; readonly changes: Pick<ChangeLog, 'record' | 'read' | 'stored' | 'alone'> };
  /** Absent: no child has a worktree. */
  readonly worktrees?: WorktreeFiles;
  readonly archive: ChildArchive;
  /** Throws `not_found`. */
  readonly transcript: (agentId: string) => Promise<readonly TranscriptEntry[]>;
  /** Absent: tasks are off. */
  readonly tasks?: ReviewedTasks;
  /** See `LiteAgent.resumeChild`. */
  readonly resume: (agentId: string, options: { readonly prompt: string; readonly model?: string }) => Promise<GroupSpec>;
  /** Takes in what other windows did. Never rejects. */
  readonly refresh: () => Promise<void>;
}

/** See `ReviewAccess`. Nothing is kept in mind: each call reads what is stored and what stands in the files. */
export class Reviews implements ReviewAccess {
  readonly #parts: ReviewParts;
  /** Of the children on whom something is decided. */
  readonly #turns = new Turns();
  readonly #inWorktrees: WorktreeReviews | undefined;
  #isClosed = false;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
    const { kept, worktrees } = parts;
    this.#inWorktrees = kept && worktrees && new WorktreeReviews({ ...parts, ...kept, worktrees });
  }

  async changes(agentId: string): Promise<readonly FileReview[]> {
    const child = requireChild(this.#parts.archive, agentId);
    return this.#worktreeOf(child)?.changes(child) ?? this.#reviews([child]);
  }

  async file(agentId: string, path: string): Promise<FileReview> {
    const child = requireChild(this.#parts.archive, agentId);
    const inWorktree = this.#worktreeOf(child);
    if (inWorktree) return inWorktree.file(child, path);
    const records = requirePaths(await this.#records([child], path), path);
    return (await this.#look(path, records)).review;
  }

  async groupChanges(groupId: string): Promise<readonly FileReview[]> {
    const { shared, apart } = this.#split(requireRow(this.#parts.archive, groupId));
    const all = [await this.#reviews(shared), ...(await Promise.all(apart.map((child) => this.changes(child.agentId))))];
    // A file that several have a version of stands for the first of them.
    return [...new Map(all.flat().toReversed().map((review) => [review.path, review])).values()].reverse();
  }

  async diff(agentId: string, path: string): Promise<FileDiff> {
    const child = requireChild(this.#parts.archive, agentId);
    return this.#worktreeOf(child)?.diff(child, path) ?? this.#diff([child], path);
  }

  async groupDiff(groupId: string, path: string): Promise<FileDiff> {
    const { shared, apart } = this.#split(requireRow(this.#parts.archive, groupId));
    const first = (await this.#records(shared, path)).paths.length > 0 ? undefined : apart.find(({ changedFiles }) => changedFiles.includes(path));
    return first ? this.diff(first.agentId, path) : this.#diff(shared, path);
  }

  async accept(agentId: string, choice?: ReviewChoice): Promise<AcceptReport> {
    requireChild(this.#parts.archive, agentId);
    return this.#deciding([agentId], async ([child = requireChild(this.#parts.archive, agentId)]) => {
      const inWorktree = this.#worktreeOf(child);
      const report = inWorktree ? acceptReport(await inWorktree.accept(child, choice)) : { accepted: await this.#accept(child, choice), conflicts: [], unsaved: [] };
      const isWhole = choice === undefined && report.conflicts.length === 0;
      await (isWhole ? this.#complete(child) : this.#completeIfDecided(child));
      return report;
    });
  }

  async undo(agentId: string, choice?: ReviewChoice): Promise<UndoReport> {
    requireChild(this.#parts.archive, agentId);
    return this.#deciding([agentId], (own) => this.#undo(own, choice));
  }

  async undoGroup(groupId: string): Promise<UndoReport> {
    const ids = requireRow(this.#parts.archive, groupId).map((child) => child.agentId);
    return this.#deciding(ids, (own) => this.#undo(own));
  }

  /** Decides that what is left of a child's work in its worktree is undone, then lets that be removed. Rejects as `undo` and as `remove`. */
  async discard(agentId: string, remove: () => Promise<void>): Promise<void> {
    requireChild(this.#parts.archive, agentId);
    await this.#deciding([agentId], async ([child = requireChild(this.#parts.archive, agentId)]) => {
      await this.#worktreeOf(child)?.discard(child);
      await remove();
      await this.#completeIfDecided(child).catch(ignoreUnavailable);
    });
  }

  async requestChanges(agentId: string, { model, ...draft }: RequestDraft & { readonly model?: string }): Promise<GroupSpec> {
    requireChild(this.#parts.archive, agentId);
    return this.#deciding([agentId], async ([child = requireChild(this.#parts.archive, agentId)]) => {
      const { archive, files, resume, publish, now } = this.#parts;
      const prompt = await promptFor(draft, archive.group(child.groupId)?.cwd, { files, checkpoints: this.#checkpoints });
      const group = await resume(agentId, { prompt, ...(model !== undefined && { model }) });
      const number = group.children.find((spec) => spec.agentId === agentId)?.round ?? child.round + 1;
      publish(requestedEvent(child, draft, { groupId: group.groupId, number }, now()));
      // Where it could not be kept, the child goes on all the same: that is told as a problem.
      return group;
    });
  }

  async requests(agentId: string): Promise<readonly ChangeRequestView[]> {
    requireChild(this.#parts.archive, agentId);
    const { events } = (await this.#parts.kept?.changes.read(agentId)) ?? { events: [] };
    const requested = events.filter((event) => event.type === 'review.requested');
    return requestViews(requested, () => this.#parts.transcript(agentId), { files: this.#parts.files, checkpoints: this.#checkpoints });
  }

  async stateOf(path: string): Promise<FileState> {
    const present = await lookAt(path, this.#parts.files);
    return present.kind === 'content' ? this.#checkpoints.keep(present.bytes) : { kind: 'unknown', why: present.why };
  }

  /** From here on only looking is possible. Resolves when what is being decided has ended. Idempotent; never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.idle();
  }

  async #reviews(own: readonly ChildView[]): Promise<readonly FileReview[]> {
    const records = await this.#records(own);
    return mapLimited(records.paths, PARALLEL_LOOKS, async (path) => (await this.#look(path, records)).review);
  }

  async #diff(own: readonly ChildView[], path: string): Promise<FileDiff> {
    const file = await this.#look(path, requirePaths(await this.#records(own, path), path));
    return diffOf(file, this.#checkpoints);
  }

  /** The paths of which something was accepted. */
  async #accept(child: ChildView, choice: ReviewChoice | undefined): Promise<readonly string[]> {
    const records = await this.#records([child], choice?.path);
    // Without records there is nothing to decide on but the result as a whole.
    if (!this.#parts.kept && choice === undefined) return [];
    const { checkpoints, changes } = this.#kept();
    const { publish, now } = this.#parts;
    if (choice) requirePaths(records, choice.path);
    const decided = await eachFile(records.paths, async (path) => {
      const file = await this.#look(path, records);
      if (file.review.state !== 'open' && choice?.hunks === undefined) return [];
      const chosen = chosenHunks(file, choice?.hunks);
      if (choice?.hunks && chosen.length === 0) return [];
      const content = file.present.kind === 'content' ? await checkpoints.keep(file.present.bytes) : ({ kind: 'unknown', why: file.present.why } as const);
      const decision = decisionOn(file, 'accepted', content, chosen);
      if (content.kind === 'unknown' && decision.lines !== 'all') throw new AppError('unavailable', `${content.why} Accept the file as a whole.`);
      for (const event of decidedEvents(decision, [child], file, now())) publish(event);
      return [decision];
    });
    await changes.stored(child.agentId, decided.flat().map(({ id }) => id));
    return decided.flat().map(({ path }) => path);
  }

  async #undo(all: readonly ChildView[], choice?: ReviewChoice): Promise<UndoReport> {
    const { shared, apart } = this.#split(all);
    const done: Done[] = [];
    for (const child of apart) done.push(...((await this.#worktreeOf(child)?.undo(child, choice)) ?? []));
    for (const child of apart) await this.#completeIfDecided(child).catch(ignoreUnavailable);
    const report = shared.length > 0 ? await this.#undoShared(shared, choice) : { undone: [], conflicts: [], unsaved: [] };
    const { accepted, conflicts } = acceptReport(done);
    return { ...report, undone: [...accepted, ...report.undone], conflicts: [...conflicts, ...report.conflicts] };
  }

  async #undoShared(own: readonly ChildView[], choice?: ReviewChoice): Promise<UndoReport> {
    const records = await this.#records(own, choice?.path);
    if (choice) requirePaths(records, choice.path);
    const { kept, files, publish, now } = this.#parts;
    if (!kept) return { undone: [], conflicts: records.paths.map((path) => ({ path, why: NOT_KEPT })), unsaved: [] };
    // What was made goes first: a file or a folder that was in its place needs the room.
    const isMade = (path: string): boolean => own.some(({ agentId }) => changesOf(records.logs.get(agentId) ?? [], path)[0]?.before?.kind === 'absent');
    const [made, others] = [records.paths.filter(isMade), records.paths.filter((path) => !isMade(path))];
    const undoEach = (paths: readonly string[]): Promise<readonly (TakenBack & { readonly path: string })[]> => eachFile(paths, async (path) => ({ path, ...(await takeBack(own, () => this.#look(path, records), choice?.hunks, { files, publish, now, ...kept })) }));
    const done = [...(await undoEach(made)), ...(await undoEach(others))];
    for (const child of own) await this.#completeIfDecided(child).catch(ignoreUnavailable);
    const changed = done.filter(({ isChanged }) => isChanged);
    return { undone: changed.map(({ path }) => path), conflicts: done.flatMap(({ conflicts }) => conflicts), unsaved: changed.flatMap(({ path, isUnsaved }) => (isUnsaved ? [path] : [])) };
  }

  /** A task of whose changes none is left to decide is done. One whose child changed nothing, or perhaps more than is known, is for somebody who reads what it says. */
  async #completeIfDecided(child: ChildView): Promise<void> {
    if (child.taskId === undefined || !this.#parts.tasks || child.unrecorded) return;
    if (await this.#isDecided(child)) await this.#complete(child);
  }

  /** Whether it is known that it changed files, and nothing of any is left to decide. Stops at the first that is open, which is sooner found among those on which nobody has decided yet. */
  async #isDecided(child: ChildView): Promise<boolean> {
    const inWorktree = this.#worktreeOf(child);
    if (inWorktree) {
      const files = await inWorktree.changes(child);
      return files.length > 0 && files.every(({ state }) => state !== 'open');
    }
    const records = await this.#records([child]);
    if (records.damaged.has(child.agentId)) return false;
    const decided = new Set((records.logs.get(child.agentId) ?? []).flatMap((event) => (event.type === 'review.decided' ? [event.decision.path] : [])));
    const paths = [...records.paths.filter((path) => !decided.has(path)), ...records.paths.filter((path) => decided.has(path))];
    let isOpen = false;
    await mapLimited(paths, PARALLEL_LOOKS, async (path) => {
      if (!isOpen) isOpen = (await this.#look(path, records)).review.state === 'open' || isOpen;
    });
    return paths.length > 0 && !isOpen;
  }

  async #complete({ taskId }: ChildView): Promise<void> {
    if (taskId !== undefined && this.#parts.tasks) await completeTask(this.#parts.tasks, taskId);
  }

  /** Runs what decides on children when nothing else does, and none of them is at work. Rejects with `conflict` and `closed`. */
  #deciding<T>(agentIds: readonly string[], work: (children: readonly ChildView[]) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new AppError('closed', 'This agent is closed. Decide on changes in a new one on the same storage.'));
    return this.#turns.run(agentIds, async () => {
      const { archive, refresh } = this.#parts;
      await refresh();
      const children = agentIds.map((agentId) => requireChild(archive, agentId));
      for (const child of children) requireSettled(archive, child);
      return work(children);
    });
  }

  /** Nothing for a child whose changes are in the files themselves. */
  #worktreeOf({ worktree }: ChildView): WorktreeReviews | undefined {
    return worktree && this.#inWorktrees;
  }

  #split(children: readonly ChildView[]): { readonly shared: readonly ChildView[]; readonly apart: readonly ChildView[] } {
    return { shared: children.filter((child) => !this.#worktreeOf(child)), apart: children.filter((child) => this.#worktreeOf(child)) };
  }

  #records(own: readonly ChildView[], path?: string): Promise<Records> {
    return readRecords(own, this.#parts.archive, this.#parts.kept?.changes, path);
  }

  #look(path: string, records: Records): Promise<ReviewedFile> {
    return reviewFile(path, records, { files: this.#parts.files, checkpoints: this.#checkpoints });
  }

  #kept(): NonNullable<ReviewParts['kept']> {
    if (!this.#parts.kept) throw new AppError('unavailable', `${NOT_KEPT} Accept the result as a whole.`);
    return this.#parts.kept;
  }

  get #checkpoints(): Checkpoints {
    return this.#parts.kept?.checkpoints ?? NO_CHECKPOINTS;
  }
}

const NOT_KEPT = 'What subagents change is not kept here.';
const NO_CHECKPOINTS: Checkpoints = {
  keep: async (content) => (content === undefined ? { kind: 'absent' } : { kind: 'unknown', why: NOT_KEPT }),
  read: async () => Promise.reject(new AppError('not_found', NOT_KEPT)),
};

function acceptReport(done: readonly Done[]): AcceptReport {
  const changed = done.filter(({ isChanged }) => isChanged);
  return { accepted: changed.map(({ path }) => path), conflicts: done.flatMap(({ conflicts }) => conflicts), unsaved: changed.flatMap(({ path, isUnsaved }) => (isUnsaved ? [path] : [])) };
}

/** In the turn of each file. After a failure no further file is begun; rejects with it once all that was begun has ended. */
async function eachFile<T>(paths: readonly string[], work: (path: string) => Promise<T>): Promise<readonly T[]> {
  const failures: unknown[] = [];
  const results = await mapLimited(paths, PARALLEL_WRITES, async (path) => {
    if (failures.length > 0) return [];
    try {
      return [await inFileTurn(path, NEVER, () => work(path))];
    } catch (error) {
      failures.push(error);
      return [];
    }
  });
  if (failures.length > 0) throw failures[0];
  return results.flat();
}

/** What was undone is told all the same; that the list can't be stored is told by the list. */
function ignoreUnavailable(error: unknown): void {
  if (!isAppError(error, 'unavailable')) throw error;
}

/** @throws AppError `not_found` for a file that none of the children changed */
function requirePaths(records: Records, path: string): Records {
  if (!records.paths.includes(path)) throw new AppError('not_found', `${path} was not changed by ${records.own.map(({ displayName }) => displayName).join(', ')}.`);
  return records;
}
