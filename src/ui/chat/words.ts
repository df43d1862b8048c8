import * as vscode from 'vscode';
import type { ChildStatus, FailureReason } from '../../runtime/domain/agents.ts';
import type { ModelFailure } from '../../runtime/domain/models.ts';
import { duration, failureWords, statusWords } from '../words.ts';

/** What the chat says, in the user's language. Arguments are Markdown already: whoever calls makes them inert. */
export const chatWords = {
  showInPanel: () => vscode.l10n.t('Show in Panel'),
  cancel: () => vscode.l10n.t('Cancel'),
  resume: () => vscode.l10n.t('Resume'),
  elsewhere: () => vscode.l10n.t('in another window'),
  started: (name: string) => vscode.l10n.t('{0} started', name),
  wants: (name: string, action: string) => vscode.l10n.t('{0} waits for your approval: {1}', name, action),
  rootWants: (action: string) => vscode.l10n.t('Waits for your approval: {0}', action),
  ended: (name: string, status: string) => vscode.l10n.t('{0}: {1}', name, status),
  status: (status: ChildStatus) => statusWords(status, vscode.l10n),
  failed: (reason: FailureReason) => vscode.l10n.t('failed: {0}', failureWords(reason, vscode.l10n)),
  inReview: () => vscode.l10n.t('completed, waits for review'),
  denied: (count: number) => vscode.l10n.t('{0} denied', count),
  background: () => vscode.l10n.t('Goes on in the background. The result opens the next answer.'),
  /** Stands between an answer that broke off and its second beginning. */
  saidAgain: () => vscode.l10n.t('The answer broke off here. It begins again:'),
  retrying: (failure: ModelFailure, milliseconds: number) => retrying(failure, duration(milliseconds, vscode.l10n)),
  turnFailed: (message: string) => vscode.l10n.t('The answer stopped here: {0}', message),
  duration: (milliseconds: number) => duration(milliseconds, vscode.l10n),
};

/** The words that the pure parts of the chat are given. */
export type ChatWords = typeof chatWords;

function retrying(failure: ModelFailure, time: string): string {
  const isBusy = failure === 'rate_limited' || failure === 'overloaded';
  return isBusy ? vscode.l10n.t('The model is busy; trying again in {0}…', time) : vscode.l10n.t('The model did not answer; trying again in {0}…', time);
}
