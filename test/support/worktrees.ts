import { execFileSync } from 'node:child_process';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChildView } from '../../src/runtime/domain/agents.ts';
import type { AgentFixtureOptions } from './agentFixture.ts';
import { reopenReviewing, type ReviewFixture } from './reviewFixture.ts';
import type { ScriptedTurn } from './scriptedModel.ts';
import { temporaryFolder } from './toolContext.ts';

const QUIET = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' };

/** A repository on the disk, as its user has it. */
export class GitRepository {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes it, with these files in its first commit. */
  async init(files: Readonly<Record<string, string | Buffer>> = {}): Promise<void> {
    await mkdir(this.path, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    for (const [name, content] of Object.entries(files)) await this.write(name, content);
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'first');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], { cwd: this.path, env: { ...process.env, ...QUIET, HOME: dirname(this.path) }, encoding: 'utf8', stdio: 'pipe' }).trimEnd();
  }

  get head(): string {
    return this.git('rev-parse', 'HEAD');
  }

  async write(name: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(this.path, name)), { recursive: true });
    await writeFile(join(this.path, name), content);
  }

  text(name: string): Promise<string> {
    return readFile(join(this.path, name), 'utf8');
  }

  /** All that a child may not change: branches, stashes, settings, index and files. */
  state(): string {
    return [this.git('for-each-ref'), this.git('symbolic-ref', 'HEAD'), this.git('config', '--list', '--local'), this.git('status', '--porcelain', '--ignored'), this.git('ls-files', '--stage'), this.git('diff')].join('\n--\n');
  }
}

/** A runtime on a repository, whose kind `coder` works in worktrees. */
export interface WorktreeFixture {
  readonly repository: GitRepository;
  readonly review: ReviewFixture;
  readonly storageDir: string;
  /** Delegates each to a `coder` in one group and waits until it has been delivered. */
  run(...names: readonly string[]): Promise<readonly ChildView[]>;
  /** Somebody allows whatever is asked from now on. */
  allowAll(): void;
  /** Waits until a worktree was removed, or said to be kept and why. */
  removed(agentId: string): Promise<void>;
  kept(agentId: string): Promise<string>;
  /** Folder of a child's worktree. */
  tree(agentId: string): string;
  end(): Promise<void>;
}

export interface WorktreeFixtureOptions extends Omit<AgentFixtureOptions, 'files'> {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Folder of the workspace in the repository. */
  readonly within?: string;
  /** Prepares the repository before anything looks at it. */
  readonly prepare?: (repository: GitRepository) => Promise<void> | void;
  /** Another folder than the repository as the workspace. */
  readonly cwd?: string;
}

export const CODER = { coder: { description: 'Codes.', prompt: 'You code.', isolation: 'worktree' } } as const;

type Children = Readonly<Record<string, readonly ScriptedTurn[]>>;

/** `children`: the turns of each by name, or what makes them of the path of the repository. */
export async function startInWorktrees(children: Children | ((root: string) => Children), { files = { 'a.txt': 'a1\na2\na3\n', 'b.txt': 'b1\n' }, within = '', prepare, cwd, ...options }: WorktreeFixtureOptions = {}): Promise<WorktreeFixture> {
  const folder = await temporaryFolder();
  const base = await realpath(folder.path);
  const repository = new GitRepository(join(base, 'main'));
  await repository.init(files);
  await prepare?.(repository);
  const storageDir = join(base, 'storage');
  const fixture = await reopenInWorktrees({ repository, storageDir, cwd: cwd === undefined ? join(repository.path, within) : join(base, cwd) }, typeof children === 'function' ? children(repository.path) : children, options);
  return {
    ...fixture,
    async end() {
      await fixture.end();
      await rm(folder.path, { recursive: true, force: true });
    },
  };
}

/** A further one on the folders of another. */
export async function reopenInWorktrees({ repository, storageDir, cwd = repository.path }: Pick<WorktreeFixture, 'repository' | 'storageDir'> & { readonly cwd?: string }, children: Children = {}, options: AgentFixtureOptions = {}): Promise<WorktreeFixture> {
  const env = { PATH: process.env['PATH'], HOME: dirname(repository.path), ...QUIET };
  const review = await reopenReviewing({ cwd, storageDir }, children, { subAgents: CODER, env, ...options });
  const { agent, recorder } = review;
  return {
    repository,
    review,
    storageDir,
    async run(...names) {
      const session = await agent.openSession();
      const group = await session.delegate(names.map((name) => ({ display_name: name, subagent_type: 'coder', prompt: name })));
      await review.delivered(group.groupId);
      return group.children.map(({ agentId }) => review.child(agentId));
    },
    allowAll() {
      agent.approvals.attach();
      agent.subscribe((event) => {
        if (event.type === 'approval.wanted') void agent.approvals.decide(event.request.id, { kind: 'allow_once' });
      });
    },
    async removed(agentId) {
      await recorder.until('worktree.removed', (event) => event.agentId === agentId);
    },
    kept: async (agentId) => (await recorder.until('worktree.kept', (event) => event.agentId === agentId)).why,
    tree: (agentId) => join(storageDir, 'worktrees', agentId),
    end: () => agent.close(),
  };
}

/** Turns that run these commands one after the other, then a last word. */
export function bash(...commands: readonly string[]): readonly ScriptedTurn[] {
  return [...commands.map((command): ScriptedTurn => ({ calls: [{ name: 'Bash', input: { command } }] })), { text: 'Done.' }];
}
