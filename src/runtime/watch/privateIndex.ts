import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyIndex } from '../git/copyIndex.ts';
import type { Git, GitCall } from '../git/git.ts';
import { joinNul, splitNul, type RawName } from '../git/names.ts';
import type { Repository, WatchedFolder } from './repository.ts';

/** What a private index holds of a file. `size`: of the file on the disk when it was last looked at; 0 where it has to be read again. */
export interface IndexEntry {
  readonly mode: string;
  readonly object: string;
  readonly size: number;
}

/** What differs from the index: `changed` and `gone` are in it, `new` isn't. A new name that ends with `/` is a repository. */
export type Difference = 'changed' | 'gone' | 'new';

/** Stronger than all that a project or a user says: bytes are taken as they are, and no filter runs. */
const ATTRIBUTES = '* -text -eol -crlf -ident -filter -working-tree-encoding\n';
/** By which a repository may hold other bytes than the disk, besides those of line ends. */
const CONVERTING = ['filter', 'ident', 'working-tree-encoding'];
/** The mode of a file is no content. */
const SETTINGS = [
  'core.bare=false', 'core.fileMode=false', 'core.autocrlf=false', 'core.safecrlf=false', 'core.looseCompression=1', 'core.fsync=none', 'core.excludesFile=', 'core.attributesFile=',
].flatMap((setting) => ['-c', setting]);
/** Exit codes that are no failures. */
const NONE_IGNORED = 1;
const UNMERGED = 1;
/** Names that are passed as arguments; of more, all entries are listed. */
const MAX_ARGUMENTS = 100;
/** Failures to take files, above which it isn't for single ones of them. */
const MAX_FAILURES = 50;

/**
 * An index and a store of objects of our own over the work tree of a repository, or over any folder: git tells with
 * them what has changed since they were last brought up to date. The repository itself is only read.
 */
export class PrivateIndex {
  readonly #git: Git;
  readonly #folder: WatchedFolder;
  readonly #dir: string;
  /** Brought from the repository, which may hold them in another form. */
  #converted: ReadonlySet<RawName> = new Set();
  readonly #own = new Set<RawName>();

  private constructor(git: Git, folder: WatchedFolder, dir: string) {
    this.#git = git;
    this.#folder = folder;
    this.#dir = dir;
  }

