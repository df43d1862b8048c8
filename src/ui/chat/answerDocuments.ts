import * as vscode from 'vscode';
import type { AgentAccess } from '../../host/agentHost.ts';
import { SCHEMES } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import { ownTurnOf } from '../../runtime/sessions/ownTurns.ts';
import { openRendered } from '../review/preview.ts';
import { fileSegment } from '../review/uris.ts';
import { answerText } from './answerText.ts';

/** A turn that a conversation took by itself. */
export interface AnswerKey {
  readonly sessionId: string;
  readonly turnId: string;
}

/** What conversations said in turns of their own, as read-only documents: the stable API opens no conversation of the chat. */
export class AnswerDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #access: AgentAccess;
  readonly #log: Log;
  readonly #registered: vscode.Disposable;

  constructor(access: AgentAccess, log: Log) {
    this.#access = access;
    this.#log = log;
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(SCHEMES.answer, this);
  }

  async provideTextDocumentContent({ path }: vscode.Uri): Promise<string> {
    try {
      const [, sessionId = '', turnId = ''] = path.split('/').map(decodeURIComponent);
      const agent = await this.#access.agent();
      const turn = ownTurnOf(await agent.transcript(sessionId), turnId);
      return turn === undefined ? vscode.l10n.t('This answer is no longer known.') : answerText(turn, vscode.l10n);
    } catch (error) {
      return vscode.l10n.t('This document can not be shown: {0}', errorText(error));
    }
  }

  /** Opens an answer in the Markdown preview. */
  async open({ sessionId, turnId }: AnswerKey, title: string): Promise<void> {
    const path = `/${encodeURIComponent(sessionId)}/${encodeURIComponent(turnId)}/${fileSegment(vscode.l10n.t('{0} (answer)', title))}.md`;
    await openRendered(vscode.Uri.from({ scheme: SCHEMES.answer, path }), this.#log);
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
