import * as vscode from 'vscode';
import type { ChildStatus, FailureReason } from '../../runtime/domain/agents.ts';
import { unreachable } from '../../runtime/base/errors.ts';

/** What the chat says, in the user's language. Arguments are Markdown already: whoever calls makes them inert. */
export const chatWords = {
  showInPanel: () => vscode.l10n.t('Show in Panel'),
  cancel: () => vscode.l10n.t('Cancel'),
  started: (name: string) => vscode.l10n.t('{0} started', name),
  wants: (name: string, action: string) => vscode.l10n.t('{0} waits for your approval: {1}', name, action),
  rootWants: (action: string) => vscode.l10n.t('Waits for your approval: {0}', action),
  ended: (name: string, status: string) => vscode.l10n.t({ message: '{0}: {1}', args: [name, status], comment: ['A subagent and how it ended, such as "API review: completed"'] }),
  status: statusWord,
  failed: (reason: FailureReason) => vscode.l10n.t('failed: {0}', reasonWord(reason)),
  turnFailed: (message: string) => vscode.l10n.t('The answer stopped here: {0}', message),
  duration: durationWord,
};

/** The words that the pure parts of the chat are given. */
export type ChatWords = typeof chatWords;

function statusWord(status: ChildStatus): string {
  switch (status) {
    case 'queued':
      return vscode.l10n.t('queued');
    case 'running':
      return vscode.l10n.t('running');
    case 'completed':
      return vscode.l10n.t('completed');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'cancelled':
      return vscode.l10n.t('cancelled');
    case 'interrupted':
      return vscode.l10n.t('interrupted');
    default:
      return unreachable(status);
  }
}

function reasonWord(reason: FailureReason): string {
  switch (reason) {
    case 'error':
      return vscode.l10n.t('an error occurred');
    case 'max_turns':
      return vscode.l10n.t('reached its turn limit');
    case 'max_tokens':
      return vscode.l10n.t('answer cut at the token limit');
    case 'refusal':
      return vscode.l10n.t('the model refused');
    case 'filtered':
      return vscode.l10n.t('answer withheld by a content filter');
    case 'no_text':
      return vscode.l10n.t('ended without an answer');
    case 'context':
      return vscode.l10n.t('conversation too long for the model');
    case 'timeout':
      return vscode.l10n.t('timed out');
    case 'rate_limited':
      return vscode.l10n.t('rate limited');
    case 'quota':
      return vscode.l10n.t('quota used up');
    case 'auth':
      return vscode.l10n.t('the API key was not accepted');
    default:
      // Reasons may be added to the runtime before words are: the bare code is better than nothing.
      return String(reason);
  }
}

function durationWord(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return vscode.l10n.t({ message: '{0} s', args: [seconds], comment: ['A duration in seconds'] });
  return vscode.l10n.t({ message: '{0} min {1} s', args: [Math.floor(seconds / 60), seconds % 60], comment: ['A duration in minutes and seconds'] });
}
