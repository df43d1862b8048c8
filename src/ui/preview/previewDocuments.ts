import * as vscode from 'vscode';
import { SCHEMES } from '../../ids.ts';
import { isAbort } from '../../runtime/base/abort.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { signalOf } from '../chat/chatTurn.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { openRendered } from '../review/preview.ts';
import { previewKey, previewPath, previewQuery, type PreviewKey } from './previewUri.ts';

/** What would really run, by definition, as read-only documents that follow definitions and settings while they are open. */
export class PreviewDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #context: UiContext;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #store = new DisposableStore();
  readonly #refresh: Coalescer;
  /** By document: the file that was shown, and whether it had changes that weren't saved. */
  readonly #shown = new Map<string, { readonly path: string; readonly isDirty: boolean }>();

  readonly onDidChange = this.#changed.event;

  constructor(context: UiContext) {
    this.#context = context;
    this.#store.add(this.#changed);
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEMES.preview, this));
    this.#refresh = this.#store.add(new Coalescer(300, () => this.#fire()));
    const refresh = (): void => this.#refresh.schedule();
    this.#store.add(context.authoring.onDidChange(refresh));
    this.#store.add(context.mcp.onDidChange(refresh));
    this.#store.add(context.dryRun.onDidChange(refresh));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#followDirty(document)));
    this.#store.add(vscode.workspace.onDidSaveTextDocument((document) => this.#followDirty(document)));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())));
    this.#store.add(onAgent(context.access, (agent) => agent.subscribe(({ type }) => {
      if (type === 'definitions.reloaded' || type === 'skills.reloaded') refresh();
    })));
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const key = previewKey(uri.query);
    try {
      // Documents are restored with the window, before anything else needed the agent.
      const agent = await this.#context.access.agent();
      return key === undefined ? '' : await this.#content(uri, key, agent, token);
    } catch (error) {
      return isAbort(error) ? '' : vscode.l10n.t('This document can not be shown: {0}', errorText(error));
    }
  }

  /** Shows it beside what is being edited. */
  async open(key: PreviewKey): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEMES.preview, path: previewPath(vscode.l10n.t('{0} (preview)', key.name)), query: previewQuery(key) });
    // What VS Code still holds of an earlier look may be old.
    this.#changed.fire(uri);
    await openRendered(uri, this.#context.log, columnOf(uri) ?? vscode.ViewColumn.Beside);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #content(uri: vscode.Uri, { name, file }: PreviewKey, agent: LiteAgent, token: vscode.CancellationToken): Promise<string> {
    const { isTrusted } = vscode.workspace;
    const effective = await agent.preview(name, { connect: isTrusted, signal: signalOf(token) });
    const { path } = effective;
    const isDirty = path !== undefined && vscode.workspace.textDocuments.some((document) => document.isDirty && isFile(document.uri, path));
    if (path !== undefined) this.#shown.set(uri.toString(), { path, isDirty });
    const isShadowed = file !== undefined && (path === undefined || !isFile(vscode.Uri.file(file), path));
    const { previewText } = await import('./previewText.ts');
    return previewText(effective, { l10n: vscode.l10n, locale: vscode.env.language, isDirty, isTrusted, ...(isShadowed && { shadowed: file }), place: (place) => vscode.workspace.asRelativePath(place) });
  }

  #followDirty({ uri, isDirty }: vscode.TextDocument): void {
    if ([...this.#shown.values()].some((shown) => shown.isDirty !== isDirty && isFile(uri, shown.path))) this.#refresh.schedule();
  }

  #fire(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEMES.preview) this.#changed.fire(uri);
  }
}

/** Where it is open already. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const shows = ({ input }: vscode.Tab): boolean => (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText) && input.uri.toString() === uri.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(shows))?.viewColumn;
}

/** Whether it is the file at that path, however either of them writes a drive's letter. */
function isFile(uri: vscode.Uri, path: string): boolean {
  return uri.scheme === 'file' && uri.fsPath === vscode.Uri.file(path).fsPath;
}
