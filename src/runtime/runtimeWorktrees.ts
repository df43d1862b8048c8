import { mapLimited } from './base/async.ts';
import { AppError, errorText } from './base/errors.ts';
import { plural } from './base/text.ts';
import type { WorktreePlans } from './delegation/deps.ts';
import type { ChildWorktrees } from './delegation/ownWorktree.ts';
import type { ChildView, WorktreeSpec } from './domain/agents.ts';
import type { ChildKey, Publish, RuntimeEvent } from './domain/events.ts';
import type { WorktreeAccess } from './domain/liteAgent.ts';
import type { Checkpoints } from './domain/ports.ts';
import type { FileChange } from './domain/tools.ts';
import type { WorktreeChange, WorktreeLoss } from './domain/worktrees.ts';
import type { GroupStorage } from './groupStorage.ts';
import type { KeptChanges } from './keptChanges.ts';
import { acceptedContents } from './review/acceptedContents.ts';
import type { Reviews } from './review/reviews.ts';
import { requireChild, requireSettled, type ChildArchive } from './review/subjects.ts';
import { Turns } from './review/turns.ts';
import type { ChangeLog } from './store/changeLog.ts';
import { WorktreeHolds } from './worktreeHolds.ts';
import type { Worktrees } from './worktrees/worktrees.ts';

/** Files of which contents are kept at the end of a run; of more only that they changed. */
const MAX_KEPT = 2_000;
const PARALLEL = 8;
const MAX_NAMED = 3;

export interface WorktreeKeeperParts {
  readonly worktrees: Worktrees;
  readonly checkpoints: Checkpoints;
  readonly changes: Pick<ChangeLog, 'read'>;
  readonly archive: ChildArchive;
  readonly holds: WorktreeHolds;
  /** Asked for when it is needed: the review looks at the worktrees itself. */
  readonly reviews: () => Pick<Reviews, 'changes' | 'discard'>;
  readonly publish: Publish;
  /** Looks after work that nobody waits for. */
  readonly inBackground: (work: Promise<void>, whatFailed: string) => void;
}

/** Looks after the worktrees of children, from before they start until nothing in them is left to lose. */
export class WorktreeKeeper implements WorktreePlans, ChildWorktrees, WorktreeAccess {
  readonly #parts: WorktreeKeeperParts;
  /** Nothing of a worktree goes while it is made or looked at. */
  readonly #turns = new Turns();
  /** Children whose worktree is about to be looked at. */
  readonly #due = new Set<string>();
  /** Why worktrees were said to be kept, by child. */
  readonly #kept = new Map<string, string>();
  #isClosed = false;

  constructor(parts: WorktreeKeeperParts) {
    this.#parts = parts;
  }

  readonly plan: WorktreePlans['plan'] = (cwd) => this.#parts.worktrees.plan(cwd);
  readonly specify: WorktreePlans['specify'] = (agentId, plan) => this.#parts.worktrees.specify(agentId, plan);

