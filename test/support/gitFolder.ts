import { execFileSync } from 'node:child_process';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitWatch, type GitWatchOptions } from '../../src/runtime/watch/gitWatch.ts';
import type { FileChange } from '../../src/runtime/domain/tools.ts';
import { MemoryCheckpoints } from './memoryCheckpoints.ts';
import { temporaryFolder } from './toolContext.ts';

const QUIET = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' };

/** A folder with a watch over it. */
export class GitFolder {
  readonly path: string;
  readonly #base: string;
  readonly checkpoints = new MemoryCheckpoints();
  readonly watch: GitWatch;
  readonly #remove: () => Promise<void>;

  private constructor(base: string, options: Partial<GitWatchOptions>, remove: () => Promise<void>) {
    this.#base = base;
    this.path = join(base, 'work');
    this.#remove = remove;
    this.watch = new GitWatch({ folder: join(base, 'watch'), checkpoints: this.checkpoints, ownFolder: join(base, 'own'), env: { ...process.env, HOME: base, XDG_CONFIG_HOME: join(base, 'config') }, ...options });
  }

  /** Without a repository until `init`. */
  static async create(options: Partial<GitWatchOptions> = {}): Promise<GitFolder> {
    const base = await temporaryFolder();
    const folder = new GitFolder(base.path, options, () => base.remove());
    await mkdir(folder.path);
    return folder;
  }

  /** Makes it a repository whose first commit holds these files. */
  async init(files: Readonly<Record<string, string | Buffer>> = {}): Promise<void> {
    this.git('init', '-q', '-b', 'main');
    for (const [name, content] of Object.entries(files)) await this.write(name, content);
    this.git('add', '-A', '-f');
    this.git('commit', '-q', '--allow-empty', '-m', 'first');
  }

  /** Runs git as its user does. */
  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.path, env: { ...process.env, ...QUIET, HOME: this.#base }, encoding: 'utf8', stdio: 'pipe' });
  }

  /** What the watch keeps of its own is there. */
  get watchFolder(): string {
    return join(this.#base, 'watch');
  }

  /** A place beside the folder. */
  beside(name: string): string {
    return join(this.#base, name);
  }

  async write(name: string, content: string | Buffer): Promise<void> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** Makes files that git knows older than its index, so that it trusts their times. */
  async age(...names: readonly string[]): Promise<void> {
    for (const name of names) await utimes(join(this.path, name), 1_000_000_000, 1_000_000_000);
    this.git('update-index', '--refresh');
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.path, name), { recursive: true });
  }

  /** What a watched piece of work changed: a line for each file, by name, and what is said that isn't known. */
  async during(work: () => unknown, folders: readonly string[] = [this.path]): Promise<{ readonly lines: readonly string[]; readonly unseen: string; readonly changes: readonly FileChange[] }> {
    const call = await this.watch.begin(folders);
    await work();
    const { changes, unseen = '' } = await call.end();
    return { lines: this.lines(changes), unseen, changes };
  }

  /** `<kind> <path>: <before> > <after>`, in the order of the names. */
  lines(changes: readonly FileChange[]): readonly string[] {
    return changes.map(({ path, kind, before, after, unsure }) => `${kind} ${path.slice(this.path.length + 1)}: ${this.checkpoints.shown(before)} > ${this.checkpoints.shown(after)}${unsure === undefined ? '' : ' (unsure)'}`).sort();
  }

  async end(): Promise<void> {
    await this.watch.close();
    await this.#remove();
  }
}
