import * as vscode from 'vscode';
import { SCHEMES } from '../../../ids.ts';
import { errorText } from '../../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../../runtime/base/lifecycle.ts';
import type { RuntimeEvent } from '../../../runtime/domain/events.ts';
import { Coalescer } from '../../coalesce.ts';
import { onAgent, type UiContext } from '../../context.ts';
import { onFileTouched } from '../touchedFiles.ts';
import { changeKey, type ChangeKey } from './changeUris.ts';
import { diffOf } from './scopes.ts';

const REFRESH_MS = 300;

/**
 * The sides of diffs that are not the file itself, as files that can only be read: bytes rather than texts, so that
 * VS Code finds out about encodings and images as it does for the other side. They follow what they show while open.
 */
export class ChangeFiles implements vscode.FileSystemProvider, Disposable {
  readonly #context: Pick<UiContext, 'access'>;
  readonly #scheme: string;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #store = new DisposableStore();
  readonly #stale = new Set<string>();
  /** VS Code reads only what is newer than what it has. */
  #changedAt = Date.now();

  readonly onDidChangeFile = this.#changed.event;

  constructor(context: Pick<UiContext, 'access'>, scheme: string = SCHEMES.change) {
    this.#context = context;
    this.#scheme = scheme;
    const why = new vscode.MarkdownString(vscode.l10n.t('This is what a subagent found or left here. Change the file itself instead.'));
    this.#store.add(this.#changed);
    this.#store.add(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, isReadonly: why }));
    const refresh = this.#store.add(new Coalescer(REFRESH_MS, () => this.#refresh()));
    const touch = (paths: readonly string[]): void => {
      for (const path of paths) this.#stale.add(path);
      if (paths.length > 0) refresh.schedule();
    };
    this.#store.add(onAgent(context.access, (agent) => agent.subscribe((event) => touch(changedPaths(event)))));
    // The left side holds what others change, too.
    this.#store.add(onFileTouched((path) => touch([path])));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { byteLength } = await this.readFile(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: this.#changedAt, size: byteLength, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const key = changeKey(uri.query);
    if (key === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    if (key.side === 'none') return new Uint8Array();
    if (key.isNote) return Buffer.from(`${await this.#note(key)}\n`, 'utf8');
    try {
      return (await this.#content(key)) ?? new Uint8Array();
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(errorText(error));
    }
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #content({ scope, side, path }: ChangeKey): Promise<Uint8Array | undefined> {
    // A window restores its diffs before anything else needed the agent.
    const diff = await diffOf(await this.#context.access.agent(), scope, path);
    return side === 'before' ? diff.before : diff.after;
  }

  /** A sentence in place of a content. */
  async #note(key: ChangeKey): Promise<string> {
    try {
      const content = await this.#content(key);
      return content === undefined ? vscode.l10n.t('No file.') : vscode.l10n.t('No text: {0} bytes.', content.byteLength.toLocaleString(vscode.env.language));
    } catch (error) {
      return errorText(error);
    }
  }

  #refresh(): void {
    this.#changedAt = Math.max(Date.now(), this.#changedAt + 1);
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === this.#scheme && this.#stale.has(changeKey(uri.query)?.path ?? ''));
    this.#stale.clear();
    if (open.length > 0) this.#changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}

function changedPaths(event: RuntimeEvent): readonly string[] {
  switch (event.type) {
    case 'files.changed':
      return event.changes.map(({ path }) => path);
    case 'review.decided':
      return [event.decision.path];
    default:
      return [];
  }
}
