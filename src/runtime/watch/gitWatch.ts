import { realpath, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Serial } from '../base/async.ts';
import { abortable, isAbort } from '../base/abort.ts';
import { SYSTEM_CLOCK, type Clock } from '../base/clock.ts';
import { errorText, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import { oneLine } from '../base/text.ts';
import type { ChangeWatch, Checkpoints, FilePort } from '../domain/ports.ts';
import { findGit, type Git } from '../git/git.ts';
import { KnownWrites, type KnownWrite } from './knownWrites.ts';
import { OpenCall, type Doubt } from './openCall.ts';
import { findFolder, withoutFolder, type WatchedFolder } from './repository.ts';
import { doubtOf, OTHER_COMMAND, sharesOf } from './share.ts';
import { WatchedTree, type Step } from './watchedTree.ts';

/** Milliseconds of a look: a person may be waiting for it. */
const LONGEST_LOOK = 10_000;
/** Milliseconds for which a folder is left alone where the first look at it fails, or any look takes too long; twice as long each time that this follows upon itself. */
const PAUSE = 5 * 60_000;
/** Files that are in no repository, above which a folder is left alone. */
const MAX_NEW_FILES = 20_000;
/** Repositories inside of one folder, at any depth. */
const MAX_NESTED = 20;

export interface GitWatchOptions {
  /** Absolute; made on first use, and all this watch's. */
  readonly folder: string;
  readonly checkpoints: Checkpoints;
  /** Absolute: a folder in which nothing is seen, since it is not commands that write there. */
  readonly ownFolder: string;
  /** The host's, such as `process.env`: git is looked for on its `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the first look at a folder, and of a later one. Default 10,000. */
  readonly firstLookMs?: number;
  readonly laterLookMs?: number;
  readonly clock?: Clock;
  /** See `MAX_NEW_FILES`. */
  readonly maxNewFiles?: number;
}

/** A tree with the calls that are under way in it. */
interface Watched {
  readonly tree: WatchedTree;
  /** All that the tree keeps. */
  readonly own: string;
  readonly turn: Serial;
  readonly calls: Set<OpenCall>;
  /** Calls that begin, are under way, or end. */
  users: number;
  /** Set once it is given up. */
  lost?: Unwatched;
}

/** A folder of which nothing can be known for some time. */
interface Unwatched {
  /** In a sentence. */
  readonly why: string;
  readonly pause: number;
  /** By the clock's `elapsed`. */
  readonly until: number;
}

/**
 * Finds what calls change with git, in private indexes: of repositories nothing is ever written. Not seen are files that git
 * ignores, and what lies outside of the folders.
 */
export class GitWatch implements ChangeWatch {
  readonly #options: GitWatchOptions;
  readonly #trees = new Map<string, Promise<Watched | Unwatched>>();
  readonly #open = new Set<Watched>();
  readonly #known: KnownWrites;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  readonly #listening = new DisposableStore();
  #git: Git | undefined;

  constructor(options: GitWatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#known = new KnownWrites(options.checkpoints, (path) => [...this.#open].some(({ users, tree }) => users > 0 && isIn(path, tree.folder.path)));
  }

  /** The same files; what is written through the result is no command's, nor what the user saves. */
  observe(files: FilePort): FilePort {
    const listening = files.onDidSave?.((saved) => this.#known.saved(saved));
    if (listening) this.#listening.add(listening);
    return this.#known.observe(files);
  }

  async begin(folders: readonly string[], agentId?: string): ReturnType<ChangeWatch['begin']> {
    const call = new OpenCall(agentId);
    const entered = new Set<Watched>();
    await this.#enterAll(folders, call, entered);
    let ended: ReturnType<Awaited<ReturnType<ChangeWatch['begin']>>['end']> | undefined;
    return {
      end: () =>
        (ended ??= Promise.all([...entered].map((watched) => this.#leave(watched, call))).then(() => call.result())),
    };
  }

  /** Ends looks under way and removes all that was kept for them. Idempotent; never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#listening.dispose();
    await Promise.all(this.#trees.values());
    await Promise.all([...this.#open].map(({ turn }) => turn.idle()));
    await remove(this.#options.folder);
  }

  async #enterAll(folders: readonly string[], call: OpenCall, entered: Set<Watched>): Promise<void> {
    const git = (this.#git ??= await findGit(this.#options.env));
    if (!git) return call.addUnseen('What commands change in files is not known, since no git is found on the PATH.');
    const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
    // Outer ones first: they may hold the others.
    for (const folder of [...new Set(real.filter((path) => path !== undefined))].sort((a, b) => a.length - b.length)) {
      await this.#enter(git, folder, call, entered);
    }
  }

  /** Looks, and takes the call in: from now on what changes there may be its work. Then the same for repositories inside. */
  async #enter(git: Git, folder: string, call: OpenCall, entered: Set<Watched>): Promise<void> {
    const watched = await this.#watchedAt(git, folder);
    if ('until' in watched) return call.addUnseen(watched.why);
    if ([...entered].some(({ tree }) => holds(tree.folder, watched.tree.folder))) return;
    if (entered.size > MAX_NESTED) return call.addUnseen(`There are more than ${MAX_NESTED} repositories; of the others it is not known what commands change.`);
    entered.add(watched);
    watched.users += 1;
    const isEntered = await watched.turn.run(async () => {
      if (watched.lost) call.addUnseen(watched.lost.why);
      const isDone = !watched.lost && await this.#look(watched, undefined, call);
      if (isDone) watched.calls.add(call);
      return isDone;
    });
    if (isEntered) return void (await Promise.all(watched.tree.nested.map((inside) => this.#enter(git, inside, call, entered))));
    entered.delete(watched);
    watched.users -= 1;
  }

  async #leave(watched: Watched, call: OpenCall): Promise<void> {
    await watched.turn.run(async () => {
      if (watched.lost) call.addUnseen(watched.lost.why);
      else await this.#look(watched, call, call);
      watched.calls.delete(call);
      watched.users -= 1;
    });
  }

  /** Looks and gives what changed to the calls under way. False where that failed, which `asker` is told. Never rejects. */
  async #look(watched: Watched, ending: OpenCall | undefined, asker: OpenCall): Promise<boolean> {
    const { tree, calls } = watched;
    const written = this.#writtenIn(tree);
    const limit = AbortSignal.timeout(this.#options.laterLookMs ?? LONGEST_LOOK);
    const signal = AbortSignal.any([this.#closing.signal, limit]);
    try {
      // A disk that hangs hears of no signal.
      const { steps, unseen } = await abortable(tree.look(calls.size > 0, signal), signal);
      await this.#known.settled();
      this.#giveOut(steps, this.#writtenIn(tree), calls, ending);
      const [oldest] = calls;
      for (const sentence of unseen) (ending ?? oldest)?.addUnseen(sentence);
      this.#known.forget(written);
      return true;
    } catch (error) {
      if (limit.aborted) await this.#giveUp(watched, asker);
      else asker.addUnseen(`What was changed in ${tree.folder.path} is not known: ${reasonOf(error)}.`);
      return false;
    }
  }

  #writtenIn({ folder, nested }: WatchedTree): ReadonlyMap<string, readonly KnownWrite[]> {
    return this.#known.where((path) => isIn(path, folder.path) && !nested.some((inside) => isIn(path, inside)));
  }

  #giveOut(steps: readonly Step[], known: ReadonlyMap<string, readonly KnownWrite[]>, calls: ReadonlySet<OpenCall>, ending: OpenCall | undefined): void {
    const [oldest] = calls;
    const reporter = ending ?? oldest;
    const doubt = doubtBetween(calls);
    for (const step of steps) {
      for (const { isOthers, step: part, unsure } of sharesOf(step, known.get(step.path) ?? [])) {
        const other = unsure === undefined ? doubt : { why: unsure };
        if (isOthers) reporter?.follow(part, other);
        else reporter?.add(part, unsure !== undefined || calls.size > 1 ? other : undefined);
        if (unsure !== undefined) reporter?.close(step.path, other);
      }
      for (const call of calls) if (call !== reporter) call.follow(step, doubt);
    }
    // What others wrote and took back is part of what came between as well.
    const told = new Set(steps.map(({ path }) => path));
    for (const [path, writes] of known) if (!told.has(path)) for (const call of calls) call.close(path, { why: doubtOf(writes) });
  }

  /** Whoever waits would wait again and again: so it is left alone for some time, and then begun anew. */
  async #giveUp(watched: Watched, asker: OpenCall): Promise<void> {
    const { tree: { folder: { path } }, own, calls } = watched;
    watched.lost = this.#unwatched(`What commands change in ${path} is not known for now: looking took too long.`);
    for (const call of [...calls, asker]) call.addUnseen(watched.lost.why);
    calls.clear();
    this.#open.delete(watched);
    this.#trees.set(path, Promise.resolve(watched.lost));
    await remove(own);
  }

  #unwatched(why: string, earlier?: Unwatched): Unwatched {
    const pause = earlier ? earlier.pause * 2 : PAUSE;
    return { why, pause, until: this.#clock.elapsed() + pause };
  }

  async #watchedAt(git: Git, folder: string): Promise<Watched | Unwatched> {
    const there = this.#trees.get(folder);
    const found = await there;
    if (found && (!('until' in found) || this.#clock.elapsed() < found.until)) return found;
    // Another call may have begun meanwhile.
    const opening = this.#trees.get(folder) === there ? this.#openTree(git, folder, found) : this.#trees.get(folder)!;
    this.#trees.set(folder, opening);
    return opening;
  }

  /** The first look at a folder. Where it fails or takes too long, the folder is left alone for some time. Never rejects. */
  async #openTree(git: Git, folder: string, earlier: Unwatched | undefined): Promise<Watched | Unwatched> {
    const limit = AbortSignal.timeout(this.#options.firstLookMs ?? LONGEST_LOOK);
    const signal = AbortSignal.any([this.#closing.signal, limit]);
    const own = join(this.#options.folder, randomId());
    try {
      const { ownFolder, env } = this.#options;
      const found = withoutFolder(await findFolder(git, folder, env, signal), await realpath(ownFolder).catch(() => ownFolder));
      const tree = await abortable(WatchedTree.create(git, found, own, this.#options.checkpoints, { newFiles: this.#options.maxNewFiles ?? MAX_NEW_FILES }, signal), signal);
      await abortable(tree.look(false, signal), signal);
      const watched: Watched = { tree, own, turn: new Serial(), calls: new Set<OpenCall>(), users: 0 };
      this.#open.add(watched);
      return watched;
    } catch (error) {
      await remove(own);
      return this.#unwatched(`What commands change in ${folder} is not known: ${limit.aborted ? 'it is too large to look at' : reasonOf(error)}.`, earlier);
    }
  }
}

/** Why something may be the work of another call: one of these it was, where all are known. */
function doubtBetween(calls: ReadonlySet<OpenCall>): Doubt {
  const agentIds = [...calls].flatMap(({ agentId }) => agentId ?? []);
  return { why: OTHER_COMMAND, ...(agentIds.length === calls.size && { oneOf: [...new Set(agentIds)].sort() }) };
}

/** What can't be removed now is when another host finds that this one has gone. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether who looks at the outer folder sees all of the inner one. */
function holds(outer: WatchedFolder, inner: WatchedFolder): boolean {
  const isSameTree = outer.top === inner.top || (outer.repository === undefined && inner.repository === undefined);
  return isSameTree && (inner.path === outer.path || isIn(inner.path, outer.path));
}

function reasonOf(error: unknown): string {
  if (isAbort(error)) return 'looking took too long';
  const text = oneLine(errorText(error)).replace(/\.$/, '');
  return isAppError(error) ? text : `git could not look (${text})`;
}
