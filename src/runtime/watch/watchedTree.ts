import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mapLimited } from '../base/async.ts';
import { AppError } from '../base/errors.ts';
import type { Checkpoints } from '../domain/ports.ts';
import type { FileState } from '../domain/tools.ts';
import type { Git } from '../git/git.ts';
import { shownName, textOf, type RawName } from '../git/names.ts';
import { LARGEST, presentAt, stateAt, TOO_LARGE, type KeptOut, type Present } from '../git/present.ts';
import { PrivateIndex, type Difference, type IndexEntry } from './privateIndex.ts';
import type { WatchedFolder } from './repository.ts';

/** Changed files between two looks of which contents are kept, and of which is told at all that they changed. */
const MAX_KEPT = 2_000;
const MAX_TOLD = 20_000;
const UNKEPT: FileState = { kind: 'unknown', why: `More than ${MAX_KEPT.toLocaleString('en')} files changed at once, so the content of this one was not kept.` };
/** How often a file is looked at again that is something else each time. */
const ATTEMPTS = 3;
const RESTLESS = 'It changed while it was looked at, or could not be read, so its content was not kept.';
/** Files that are read at the same time. */
const PARALLEL = 16;
/** Files of which contents are held at the same time. */
const BATCH = 64;
const LINK_MODE = '120000';
/** All that git knows of the permissions of a file. */
const EXECUTABLE = '100755';
const IGNORE_FILE = '.gitignore';

/** What became of a file between two looks. */
export interface Step {
  /** Absolute real path. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

export interface TreeLimits {
  /** New files at one look, above which a folder is too much to keep. */
  readonly newFiles: number;
}

export interface Look {
  readonly steps: readonly Step[];
  /** What else has changed, in sentences for a person. */
  readonly unseen: readonly string[];
}

/** A name that may have changed, with what stands there now. */
interface Candidate {
  readonly name: RawName;
  readonly difference: Difference;
  readonly present: Present;
}

/** What a name stands for; `other`: nothing of which a change can be shown, such as a link. */
type Side = 'file' | 'absent' | 'other';

/** A folder as it was at the last look. Only one look at a time. */
export class WatchedTree {
  readonly folder: WatchedFolder;
  readonly #index: PrivateIndex;
  readonly #dir: string;
  readonly #checkpoints: Checkpoints;
  readonly #limits: TreeLimits;
  /** What the index can't hold, by name. */
  readonly #keptOut = new Map<RawName, KeptOut>();
  #nested: readonly string[] = [];
  /** When the last look began, by the clock of the disk. */
  #lastLook = 0n;

  private constructor(folder: WatchedFolder, index: PrivateIndex, dir: string, checkpoints: Checkpoints, limits: TreeLimits) {
    this.folder = folder;
    this.#index = index;
    this.#dir = dir;
    this.#checkpoints = checkpoints;
    this.#limits = limits;
  }

  /** @param dir absolute; made here and all this tree's. Rejects with what git or the system says. */
  static async create(git: Git, folder: WatchedFolder, dir: string, checkpoints: Checkpoints, limits: TreeLimits, signal: AbortSignal): Promise<WatchedTree> {
    const index = await PrivateIndex.create(git, folder, join(dir, 'git'), signal);
    return new WatchedTree(folder, index, dir, checkpoints, limits);
  }

  /** Absolute paths of the repositories inside, as of the last look: their files aren't looked at. */
  get nested(): readonly string[] {
    return this.#nested;
  }