  readonly open: ChildWorktrees['open'] = (spec, worktree, { sessionId, groupId, cwd }, isNew, signal) => this.#turns.run([spec.agentId], async () => {
    const { worktrees, publish, changes, checkpoints, holds } = this.#parts;
    const { agentId } = spec;
    const contents = (): ReturnType<typeof acceptedContents> => acceptedContents(agentId, changes, checkpoints);
    await holds.enter(agentId, signal);
    try {
      const wasMade = await worktrees.open(agentId, worktree, cwd, isNew, contents, signal);
      if (wasMade) publish({ type: 'worktree.created', sessionId, groupId, agentId, worktree });
      this.#kept.delete(agentId);
      return await worktrees.guard(agentId, worktree);
    } catch (error) {
      await holds.leave(agentId);
      throw error;
    }
  });

  readonly leave: ChildWorktrees['leave'] = (agentId) => this.#parts.holds.leave(agentId);

  async changed(agentId: string): Promise<readonly FileChange[]> {
    try {
      const changes = await this.#parts.worktrees.changes(agentId);
      const kept = await mapLimited(changes.slice(0, MAX_KEPT), PARALLEL, (change) => this.#keep(agentId, change));
      return [...kept, ...changes.slice(MAX_KEPT).map(({ path, kind }) => ({ path, kind }))];
    } catch (error) {
      this.#parts.publish({ type: 'problem', message: `What ${agentId} changed in its worktree could not be told: ${errorText(error)}` });
      return [];
    }
  }

  async loss(agentId: string): Promise<WorktreeLoss | undefined> {
    requireChild(this.#parts.archive, agentId);
    return this.#turns.run([agentId], async () => {
      if (await this.#parts.worktrees.has(agentId)) return this.#loss(agentId);
      const child = this.#parts.archive.child(agentId);
      if (this.#isOver(child)) this.#tellGone(child);
      return undefined;
    });
  }

  async remove(agentId: string): Promise<void> {
    const { archive, worktrees, holds } = this.#parts;
    const { displayName } = requireChild(archive, agentId);
    const mayGo = (child: ChildView | undefined): child is ChildView => {
      requireSettled(archive, child ?? requireChild(archive, agentId));
      return child !== undefined;
    };
    await this.#turns.run([agentId], () => holds.whileFree(agentId, mayGo, async (child) => {
      if (!(await worktrees.has(agentId))) throw new AppError('not_found', `${displayName} has no worktree any more.`);
      await this.#parts.reviews().discard(agentId, () => this.#remove(child));
    }));
  }

  /** Follows what happens: with each end and each decision a worktree may have become one that nothing is left in. */
  follow(event: RuntimeEvent): void {
    if (event.type !== 'child.settled' && event.type !== 'review.decided') return;
    const { agentId } = event;
    if (this.#isClosed || this.#due.has(agentId) || !this.#parts.archive.child(agentId)?.worktree) return;
    this.#due.add(agentId);
    this.#parts.inBackground(this.#settle(agentId, true), `The worktree of ${agentId} was not looked at`);
  }

  /** Removes what an earlier host left behind and nobody needs. What can't be removed or told stays. */
  async tidy(): Promise<void> {
    const { worktrees, holds } = this.#parts;
    for (const agentId of await worktrees.ids()) {
      if (this.#isClosed) return;
      // Whoever has it sees to it.
      const isDone = await this.#turns.run([agentId], () => holds.ifFree(agentId, () => worktrees.endRemoval(agentId)));
      if (isDone !== undefined) await this.#settle(agentId, false);
    }
  }

  /** Looks at no further worktree. What is under way ends. Idempotent; never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.idle();
  }

  /** `tells`: what is kept, too. */
  async #settle(agentId: string, tells: boolean): Promise<void> {
    await this.#turns.run([agentId], async () => {
      this.#due.delete(agentId);
      const { worktrees, publish, holds } = this.#parts;
      await holds.whileFree(agentId, (child) => this.#isOver(child), async (child) => {
        if (!(await worktrees.has(agentId))) return this.#tellGone(child);
        const why = reasonToKeep(await this.#loss(agentId));
        if (why === undefined) return this.#remove(child);
        if (tells && this.#kept.get(agentId) !== why) publish({ type: 'worktree.kept', ...keyOf(child), why });
        this.#kept.set(agentId, why);
      });
    });
  }

  /** Whether the child has ended, and it is here that its worktree is looked after. */
  #isOver(child: ChildView | undefined): child is ChildView {
    const hasEnded = child?.worktree && (child.status === 'completed' || child.status === 'failed' || child.status === 'cancelled');
    return hasEnded === true && !this.#isClosed && this.#parts.archive.group(child.roundGroupId)?.isElsewhere !== true;
  }

  /** Somebody else removed it, or it went before that could be told. */
  #tellGone(child: ChildView): void {
    if (!child.isWorktreeGone) this.#parts.publish({ type: 'worktree.removed', ...keyOf(child) });
  }

  async #remove(child: ChildView): Promise<void> {
    await this.#parts.worktrees.remove(child.agentId);
    this.#kept.delete(child.agentId);
    this.#parts.publish({ type: 'worktree.removed', ...keyOf(child) });
  }

  async #loss(agentId: string): Promise<WorktreeLoss> {
    const files = await this.#parts.reviews().changes(agentId);
    const { count, isKnown } = await this.#parts.worktrees.commits(agentId);
    return { commits: count, ...(!isKnown && { mayHoldMoreCommits: true }), paths: files.filter(({ state }) => state === 'open').map(({ path }) => path) };
  }

  async #keep(agentId: string, change: WorktreeChange): Promise<FileChange> {
    const { worktrees, checkpoints } = this.#parts;
    const { path, kind, problem } = change;
    if (problem !== undefined) return { path, kind, before: { kind: 'unknown', why: problem }, after: { kind: 'unknown', why: problem } };
    const state = async (content: Promise<Uint8Array | undefined>): Promise<NonNullable<FileChange['before']>> => content.then((bytes) => checkpoints.keep(bytes), (error: unknown) => ({ kind: 'unknown', why: errorText(error) }));
    return { path, kind, before: await state(worktrees.before(agentId, change)), after: await state(worktrees.now(agentId, change)) };
  }
}

function keyOf({ sessionId, groupId, agentId }: ChildView): ChildKey {
  return { sessionId, groupId, agentId };
}

/** In a sentence; nothing where nothing would be lost. */
function reasonToKeep({ commits, mayHoldMoreCommits = false, paths }: WorktreeLoss): string | undefined {
  const names = paths.slice(0, MAX_NAMED).map((path) => path.split(/[\\/]/).at(-1)).join(', ');
  const parts = [
    ...(paths.length > 0 ? [`changes of ${plural(paths.length, 'file')} that nobody has decided on (${names}${paths.length > MAX_NAMED ? ', …' : ''})`] : []),
    ...(commits > 0 ? [`${plural(commits, 'commit')} that no branch holds`] : []),
  ];
  if (mayHoldMoreCommits) parts.push('perhaps undone commits, of which git has no record');
  return parts.length > 0 ? `It holds ${parts.join(' and ')}.` : undefined;
}

/** Where nothing is kept of what children change, a worktree could never be merged. */
export const NO_WORKTREES: WorktreePlans = {
  async plan() {
    throw new AppError('unavailable', 'Worktrees need `tasks` or `checkpoints: true`, since what a subagent does in one is merged by a review.');
  },
  specify: async (): Promise<WorktreeSpec> => Promise.reject(new AppError('unavailable', 'There are no worktrees here.')),
};

/** The access of an agent that has no worktrees. */
export const NO_WORKTREE_ACCESS: WorktreeAccess = {
  loss: async () => undefined,
  remove: async () => {
    throw new AppError('not_found', 'There are no worktrees here.');
  },
};

/** The keeper of what is kept on a storage that other processes may use too. */
export function createWorktreeKeeper({ kept, storage, archive, ...parts }: Pick<WorktreeKeeperParts, 'archive' | 'reviews' | 'publish' | 'inBackground'> & { readonly kept: KeptChanges; readonly storage: Pick<GroupStorage, 'claim' | 'refresh'> }): WorktreeKeeper {
  const holds = new WorktreeHolds({ claim: (subject) => storage.claim(subject), refresh: () => storage.refresh(), archive });
  return new WorktreeKeeper({ ...parts, archive, holds, worktrees: kept.worktrees, checkpoints: kept.checkpoints, changes: kept.log });
}
