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
  write(path: string, bytes: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly note?: string }>;
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
}
