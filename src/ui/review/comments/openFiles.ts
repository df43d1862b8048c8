import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../runtime/base/lifecycle.ts';

/** A file in an editor. */
export interface OpenFile {
  /** Its real path, whatever link it was opened through. */
  readonly path: string;
  readonly document: vscode.TextDocument;
}

/**
 * The files that people look at: those that were in a visible editor since they were opened. A list of changes opens a
 * document for each file in it, and most of them are never seen.
 */
export class OpenFiles implements Disposable {
  readonly #files = new Map<vscode.TextDocument, string | undefined>();
  readonly #store = new DisposableStore();
  readonly #onOpen: (file: OpenFile) => void;
  readonly #onClose: () => void;

  constructor(listeners: { readonly onOpen: (file: OpenFile) => void; readonly onClose: () => void }) {
    this.#onOpen = listeners.onOpen;
    this.#onClose = listeners.onClose;
    this.#store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#look()));
    this.#store.add(vscode.workspace.onDidCloseTextDocument((document) => {
      if (this.#files.delete(document)) this.#onClose();
    }));
    this.#look();
  }

  list(): readonly OpenFile[] {
    return [...this.#files].flatMap(([document, path]) => (path === undefined || document.isClosed ? [] : [{ document, path }]));
  }

  /** The real path of a document in the list. */
  pathOf(document: vscode.TextDocument): string | undefined {
    return this.#files.get(document);
  }

  dispose(): void {
    this.#store.dispose();
    this.#files.clear();
  }

  #look(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (document.uri.scheme !== 'file' || this.#files.has(document)) continue;
      this.#files.set(document, undefined);
      void this.#add(document);
    }
  }

  async #add(document: vscode.TextDocument): Promise<void> {
    const path = await realPath(document.uri.fsPath);
    // It can have been closed meanwhile.
    if (!this.#files.has(document)) return;
    this.#files.set(document, path);
    this.#onOpen({ document, path });
  }
}

/** Of a file that isn't on disk: the path as it is. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