  /** @param dir absolute; made here. Rejects with what git or the system says. */
  static async create(git: Git, folder: WatchedFolder, dir: string, signal: AbortSignal): Promise<PrivateIndex> {
    const index = new PrivateIndex(git, folder, dir);
    await mkdir(join(dir, 'info'), { recursive: true, mode: 0o700 });
    const format = folder.repository?.objectFormat ?? 'sha1';
    await git(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, dir], { cwd: folder.top, signal });
    await writeFile(join(dir, 'info', 'attributes'), ATTRIBUTES);
    await writeFile(join(dir, 'info', 'exclude'), folder.ignoreRules, 'latin1');
    if (folder.repository && (await copyIndex(folder.repository.index, join(dir, 'index')))) await index.#adopt(folder.repository, signal);
    return index;
  }

  /** Names of what was copied and differs now on the disk in content, or is new and isn't ignored. */
  async differences(signal: AbortSignal): Promise<ReadonlyMap<RawName, Difference>> {
    const kinds: Readonly<Record<string, Difference>> = { C: 'changed', R: 'gone', '?': 'new' };
    const found = new Map<RawName, Difference>();
    for (const line of splitNul(await this.#run(['--literal-pathspecs', 'ls-files', '-z', '-t', '-m', '-o', '-d', '--exclude-standard', '--', ...this.#limits()], signal))) {
      const [kind, name] = [kinds[line.charAt(0)], line.slice(2)];
      // A file that is gone is listed as changed, too.
      if (kind !== undefined && found.get(name) !== 'gone') found.set(name, kind);
    }
    return found;
  }

  /** Reads anew what seems changed and isn't, so that it need not be read at every look. */
  async refresh(signal: AbortSignal): Promise<void> {
    await this.#run(['update-index', '-q', '--refresh'], signal, { accepts: UNMERGED });
  }

  async entries(names: readonly RawName[], signal: AbortSignal): Promise<ReadonlyMap<RawName, IndexEntry>> {
    if (names.length === 0) return new Map();
    const wanted = new Set(names);
    const limits = names.length > MAX_ARGUMENTS || names.some((name) => !isAscii(name)) ? [] : names;
    const output = await this.#run(['--literal-pathspecs', 'ls-files', '-z', '--stage', '--debug', '--', ...limits], signal);
    return readEntries(output, wanted);
  }

  /** Names of all files in the index whose last part is this. */
  async named(last: string, signal: AbortSignal): Promise<readonly RawName[]> {
    const names = splitNul(await this.#run(['ls-files', '-z'], signal));
    return names.filter((name) => name === last || name.endsWith(`/${last}`));
  }

  /** The bytes that stood on the disk for an entry, or why they can't be told, in a sentence. */
  async contents(entries: ReadonlyMap<RawName, IndexEntry>, signal: AbortSignal): Promise<ReadonlyMap<RawName, Uint8Array | string>> {
    const found = await this.#objects([...new Set([...entries.values()].map(({ object }) => object))], signal);
    return new Map([...entries].map(([name, entry]) => [name, this.#onDisk(name, entry, found.get(entry.object))]));
  }

  /** Takes the files as they are on the disk now, and forgets those that are gone. Gives those that git refuses, as where a folder stands there by now; these stay as they were. */
  async update(present: readonly RawName[], gone: readonly RawName[], signal: AbortSignal): Promise<ReadonlySet<RawName>> {
    // First, since a file may stand where a folder was.
    if (gone.length > 0) await this.#run(['update-index', '--force-remove', '-z', '--stdin'], signal, { input: joinNul(gone) });
    const refused = new Set(await this.#add(present, signal, { failures: 0 }));
    for (const name of present) if (!refused.has(name)) this.#own.add(name);
    return refused;
  }

  /** Git takes all of them or none: what is in the way is looked for in one half and the other. Rejects with what it says where that is too much. */
  async #add(names: readonly RawName[], signal: AbortSignal, count: { failures: number }): Promise<readonly RawName[]> {
    if (names.length === 0) return [];
    try {
      await this.#run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], signal, { input: joinNul(names) });
      return [];
    } catch (error) {
      if (signal.aborted || (count.failures += 1) > MAX_FAILURES) throw error;
      if (names.length === 1) return names;
      const middle = Math.ceil(names.length / 2);
      return [...(await this.#add(names.slice(0, middle), signal, count)), ...(await this.#add(names.slice(middle), signal, count))];
    }
  }

  /** Which of the names are ignored where `rules` is the work tree: a folder with nothing but ignore files. */
  async ignored(names: readonly RawName[], rules: string, signal: AbortSignal): Promise<ReadonlySet<RawName>> {
    if (names.length === 0) return new Set();
    // By this beginning it takes none for a pattern.
    const input = joinNul(names.map((name) => `./${name}`));
    const output = await this.#run(['check-ignore', '--no-index', '-z', '--stdin'], signal, { input, env: { GIT_WORK_TREE: rules }, cwd: rules, accepts: NONE_IGNORED });
    return new Set(splitNul(output).map((name) => name.slice(2)));
  }

  /** Repositories inside come out of it: each has an index of its own. So do marks that hide changes. */
  async #adopt(repository: Repository, signal: AbortSignal): Promise<void> {
    const env = this.#alternates();
    const listed = splitNul(await this.#run(['ls-files', '-z', '-v', '--stage'], signal, { env }));
    const modules: RawName[] = [];
    const names: RawName[] = [];
    let [isHidden, isSkipped] = [false, false];
    for (const line of listed) {
      const tab = line.indexOf('\t');
      const [name, tag, mode] = [line.slice(tab + 1), line.charAt(0), line.slice(2, 8)];
      if (mode === '160000') modules.push(name);
      else names.push(name);
      isHidden ||= tag !== tag.toUpperCase();
      isSkipped ||= tag.toUpperCase() === 'S';
    }
    const all = joinNul(names);
    if (modules.length > 0) await this.#run(['update-index', '--force-remove', '-z', '--stdin'], signal, { env, input: joinNul(modules) });
    if (isHidden) await this.#run(['update-index', '--no-assume-unchanged', '-z', '--stdin'], signal, { env, input: all });
    if (isSkipped) await this.#run(['update-index', '--no-skip-worktree', '-z', '--stdin'], signal, { env, input: all });
    this.#converted = await this.#convertedOf(all, repository, signal);
  }

  async #convertedOf(names: Buffer, { gitDir }: Repository, signal: AbortSignal): Promise<ReadonlySet<RawName>> {
    // Asked of the repository itself, whose rules count for what it holds.
    const env = { GIT_DIR: gitDir, GIT_WORK_TREE: this.#folder.top, GIT_INDEX_FILE: join(this.#dir, 'index') };
    const fields = splitNul(await this.#git(['check-attr', '-z', '--stdin', ...CONVERTING], { cwd: this.#folder.top, signal, env, input: names }));
    const converted = new Set<RawName>();
    for (let at = 0; at + 2 < fields.length; at += 3) if (!['unspecified', 'unset'].includes(fields[at + 2] ?? '')) converted.add(fields[at] ?? '');
    return converted;
  }

  #onDisk(name: RawName, { size }: IndexEntry, bytes: Uint8Array | undefined): Uint8Array | string {
    if (bytes === undefined) return 'What stood there before is not in the repository, as in one that was not fetched whole.';
    if (this.#own.has(name)) return bytes;
    const other = 'Git keeps this file in another form than it has on the disk, so what stood there before is not known.';
    if (this.#converted.has(name)) return other;
    if (bytes.length === size) return bytes;
    // All its line ends were written with a carriage return; of any other mix the size would be another.
    const text = Buffer.from(bytes).toString('latin1');
    const windows = text.includes('\r\n') ? undefined : Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');
    return windows?.length === size ? windows : other;
  }

  /** Objects by their names; those that are nowhere are left out. */
  async #objects(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>> {
    if (names.length === 0) return new Map();
    const output = await this.#run(['cat-file', '--batch'], signal, { env: this.#alternates(), input: Buffer.from(names.map((name) => `${name}\n`).join('')) });
    const found = new Map<string, Uint8Array>();
    for (let at = 0; at < output.length; ) {
      const end = output.indexOf(10, at);
      const [name = '', type, size] = output.toString('latin1', at, end).split(' ');
      at = end + 1;
      if (type === 'missing' || size === undefined) continue;
      found.set(name, output.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
    return found;
  }

  #limits(): readonly string[] {
    return this.#folder.within === '' ? [] : [this.#folder.within];
  }

  /** Only for reading: git marks what it would otherwise write a second time as used, in the repository's own folder. */
  #alternates(): Readonly<Record<string, string>> {
    const objects = this.#folder.repository?.objects;
    return objects === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects) };
  }

  #run(args: readonly string[], signal: AbortSignal, { env, ...more }: Partial<GitCall> = {}): Promise<Buffer> {
    const own = { GIT_DIR: this.#dir, GIT_WORK_TREE: this.#folder.top, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' };
    return this.#git([...SETTINGS, ...args], { cwd: this.#folder.top, signal, env: { ...own, ...env }, ...more });
  }
}

/** `100644 <object> 0<TAB><name><NUL>` and lines of what is known of the file, such as `  size: 12`. */
function readEntries(output: Buffer, wanted: ReadonlySet<RawName>): ReadonlyMap<RawName, IndexEntry> {
  const entries = new Map<RawName, IndexEntry>();
  let head = '';
  for (const part of output.toString('latin1').split('\0')) {
    const [, size, next] = /^ {2}ctime:[^]*?\n {2}size: (\d+)\t[^\n]*\n([^]*)$/.exec(part) ?? [];
    const [, mode, object, name] = /^([0-7]{6}) ([0-9a-f]+) \d\t([^]*)$/.exec(head) ?? [];
    if (mode !== undefined && object !== undefined && name !== undefined && wanted.has(name)) entries.set(name, { mode, object, size: Number(size ?? 0) });
    head = next ?? part;
  }
  return entries;
}

function isAscii(name: RawName): boolean {
  return /^[\x20-\x7e]*$/.test(name);
}

