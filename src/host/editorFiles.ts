import type { Disposable } from '../runtime/base/lifecycle.ts';
import type { FilePort } from '../runtime/domain/ports.ts';
import { createNodeFiles } from '../runtime/store/nodeFiles.ts';
import { createVsCodeFiles } from './files.ts';

/** Files as the editor has them, and as the disk has all others. */
export function createEditorFiles(): FilePort & Disposable {
  return createVsCodeFiles(createNodeFiles());
}
