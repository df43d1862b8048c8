import * as vscode from 'vscode';
import { SCHEMES } from '../../ids.ts';
import { errorText, isAppError } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { TranscriptEntry } from '../../runtime/domain/transcripts.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { scopeName } from './diff/scopes.ts';
import { fileFacts } from './fileFacts.ts';
import { openRendered } from './preview.ts';
import { resultText } from './resultText.ts';
import { transcriptText } from './transcriptText.ts';
import { documentKey, documentPath, type DocumentKey } from './uris.ts';

/** Results and transcripts of children as read-only documents that follow what they show while they are open. */
export class ReviewDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #context: UiContext;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #store = new DisposableStore();
  readonly #stale = new Set<string>();

  readonly onDidChange = this.#changed.event;

  constructor(context: UiContext) {
    this.#context = context;
    this.#store.add(this.#changed);
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEMES.document, this));
    const refresh = this.#store.add(new Coalescer(300, () => this.#refresh()));
    this.#store.add(onAgent(context.access, (agent) => agent.subscribe((event) => {
      const agentId = changedAgent(event);
      if (agentId === undefined) return;
      this.#stale.add(agentId);
      refresh.schedule();
    })));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = documentKey(uri.path);
    try {
      // Documents are restored with the window, before anything else needed the agent.
      const agent = await this.#context.access.agent();
      return key === undefined ? '' : await this.#content(agent, key);
    } catch (error) {
      return vscode.l10n.t('This document can not be shown: {0}', errorText(error));
    }
  }

  /** Opens what a child answered in the Markdown preview. */
  async openResult(agent: LiteAgent, agentId: string): Promise<void> {
    const uri = this.#uri(agent, { kind: 'result', agentId });
    if (uri !== undefined) await openRendered(uri, this.#context.log);
  }

  /** Opens everything that a child did, as text. */
  async openTranscript(agent: LiteAgent, agentId: string): Promise<void> {
    const uri = this.#uri(agent, { kind: 'transcript', agentId });
    if (uri !== undefined) await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #uri(agent: LiteAgent, key: DocumentKey): vscode.Uri | undefined {
    if (agent.child(key.agentId) === undefined) return undefined;
    const name = nameOf(agent, key.agentId);
    const title = key.kind === 'result' ? vscode.l10n.t('{0} (result)', name) : vscode.l10n.t('{0} (transcript)', name);
    return vscode.Uri.from({ scheme: SCHEMES.document, path: documentPath(key, title) });
  }

  async #content(agent: LiteAgent, { kind, agentId }: DocumentKey): Promise<string> {
    const child = agent.child(agentId);
    if (child === undefined) return vscode.l10n.t('This subagent is no longer known.');
    const name = nameOf(agent, agentId);
    const entries = await transcriptOrNothing(agent, agentId);
    const locale = vscode.env.language;
    if (kind === 'transcript') return transcriptText(name, entries, locale, vscode.l10n);
    const [files, decisions, requests] = await Promise.all([
      this.#orNothing(agent.reviews.changes(agentId)),
      this.#orNothing(agent.approvals.decisions()),
      this.#orNothing(agent.reviews.requests(agentId)),
    ]);
    const cwd = agent.group(child.groupId)?.cwd ?? '';
    return resultText(child, entries, { name, files: files.map(fileFacts), decisions, requests, cwd, locale, now: Date.now(), l10n: vscode.l10n });
  }

  /** A record that can't be read must not cost the answer itself. */
  async #orNothing<T>(records: Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await records;
    } catch (error) {
      this.#context.log.error(`a part of a result can not be shown: ${errorText(error)}`);
      return [];
    }
  }

  #refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      const key = uri.scheme === SCHEMES.document ? documentKey(uri.path) : undefined;
      if (key !== undefined && this.#stale.has(key.agentId)) this.#changed.fire(uri);
    }
    this.#stale.clear();
  }
}

function nameOf(agent: LiteAgent, agentId: string): string {
  return scopeName(agent, { kind: 'child', agentId }, vscode.l10n);
}

/** A child that was cancelled in the queue has no transcript. */
async function transcriptOrNothing(agent: LiteAgent, agentId: string): Promise<readonly TranscriptEntry[]> {
  try {
    return await agent.transcript(agentId);
  } catch (error) {
    if (isAppError(error, 'not_found')) return [];
    throw error;
  }
}

function changedAgent(event: RuntimeEvent): string | undefined {
  switch (event.type) {
    case 'tool.called':
    case 'tool.ended':
    case 'model.ended':
    case 'context.compacted':
    case 'message.delivered':
    case 'files.changed':
      return event.agent.kind === 'child' ? event.agent.agentId : undefined;
    case 'child.queued':
    case 'child.started':
    case 'child.settled':
    case 'child.interrupted':
    case 'review.decided':
    case 'review.requested':
      return event.agentId;
    case 'task.changed':
      return event.task.agentId;
    default:
      return undefined;
  }
}
