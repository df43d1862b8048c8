import * as vscode from 'vscode';

/** What makes sense to ask next: how the running ones are doing, or, at the start of a conversation, who could be asked. */
export function suggestFollowups({ errorDetails, metadata }: vscode.ChatResult, { history }: vscode.ChatContext): vscode.ChatFollowup[] {
  if (errorDetails || !metadata) return [];
  if (metadata['running'] === true) return [{ command: 'status', prompt: '', label: vscode.l10n.t('How are the subagents doing?') }];
  return history.length > FIRST_TURN ? [] : [{ command: 'agents', prompt: '', label: vscode.l10n.t('Which agents are there?') }];
}

/** A request and its response. */
const FIRST_TURN = 2;