  /**
   * What has changed since the last look. Rejects with `unavailable` where there is too much to keep, and with what git
   * or the system says.
   * @param tells false: the state is only brought up to date, and no steps are told
   */
  async look(tells: boolean, signal: AbortSignal): Promise<Look> {
    const began = await this.#mark();
    if (!tells) await this.#index.refresh(signal);
    const differences = await this.#index.differences(signal);
    if ([...differences.values()].filter((difference) => difference === 'new').length > this.#limits.newFiles) throw new AppError('unavailable', `it holds more than ${this.#limits.newFiles.toLocaleString('en')} files that are not kept in a repository`);
    const nested = [...differences.keys()].filter((name) => name.endsWith('/')).map((name) => join(this.folder.top, shownName(name.slice(0, -1))));
    const candidates = await this.#candidates(differences);
    const told = tells ? await this.#tell(candidates, signal) : { steps: [], unseen: [] };
    const appeared = tells ? nested.filter((path) => !this.#nested.includes(path)) : [];
    const restless = await this.#takeOver(candidates, signal);
    this.#nested = nested;
    this.#lastLook = began;
    const steps = told.steps.map((step): Step => (restless.has(step.path) ? { ...step, after: { kind: 'unknown', why: RESTLESS } } : step));
    return { steps, unseen: [...told.unseen, ...(appeared.length === 0 ? [] : [`Files of a new repository inside the folder are not kept: ${listed(appeared)}.`])] };
  }

  async #candidates(differences: ReadonlyMap<RawName, Difference>): Promise<readonly Candidate[]> {
    const names = [...differences.keys()].filter((name) => !name.endsWith('/'));
    // Of what isn't in the index it can't tell that it is gone.
    const others = [...this.#keptOut.keys()].filter((name) => !differences.has(name));
    const all = await mapLimited([...names, ...others], PARALLEL, async (name) => ({ name, difference: differences.get(name) ?? 'new', present: await presentAt(this.folder.top, name) }));
    return all.filter(({ name, present }) => present.kind !== 'kept_out' || this.#keptOut.get(name)?.stamp !== present.stamp);
  }

  /** The present state becomes the last one. Gives the paths of files that never stood still for that. */
  async #takeOver(candidates: readonly Candidate[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    let rest = candidates;
    for (let attempt = 0; attempt < ATTEMPTS && rest.length > 0; attempt += 1) {
      const namesOf = (kind: Present['kind']): readonly RawName[] => rest.filter(({ present }) => present.kind === kind).map(({ name }) => name);
      const refused = await this.#index.update(namesOf('file'), namesOf('absent'), signal);
      for (const { name, present } of rest) {
        if (present.kind === 'kept_out') this.#keptOut.set(name, present);
        else this.#keptOut.delete(name);
      }
      rest = await mapLimited(rest.filter(({ name }) => refused.has(name)), PARALLEL, async (candidate) => ({ ...candidate, present: await presentAt(this.folder.top, candidate.name) }));
    }
    const paths = rest.map(({ name }) => [name, join(this.folder.top, shownName(name))] as const);
    // Its stamp is nobody's, so that the next look takes it up again.
    for (const [name, path] of paths) this.#keptOut.set(name, { kind: 'kept_out', stamp: '', path, why: RESTLESS });
    return new Set(paths.map(([, path]) => path));
  }

  async #tell(candidates: readonly Candidate[], signal: AbortSignal): Promise<{ readonly steps: readonly Step[]; readonly unseen: readonly string[] }> {
    const known = candidates.filter(({ name, difference }) => difference !== 'new' && !this.#keptOut.has(name));
    const entries = await this.#index.entries(known.map(({ name }) => name), signal);
    const uncovered = await this.#uncovered(candidates, entries, signal);
    const relevant = candidates.filter(({ name, present }) => !(uncovered.has(name) && present.kind === 'file' && present.changedAt < this.#lastLook));
    const sides = ({ name, present }: Candidate): readonly Side[] => (textOf(name) === undefined ? ['other'] : [this.#sideBefore(name, entries.get(name)), sideOf(present)]);
    const files = relevant.filter((candidate) => sides(candidate).includes('file'));
    const others = relevant.filter((candidate) => !sides(candidate).includes('file') && sides(candidate).includes('other'));
    const steps: Step[] = [];
    for (let at = 0; at < Math.min(files.length, MAX_KEPT); at += BATCH) {
      steps.push(...(await this.#steps(files.slice(at, Math.min(at + BATCH, MAX_KEPT)), entries, uncovered, signal)));
    }
    for (const { name, present } of files.slice(MAX_KEPT, MAX_TOLD)) {
      const isNew = this.#sideBefore(name, entries.get(name)) === 'absent' && !uncovered.has(name);
      steps.push({ path: join(this.folder.top, textOf(name) ?? ''), before: isNew ? { kind: 'absent' } : UNKEPT, after: present.kind === 'absent' ? { kind: 'absent' } : UNKEPT });
    }
    return {
      steps,
      unseen: [
        ...(others.length > 0 ? [`Changes of symbolic links, and of files whose names are no text, can't be shown or undone: ${listed(others.map(({ name }) => shownName(name)))}.`] : []),
        ...(files.length > MAX_TOLD ? [`More than ${MAX_TOLD.toLocaleString('en')} files changed at once; the others are not known.`] : []),
      ],
    };
  }

  #sideBefore(name: RawName, entry: IndexEntry | undefined): Side {
    const keptOut = this.#keptOut.get(name);
    if (keptOut) return sideOf(keptOut);
    if (entry === undefined) return 'absent';
    return entry.mode === LINK_MODE ? 'other' : 'file';
  }

  async #steps(candidates: readonly Candidate[], entries: ReadonlyMap<RawName, IndexEntry>, uncovered: ReadonlySet<RawName>, signal: AbortSignal): Promise<readonly Step[]> {
    const small = candidates.flatMap(({ name }) => {
      const entry = entries.get(name);
      return entry && entry.mode !== LINK_MODE && entry.size <= LARGEST && !this.#keptOut.has(name) ? [[name, entry] as const] : [];
    });
    const contents = await this.#index.contents(new Map(small), signal);
    const before = async (name: RawName): Promise<FileState> => {
      const why = this.#keptOut.get(name)?.why ?? (uncovered.has(name) ? 'Git ignored the file until now, so nobody knows what stood there before.' : undefined);
      if (why !== undefined) return { kind: 'unknown', why };
      const [entry, content] = [entries.get(name), contents.get(name)];
      if (entry === undefined) return { kind: 'absent' };
      if (content === undefined) return { kind: 'unknown', why: entry.mode === LINK_MODE ? 'It was a symbolic link, which is not kept.' : TOO_LARGE };
      return typeof content === 'string' ? { kind: 'unknown', why: content } : this.#checkpoints.keep(content, entry.mode === EXECUTABLE ? 0o755 : undefined);
    };
    return mapLimited(candidates, PARALLEL, async ({ name, present }) => ({ path: join(this.folder.top, textOf(name) ?? ''), before: await before(name), after: await this.#after(present) }));
  }

  async #after(present: Present): Promise<FileState> {
    switch (present.kind) {
      case 'absent':
        return present;
      case 'kept_out':
        return { kind: 'unknown', why: present.why };
      case 'file':
        return stateAt(present.path, this.#checkpoints);
    }
  }

  /** New files that only seem so: they were ignored at the last look, and the rules have changed. */
  async #uncovered(candidates: readonly Candidate[], entries: ReadonlyMap<RawName, IndexEntry>, signal: AbortSignal): Promise<ReadonlySet<RawName>> {
    const isRule = ({ name }: Candidate): boolean => name === IGNORE_FILE || name.endsWith(`/${IGNORE_FILE}`);
    const seemNew = candidates.filter(({ name }) => !entries.has(name) && !this.#keptOut.has(name)).map(({ name }) => name);
    if (seemNew.length === 0 || !candidates.some(isRule)) return new Set();
    const rules = join(this.#dir, 'rules');
    await mkdir(rules, { recursive: true });
    try {
      const before = await this.#index.contents(await this.#index.entries(await this.#index.named(IGNORE_FILE, signal), signal), signal);
      for (const [name, content] of before) {
        const path = join(rules, textOf(name) ?? '');
        if (typeof content === 'string' || path === rules) continue;
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content);
      }
      return await this.#index.ignored(seemNew, rules, signal);
    } finally {
      await rm(rules, { recursive: true, force: true });
    }
  }

  async #mark(): Promise<bigint> {
    const path = join(this.#dir, 'mark');
    await writeFile(path, `${this.#lastLook}`);
    return (await lstat(path, { bigint: true })).ctimeNs;
  }
}

function sideOf(present: Present): Side {
  if (present.kind !== 'kept_out') return present.kind;
  return present.path === undefined ? 'other' : 'file';
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown}, and ${names.length - 3} more` : shown;
}
