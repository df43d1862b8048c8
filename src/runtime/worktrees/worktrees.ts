import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { AppError, errorText } from '../base/errors.ts';
import { lockFile } from '../store/fileLock.ts';
import type { WorktreeSpec } from '../domain/agents.ts';
import type { WorktreeGuard, WorktreeLimits } from '../domain/ports.ts';
import type { WorktreeChange, WorktreeFiles, WorktreePlan } from '../domain/worktrees.ts';
import { findGit, type Git } from '../git/git.ts';
import { contentAt } from '../git/present.ts';
import { readBaseFile } from './baseFile.ts';
import { findChanges, type GitAt } from './changedFiles.ts';
import { ownCommits, type OwnCommits } from './commits.ts';
import { holdsMore } from './folders.ts';
import { adminDirOf, branchOf, checkOut, detach, discard, gitOf, otherWorktrees, type WorktreePlace } from './place.ts';
import { foldersOf, planWorktree } from './plan.ts';
import { putAll, putFile, type Contents } from './putFile.ts';
import { unstage } from './staged.ts';
import { WorktreeRecords, type WorktreeRecord } from './records.ts';

/** Milliseconds of a look at a repository or a worktree; a checkout may take as long as its child has. */
const LONGEST_LOOK = 60_000;
/** Milliseconds for which others may be making worktrees of the same repository. */
const PATIENCE = 10 * 60_000;

export interface WorktreesOptions {
  /** Absolute; made on first use. */
  readonly folder: string;
  /** The host's, such as `process.env`: git is looked for on its `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The worktrees of children, each in a folder named after its child. What git keeps of them in the repository is all that changes there. */
export class Worktrees implements WorktreeFiles {
  readonly #options: WorktreesOptions;
  readonly #records: WorktreeRecords;
  #git: Promise<Git | undefined> | undefined;

  constructor(options: WorktreesOptions) {
    this.#options = options;
    this.#records = new WorktreeRecords(options.folder);
  }

