import type { Disposable } from '../base/lifecycle.ts';
import type { FileChange, FileState } from './tools.ts';

/** What the runtime needs from its host, as interfaces. Plain Node implementations are in `store/` and `tools/`. */

export interface FileContent {
  readonly bytes: Uint8Array;
  /** True when this is an editor's unsaved content rather than the disk's. */
  readonly unsaved: boolean;
}

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
}

/** Files as the user sees them. All paths are absolute real paths that were judged before. */
export interface FilePort {
  /** Nothing where no such file is. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Throws `not_found`, or `invalid_input` for anything but a regular file. Never follows a link in the last position. */
  read(path: string): Promise<FileContent>;
  /**
   * Creates or replaces a file, making missing folders. Atomic on disk. Resolves to what stands afterwards (an editor
   * may format on save) and a note for the model where it matters, such as that the change isn't saved yet.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<{ readonly bytes: Uint8Array; readonly note?: string }>;
  /** Removes a file, from an editor too. `expected` as for `write`. Nothing happens where no such file is. */
  remove(path: string, options?: WriteOptions): Promise<void>;
  /** Calls back right when the user has saved a file in an editor. What `write` saves isn't told. Absent where there are no editors. */
  onDidSave?(listener: (saved: SavedFile) => void): Disposable;
}

export interface SavedFile {
  /** Absolute; need not be the real path. */
  readonly path: string;
  /** What was saved, where the editor can tell; else it is what stands on the disk. */
  readonly bytes?: Uint8Array;
}

export interface WriteOptions {
  /** What has to stand there at the moment of writing, unsaved content included; else it rejects with `conflict` and changes nothing. `undefined` is no such file. Absent: whatever stands there. */
  readonly expected?: { readonly bytes: Uint8Array | undefined };
  /** Of `write`: where a folder stands there that holds no file, it makes room. */
  readonly replacesFolder?: true;
  /** Of `write`: permission bits of a file that is made. Default: the system's. */
  readonly mode?: number;
}

/** Contents of files, kept to be shown and brought back later. */
export interface Checkpoints {
  /** Never rejects: what can't be kept is `unknown`, with why. `mode`: the file's permission bits, where they are known. */
  keep(content: Uint8Array | undefined, mode?: number): Promise<FileState>;
  /** Rejects with `not_found` for what isn't kept any more. */
  read(hash: string): Promise<Uint8Array>;
}

/** Finds out what a call changed that doesn't say so itself, such as a command. */
export interface ChangeWatch {
  /**
   * Looks at the folders right before a call, of the child of that id. `end` looks again and gives what is different, however the call ended;
   * `unseen`: why something may have changed that nobody can know of, in a sentence. Neither ever rejects.
   */
  begin(folders: readonly string[], agentId?: string): Promise<{ end(): Promise<{ readonly changes: readonly FileChange[]; readonly unseen?: string }> }>;
}

/** A channel with levels. One line each; the component comes first. Never a secret, never a payload. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const SILENT_LOG: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Where file tools may go. All absolute real paths. */
export interface PathScope {
  /** Relative paths start here. */
  readonly cwd: string;
  /** Workspace folders: reading inside them is free, writing inside them asks. */
  readonly roots: readonly string[];
  /** Folders of the run's own spilled output and transcripts: readable without asking. */
  readonly ownFolders: readonly string[];
  /** Folders that the run may read as it reads the workspace, wherever they lie: those of its skills. Default none. */
  readonly readFolders?: readonly string[];
  /** Where the agent works in a git worktree of its own. */
  readonly worktree?: WorktreeLimits;
}

/** What holds for an agent with a worktree, whatever rules say. All absolute real paths. */
export interface WorktreeLimits {
  /** The folder that stands for that of its group. */
  readonly folder: string;
  /** Top of the worktree. */
  readonly top: string;
  /** Top of the user's own work tree, for which it stands. */
  readonly standsFor: string;
  /** The user's own folders, its repository among them: the agent may read in them, and change nothing but through a review. */
  readonly protects: readonly string[];
  /** The home folder of its commands: where a `cd` without a folder goes. */
  readonly home: string;
}

/** The limits of one worktree, and what keeps them. */
export interface WorktreeGuard {
  /** As they are now: the user may have made further worktrees. Rejects with the system's error. */
  limits(): Promise<WorktreeLimits>;
  /** Takes the worktree off a branch that it is on, and gives the name of that. Rejects with `not_found` where it is gone, and with what git says. */
  leaveBranch(): Promise<string | undefined>;
}
