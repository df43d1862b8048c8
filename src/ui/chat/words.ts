import * as vscode from 'vscode';
import type { ChildStatus, FailureReason } from '../../runtime/domain/agents.ts';
import { duration, failureWords, statusWords } from '../words.ts';

/** What the chat says, in the user's language. Arguments are Markdown already: whoever calls makes them inert. */
export const chatWords = {
  showInPanel: () => vscode.l10n.t('Show in Panel'),
  cancel: () => vscode.l10n.t('Cancel'),
  started: (name: string) => vscode.l10n.t('{0} started', name),
  wants: (name: string, action: string) => vscode.l10n.t('{0} waits for your approval: {1}', name, action),
  rootWants: (action: string) => vscode.l10n.t('Waits for your approval: {0}', action),
  ended: (name: string, status: string) => vscode.l10n.t('{0}: {1}', name, status),
  status: (status: ChildStatus) => statusWords(status, vscode.l10n),
  failed: (reason: FailureReason) => vscode.l10n.t('failed: {0}', failureWords(reason, vscode.l10n)),
  inReview: () => vscode.l10n.t('completed, waits for review'),
  denied: (count: number) => vscode.l10n.t('{0} denied', count),
  background: () => vscode.l10n.t('Goes on in the background. The result opens the next answer.'),
  turnFailed: (message: string) => vscode.l10n.t('The answer stopped here: {0}', message),
  duration: (milliseconds: number) => duration(milliseconds, vscode.l10n),
};

/** The words that the pure parts of the chat are given. */
export type ChatWords = typeof chatWords;
