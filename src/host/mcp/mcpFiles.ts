import { join } from 'node:path';
import { Serial } from '../../runtime/base/async.ts';
import { Emitter } from '../../runtime/base/emitter.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { McpFile } from './mcpFile.ts';

/** The file of one workspace folder, as it was last read. */
export interface LoadedFile extends McpFile {
  /** The workspace folder. Absolute. */
  readonly folder: string;
  readonly path: string;
}

export interface McpFilesOptions {
  /** The text of a file; nothing where there is none. Rejects where it can't be read. */
  readonly read: (path: string) => Promise<string | undefined>;
  readonly log: Log;
}

/** Where the servers of a workspace folder are written. */
export function mcpFileOf(folder: string): string {
  return join(folder, '.vscode', 'mcp.json');
}

/** The `.vscode/mcp.json` of workspace folders, in their order. */
export class McpFiles implements Disposable {
  readonly #options: McpFilesOptions;
  readonly #order = new Serial();
  readonly #changed: Emitter<void>;
  #files: readonly LoadedFile[] = [];

  constructor(options: McpFilesOptions) {
    this.#options = options;
    this.#changed = new Emitter<void>((error) => options.log.error(`mcp.json: a listener failed: ${errorText(error)}`));
  }

  /** They say something else than before. */
  get onDidChange(): Emitter<void>['event'] {
    return this.#changed.event;
  }

  get files(): readonly LoadedFile[] {
    return this.#files;
  }

  /** Reads the files of these folders as they are now, instead of any that were read before. Never rejects: what can't be read is a problem of its file. */
  load(folders: readonly string[]): Promise<void> {
    return this.#order.run(async () => {
      const before = JSON.stringify(this.#files);
      const files = await Promise.all(folders.map((folder) => this.#load(folder)));
      this.#files = files.filter((file) => file !== undefined);
      if (JSON.stringify(this.#files) !== before) this.#changed.fire();
    });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #load(folder: string): Promise<LoadedFile | undefined> {
    const path = mcpFileOf(folder);
    const { readMcpFile, unreadableFile } = await import('./mcpFile.ts');
    try {
      const text = await this.#options.read(path);
      return text === undefined ? undefined : { folder, path, ...readMcpFile(text) };
    } catch (error) {
      this.#options.log.warn(`${path} can't be read: ${errorText(error)}`);
      return { folder, path, ...unreadableFile(errorText(error)) };
    }
  }
}