  /** How a worktree of that folder would begin now. Rejects with `unavailable` and what to do. */
  async plan(cwd: string): Promise<WorktreePlan> {
    return planWorktree(await this.#requireGit(), cwd, AbortSignal.timeout(LONGEST_LOOK));
  }

  /** The worktree that the child of that id is to have. Rejects with the system's error. */
  async specify(agentId: string, { top: _top, within, commonDir: _common, hasSubmodules: _modules, ...plan }: WorktreePlan): Promise<WorktreeSpec> {
    const { tree } = await this.#place(agentId);
    return { path: join(tree, within), ...plan };
  }

  /**
   * Makes the worktree, or finds it as it was left; one that is made has these contents in it: what was accepted of the child.
   * Resolves to whether it was made. Rejects with `not_found` where it is gone, and with what git or the system says.
   * @param cwd absolute path of the folder of the workspace that it is of
   * @param isNew the child hasn't worked yet
   */
  async open(agentId: string, spec: WorktreeSpec, cwd: string, isNew: boolean, contents: () => Promise<Contents>, signal: AbortSignal): Promise<boolean> {
    const known = await this.#records.read(agentId);
    const place = await this.#place(agentId);
    if (known?.state === 'ready') {
      if (await this.#isThere(known, place)) return false;
      throw gone(spec);
    }
    if (!known && !isNew) throw gone(spec);
    const { top, within, commonDir } = known ?? (await this.plan(cwd));
    const record: WorktreeRecord = { agentId, top, within, commonDir, base: spec.base, state: 'creating' };
    const accepted = await contents();
    await this.#create(record, place, signal);
    // Whatever became of an earlier attempt: without them, what was accepted would look like something that the child took back.
    await putAll(accepted, record, place);
    await mkdir(spec.path, { recursive: true });
    await this.#records.write({ ...record, state: 'ready' });
    return true;
  }

  async changes(agentId: string): Promise<readonly WorktreeChange[]> {
    return this.#ask(agentId, async ({ record, at, own, place }, git) => findChanges(git, { at, own, tree: place.tree, top: record.top, base: record.base }));
  }

  async unchanged(agentId: string, path: string): Promise<WorktreeChange> {
    const { record, place } = await this.#require(agentId);
    return { path, place: join(place.tree, relative(record.top, path)), kind: 'edited', wasExecutable: false, isExecutable: false };
  }

  async before(agentId: string, change: WorktreeChange): Promise<Uint8Array | undefined> {
    return this.#ask(agentId, async ({ at, place }, git) => readBaseFile(git, at, dirname(place.tree), nameIn(place, change)));
  }

  async now(agentId: string, { place, problem }: WorktreeChange): Promise<Uint8Array | undefined> {
    if (problem !== undefined) throw new AppError('unavailable', problem);
    const content = await contentAt(place);
    // A file that goes with the whole worktree is none that the child deleted.
    if (!(await this.has(agentId))) throw new AppError('not_found', GONE);
    if (content === undefined || content instanceof Uint8Array) return content;
    throw new AppError('unavailable', content.kind === 'unknown' ? content.why : 'The file could not be read.');
  }

  async put(agentId: string, change: WorktreeChange, bytes: Uint8Array | undefined, isExecutable: boolean): Promise<void> {
    // What is taken back isn't to be found in what is staged either.
    await this.#ask(agentId, async ({ own, place }, git) => unstage(git, own, nameIn(place, change)));
    await putFile(change.place, bytes, isExecutable);
  }

  async takeOverMode({ path, isExecutable }: WorktreeChange): Promise<void> {
    const found = await lstat(path).catch(() => undefined);
    // Who may read it may run it.
    if (found?.isFile()) await chmod(path, isExecutable ? found.mode | ((found.mode & 0o444) >> 2) : found.mode & ~0o111);
  }

  readonly holdsMore: WorktreeFiles['holdsMore'] = holdsMore;

  /** The commits of the child that would be lost with its worktree. Rejects as `changes`. */
  async commits(agentId: string): Promise<OwnCommits> {
    return this.#ask(agentId, async ({ record, at }, git) => ownCommits(git, at, record.base));
  }

  /** The children of which there may be a worktree. Rejects with the system's error. */
  ids(): Promise<readonly string[]> {
    return this.#records.ids();
  }

  /** Whether the child has a worktree that is there. */
  async has(agentId: string): Promise<boolean> {
    const record = await this.#records.read(agentId);
    return record?.state === 'ready' && this.#isThere(record, await this.#place(agentId));
  }

  async isLost(agentId: string): Promise<boolean> {
    const record = await this.#records.read(agentId);
    if (!record) return true;
    // One that is being made has nothing in it yet that could be lost.
    return record.state === 'ready' && !(await this.#isThere(record, await this.#place(agentId)));
  }

  /** What holds for the child, and what looks after it. Rejects as `changes`. */
  async guard(agentId: string, { path }: WorktreeSpec): Promise<WorktreeGuard> {
    const { record, place } = await this.#require(agentId);
    const limits = async (): Promise<WorktreeLimits> => ({
      folder: path, top: place.tree, standsFor: record.top, home: await this.#home(), protects: [...foldersOf(record), ...(await otherWorktrees(record.commonDir, place.tree))],
    });
    return { limits, leaveBranch: () => this.#leaveBranch(agentId) };
  }

  async #leaveBranch(agentId: string): Promise<string | undefined> {
    const branch = await branchOf((await this.#require(agentId)).adminDir);
    if (branch !== undefined) await this.#ask(agentId, ({ record, at }, git) => detach(git, at, record.base));
    return branch?.replace(/^refs\/heads\//, '');
  }

  async #home(): Promise<string> {
    const { HOME } = this.#options.env;
    const home = HOME === undefined || HOME === '' ? homedir() : HOME;
    return realpath(home).catch(() => home);
  }

  /** Removes a worktree with all that is in it. Idempotent; a later call ends what an earlier one began. Rejects with the system's error. */
  async remove(agentId: string): Promise<void> {
    const record = await this.#records.read(agentId);
    if (!record) return;
    // First, so that what is gone of it after a crash isn't taken for the child's work.
    if (record.state !== 'removed') await this.#records.write({ ...record, state: 'removed' });
    const place = await this.#place(agentId);
    await this.#alone(record.commonDir, () => discard(record, place));
  }

  /** Ends a removal that was begun. True where there is nothing more to do with it. Rejects as `remove`. */
  async endRemoval(agentId: string): Promise<boolean> {
    if ((await this.#records.read(agentId))?.state !== 'removed') return false;
    await this.remove(agentId);
    return true;
  }

  async #create(record: WorktreeRecord, place: WorktreePlace, signal: AbortSignal): Promise<void> {
    const git = await this.#requireGit();
    await this.#records.write(record);
    await this.#alone(record.commonDir, async () => {
      await discard(record, place);
      await checkOut(git, record, place, signal).catch(async (error: unknown) => {
        await discard(record, place).catch(() => undefined);
        if (signal.aborted) throw error;
        throw new AppError('unavailable', `A worktree of ${record.top} could not be made: ${errorText(error)}`, { cause: error });
      });
    });
  }

  /** One at a time for each repository, in all processes. */
  async #alone<T>(commonDir: string, work: () => Promise<T>): Promise<T> {
    const lock = await lockFile(join(this.#options.folder, `repository-${createHash('sha256').update(commonDir).digest('hex').slice(0, 16)}`), () => PATIENCE);
    try {
      return await work();
    } finally {
      // One that can't be removed goes stale.
      await lock.release().catch(() => undefined);
    }
  }

  /** Rejects with `not_found` where the worktree went meanwhile, else with `unavailable`. */
  async #ask<T>(agentId: string, work: (found: Found, git: Git) => Promise<T>): Promise<T> {
    const found = await this.#require(agentId);
    const git = await this.#requireGit();
    try {
      return await work(found, git);
    } catch (error) {
      if (!(await this.has(agentId))) throw new AppError('not_found', GONE, { cause: error });
      throw new AppError('unavailable', `Its worktree can't be looked at: ${errorText(error)}`, { cause: error });
    }
  }

  async #require(agentId: string): Promise<Found> {
    const record = await this.#records.read(agentId);
    const place = await this.#place(agentId);
    const adminDir = record?.state === 'ready' ? await adminDirOf(record.commonDir, place.tree) : undefined;
    if (!record || adminDir === undefined) throw new AppError('not_found', GONE);
    const signal = AbortSignal.timeout(LONGEST_LOOK);
    return { record, adminDir, at: { ...gitOf(adminDir, place), signal }, own: { ...gitOf(adminDir, { ...place, index: join(adminDir, 'index') }), signal }, place };
  }

  async #isThere({ commonDir }: WorktreeRecord, { tree, index }: WorktreePlace): Promise<boolean> {
    const areThere = await Promise.all([tree, index].map((path) => stat(path).then(() => true, () => false)));
    return areThere.every(Boolean) && (await adminDirOf(commonDir, tree)) !== undefined;
  }

  async #place(agentId: string): Promise<WorktreePlace> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const folder = await realpath(this.#options.folder);
    return { tree: join(folder, agentId), index: join(folder, `${agentId}.index`) };
  }

  async #requireGit(): Promise<Git> {
    const git = await (this.#git ??= findGit(this.#options.env));
    if (git) return git;
    this.#git = undefined;
    throw new AppError('unavailable', 'No git is found on the PATH, and without it there are no worktrees: install git, or let an agent without `isolation: worktree` do it.');
  }
}

/** As git names the file. */
function nameIn({ tree }: WorktreePlace, { place }: WorktreeChange): string {
  return place.slice(tree.length + 1);
}

const GONE = 'Its worktree is gone.';

interface Found {
  readonly record: WorktreeRecord;
  readonly adminDir: string;
  readonly at: GitAt;
  /** The same with the index that the child's git works with. */
  readonly own: GitAt;
  readonly place: WorktreePlace;
}

function gone({ path }: WorktreeSpec): AppError {
  return new AppError('not_found', `The worktree ${path} is gone, and with it what was not merged. Delegate the work anew.`);
}
