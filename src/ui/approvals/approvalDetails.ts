import * as vscode from 'vscode';
import { SCHEMES } from '../../ids.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { ToolPreview } from '../../runtime/domain/tools.ts';
import { fileName } from '../review/filePlace.ts';
import { fileSegment } from '../review/uris.ts';
import { toolWords } from '../toolWords.ts';
import { detailsText } from './detailsText.ts';
import { isStill } from './isStill.ts';

/** Documents of waiting requests. Content is kept while a document is open, also after its request was settled. */
export class ApprovalDetails implements vscode.TextDocumentContentProvider, Disposable {
  readonly #contents = new Map<string, string>();
  readonly #store = new DisposableStore();

  constructor() {
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEMES.approval, this));
    this.#store.add(vscode.workspace.onDidCloseTextDocument((document) => this.#contents.delete(document.uri.toString())));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#contents.get(uri.toString()) ?? '';
  }

  /** Opens a diff for a file change, a document for everything else. Decides nothing. */
  async show(request: ApprovalRequest, name: string): Promise<void> {
    const { preview } = request;
    if (preview.kind === 'diff') {
      const file = fileSegment(fileName(preview.path));
      const before = this.#put(`/${request.id}/before/${file}`, preview.before);
      const after = this.#put(`/${request.id}/after/${file}`, preview.after);
      await vscode.commands.executeCommand('vscode.diff', before, after, await titleOf(preview, name), { preview: true });
      return;
    }
    const uri = this.#put(`/${request.id}/${fileSegment(`${name} ${toolWords(request.tool)}`)}.md`, detailsText(request, name, vscode.l10n));
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Closes what is open of a request that is settled: its title would still say that it waits. */
  async close(requestId: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => uriOf(input)?.path.startsWith(`/${requestId}/`));
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  dispose(): void {
    this.#store.dispose();
    this.#contents.clear();
  }

  #put(path: string, content: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEMES.approval, path });
    this.#contents.set(uri.toString(), content);
    return uri;
  }
}

/** Says it where somebody has changed the file since: the call that waits then changes nothing, even if it is allowed. */
async function titleOf({ path, before }: Extract<ToolPreview, { kind: 'diff' }>, name: string): Promise<string> {
  const isUnchanged = isStill(before, await presentBytes(path));
  return isUnchanged ? vscode.l10n.t('{0}: {1} (waits for approval)', name, fileName(path)) : vscode.l10n.t('{0}: {1} (waits for approval, but the file has changed since)', name, fileName(path));
}

/** Of a file as the user sees it, unsaved text included; nothing where no file can be read. */
async function presentBytes(path: string): Promise<Uint8Array | undefined> {
  const unsaved = vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.scheme === 'file' && uri.fsPath === path);
  if (unsaved) return Buffer.from(unsaved.getText());
  try {
    return await vscode.workspace.fs.readFile(vscode.Uri.file(path));
  } catch {
    return undefined;
  }
}

function uriOf(input: unknown): vscode.Uri | undefined {
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri?.scheme === SCHEMES.approval ? uri : undefined;
}
