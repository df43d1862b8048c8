import * as vscode from 'vscode';
import { readFileText } from '../../host/definitionFiles.ts';
import { SCHEMES } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { FoundDefinition } from '../../runtime/domain/definitions.ts';
import { onAgent, type UiContext } from '../context.ts';
import { definitionId, definitionOf } from './agentNodes.ts';
import { textOfDefinition } from './definitionText.ts';
import { fileNameOf } from './fileNames.ts';

/** Definitions that nobody can change, as read-only documents: those in code, and the files that the extension brings. */
export class DefinitionDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #context: UiContext;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #store = new DisposableStore();

  readonly onDidChange = this.#changed.event;

  constructor(context: UiContext) {
    this.#context = context;
    this.#store.add(this.#changed);
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEMES.definition, this));
    this.#store.add(onAgent(context.access, (agent) => agent.subscribe((event) => {
      if (event.type !== 'definitions.reloaded') return;
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEMES.definition) this.#changed.fire(uri);
    })));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      // Documents are restored with the window, before anything else needed the agent.
      const agent = await this.#context.access.agent();
      const found = definitionOf(agent.definitions.found(), uri.query);
      return found === undefined || !isFixed(found) ? vscode.l10n.t('This agent is no longer known.') : await definitionContent(found);
    } catch (error) {
      return vscode.l10n.t('This document can not be shown: {0}', errorText(error));
    }
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** Opens a definition: its file, or a document that shows it. */
export async function openDefinition(found: FoundDefinition): Promise<void> {
  await vscode.window.showTextDocument(definitionUri(found), { preview: true });
}

function definitionUri(found: FoundDefinition): vscode.Uri {
  if (found.path !== undefined && !isFixed(found)) return vscode.Uri.file(found.path);
  return vscode.Uri.from({ scheme: SCHEMES.definition, path: `/${fileNameOf(found.name)}`, query: definitionId(found) });
}

/** The text of a definition: of its file as it is, else made from what it is. Rejects with the system's error for a file that can't be read. */
export async function definitionContent(found: FoundDefinition): Promise<string> {
  if (found.path !== undefined) return readFileText(found.path);
  return found.status === 'refused' ? '' : textOfDefinition(found.definition);
}

/** Whether a change of its file would be lost, or there is none. */
function isFixed({ source }: FoundDefinition): boolean {
  return source === 'builtin' || source === 'code' || source === 'bundled';
}
