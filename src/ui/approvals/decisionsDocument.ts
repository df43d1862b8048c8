import * as vscode from 'vscode';
import { SCHEMES } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { agentName } from '../names.ts';
import { openRendered } from '../review/preview.ts';
import { fileSegment } from '../review/uris.ts';
import { decisionsText } from './decisionsText.ts';

/** The record of decisions as a read-only document, which follows it while it is open. */
export class DecisionsDocument implements vscode.TextDocumentContentProvider, Disposable {
  readonly #context: UiContext;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #store = new DisposableStore();

  readonly onDidChange = this.#changed.event;

  constructor(context: UiContext) {
    this.#context = context;
    this.#store.add(this.#changed);
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEMES.decisions, this));
    const refresh = this.#store.add(new Coalescer(300, () => this.#refresh()));
    this.#store.add(context.dryRun.onDidChange(() => refresh.schedule()));
    this.#store.add(onAgent(context.access, (agent) => agent.subscribe((event) => {
      if (isDecision(event)) refresh.schedule();
    })));
  }

  async provideTextDocumentContent(): Promise<string> {
    try {
      const agent = await this.#context.access.agent();
      const records = await agent.approvals.decisions();
      return decisionsText(records, {
        name: (record) => agentName(record.agent, agent.groups(), vscode.l10n),
        isDryRun: this.#context.dryRun.isOn(),
        locale: vscode.env.language,
        l10n: vscode.l10n,
      });
    } catch (error) {
      return vscode.l10n.t('This document can not be shown: {0}', errorText(error));
    }
  }

  async open(): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEMES.decisions, path: `/${fileSegment(vscode.l10n.t('Permission decisions'))}.md` });
    await openRendered(uri, this.#context.log);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEMES.decisions) this.#changed.fire(uri);
  }
}

function isDecision({ type }: RuntimeEvent): boolean {
  return type === 'approval.decided' || type.startsWith('permission.');
}
