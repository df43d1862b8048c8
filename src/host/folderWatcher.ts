import { basename, dirname, extname, isAbsolute, relative, resolve } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../runtime/base/lifecycle.ts';

/** A change of many files, such as of a branch, is one reload. */
const COALESCE_MS = 200;
/** VS Code starts anew to watch a folder that has just been made, and misses what changes meanwhile: so a change is told of once more after this time. */
const AGAIN_MS = 2_000;

export interface WatchedFolder {
  /** Absolute; it may exist or not. */
  readonly path: string;
  /** Whether its subfolders count, too. */
  readonly isNested: boolean;
  /** The one file in it that counts; absent: all, but only `.md` where subfolders don't count. */
  readonly fileName?: string;
}

/**
 * Tells when files of agents, skills or servers come, change or go, also in folders that are made later or removed
 * whole. The folders can be replaced at any time. Nothing is told after disposal.
 */
export class FolderWatcher implements Disposable {
  readonly #onChange: () => void;
  #folders: readonly WatchedFolder[] = [];
  #watching = new DisposableStore();
  #timer: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  watch(given: readonly WatchedFolder[]): void {
    // As the paths of events are: no trailing separator, and a small drive letter.
    const folders = given.map((folder) => ({ ...folder, path: vscode.Uri.file(resolve(folder.path)).fsPath }));
    if (this.#disposed || JSON.stringify(folders) === JSON.stringify(this.#folders)) return;
    this.#watching.dispose();
    this.#folders = folders;
    this.#watching = new DisposableStore();
    for (const { path: folder, isNested, fileName } of folders) {
      if (isNested) this.#add(folder, '**', (path) => isInside(folder, path));
      else this.#add(folder, '*', (path) => dirname(path) === folder && (fileName === undefined ? extname(path).toLowerCase() === '.md' : basename(path) === fileName));
      // A folder that comes or goes is told of as itself, not file by file.
      for (const path of [folder, ...parentsInWorkspace(folder)]) this.#add(dirname(path), '*', (changed) => changed === path);
    }
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    this.#watching.dispose();
  }

  /** Watches a folder: only its top with the pattern `*`, which is all that may be watched of a home folder. */
  #add(base: string, pattern: '*' | '**', concerns: (path: string) => boolean): void {
    const watcher = this.#watching.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(base), pattern)));
    const heard = (uri: vscode.Uri): void => {
      if (concerns(uri.fsPath)) this.#schedule();
    };
    this.#watching.add(watcher.onDidCreate(heard));
    this.#watching.add(watcher.onDidChange(heard));
    this.#watching.add(watcher.onDidDelete(heard));
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      clearTimeout(this.#again);
      this.#again = setTimeout(this.#onChange, AGAIN_MS);
      this.#onChange();
    }, COALESCE_MS);
  }
}

/** The folders between a workspace folder and one inside it. VS Code tells of the topmost one alone when it is removed. */
function parentsInWorkspace(folder: string): readonly string[] {
  const root = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' && isInside(uri.fsPath, folder))?.uri.fsPath;
  if (root === undefined) return [];
  const parents: string[] = [];
  for (let parent = dirname(folder); parent !== root && isInside(root, parent); parent = dirname(parent)) parents.push(parent);
  return parents;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
