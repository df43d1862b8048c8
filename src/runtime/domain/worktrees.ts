import type { WorktreeSpec } from './agents.ts';
import type { FileChange } from './tools.ts';

/** From what a worktree can be made: a folder of a repository as it is at one moment. */
export interface WorktreePlan extends Omit<WorktreeSpec, 'path'> {
  /** Absolute real path of the top of the work tree that holds the folder. */
  readonly top: string;
  /** The folder relative to `top`; empty for all of it. */
  readonly within: string;
  /** Absolute real path of what all work trees of the repository share. */
  readonly commonDir: string;
  /** True where the commit has submodules, which stay empty in a worktree. */
  readonly hasSubmodules: boolean;
}

/** A file in which a child's worktree differs from what it began from. */
export interface WorktreeChange {
  /** Absolute path of the workspace's file that it stands for. */
  readonly path: string;
  /** Absolute path in the worktree. */
  readonly place: string;
  readonly kind: FileChange['kind'];
  /** Why it can't be merged into the workspace, in a sentence. */
  readonly problem?: string;
  /** Whether programs may be run from it: before and now. */
  readonly wasExecutable: boolean;
  readonly isExecutable: boolean;
}

/** The worktrees of children as a review sees them. All but the first reject with `not_found` where the child has none that is there. */
export interface WorktreeFiles {
  /** Whether the child's worktree went without having been removed here: by somebody's hand. */
  isLost(agentId: string): Promise<boolean>;
  /** In the order of the paths. What git ignores isn't in it. */
  changes(agentId: string): Promise<readonly WorktreeChange[]>;
  /** A file of the worktree that differs in nothing from what it began from, by its path in the workspace. */
  unchanged(agentId: string, path: string): Promise<WorktreeChange>;
  /** What stood in the file at the child's base, as it stood on the disk; `undefined` for none. Rejects with `unavailable` where git can't give it. */
  before(agentId: string, change: WorktreeChange): Promise<Uint8Array | undefined>;
  /** What the child left there; `undefined` for none. Rejects with `unavailable` where it can't be read. */
  now(agentId: string, change: WorktreeChange): Promise<Uint8Array | undefined>;
  /** Puts that in the place of what the child left there, `undefined` for no file. */
  put(agentId: string, change: WorktreeChange, bytes: Uint8Array | undefined, isExecutable: boolean): Promise<void>;
  /** Lets programs be run from the workspace's file, or not, as in the worktree. Does nothing where no such file is on the disk. */
  takeOverMode(change: WorktreeChange): Promise<void>;
  /** Whether files besides these stand in a folder on the disk, of the workspace or of a worktree; false where there is no such folder. Absolute paths. */
  holdsMore(folder: string, known: readonly string[]): Promise<boolean>;
}

/** What would be lost with a worktree. */
export interface WorktreeLoss {
  /** Commits that no branch, tag or remote holds. */
  readonly commits: number;
  /** True where git has no whole record of what was checked out in it, so that undone commits can't be counted. */
  readonly mayHoldMoreCommits?: boolean;
  /** Absolute paths of the workspace's files for which it holds something that nobody has decided on. */
  readonly paths: readonly string[];
}
