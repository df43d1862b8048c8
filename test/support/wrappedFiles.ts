import type { FilePort } from '../../src/runtime/domain/ports.ts';
import { createNodeFiles } from '../../src/runtime/store/nodeFiles.ts';

/** What a test does at the moments of a file port; each may reject in its place. */
export interface FileHooks {
  beforeRead?: (path: string) => void;
  beforeWrite?: (path: string) => Promise<void> | void;
  afterWrite?: (path: string) => Promise<void> | void;
  /** Paths that an editor holds unsaved. */
  unsaved?: (path: string) => boolean;
}

/** Files on the disk, with hooks that may be set at any time. Removing is a way of writing. */
export function wrappedFiles(hooks: FileHooks): FilePort {
  const files = createNodeFiles();
  const around = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await hooks.beforeWrite?.(path);
    const result = await work();
    await hooks.afterWrite?.(path);
    return result;
  };
  return {
    stat: (path) => files.stat(path),
    read: async (path) => {
      hooks.beforeRead?.(path);
      return { ...(await files.read(path)), unsaved: hooks.unsaved?.(path) ?? false };
    },
    write: (path, bytes, options) => around(path, () => files.write(path, bytes, options)),
    remove: (path, options) => around(path, () => files.remove(path, options)),
  };
}
