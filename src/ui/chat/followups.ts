import * as vscode from 'vscode';

/** What makes sense to ask next: how the running ones are doing, or who could be asked. */
export function suggestFollowups(result: vscode.ChatResult): vscode.ChatFollowup[] {
  if (result.errorDetails) return [];
  const status = { command: 'status', prompt: '', label: vscode.l10n.t('How are the subagents doing?') };
  const agents = { command: 'agents', prompt: '', label: vscode.l10n.t('Which agents are there?') };
  return result.metadata?.['running'] === true ? [status] : [agents];
}
