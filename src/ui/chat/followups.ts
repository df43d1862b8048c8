import * as vscode from 'vscode';
import type { GroupView } from '../../runtime/domain/agents.ts';
import { followupsFor } from './followupChoices.ts';

/** What makes sense to ask after a result, as the conversation's groups stand now. */
export function suggestFollowups({ errorDetails, metadata }: vscode.ChatResult, { history }: vscode.ChatContext, groups: readonly GroupView[]): vscode.ChatFollowup[] {
  const sessionId: unknown = metadata?.['sessionId'];
  if (errorDetails || typeof sessionId !== 'string') return [];
  const own = groups.filter((group) => group.sessionId === sessionId);
  return followupsFor({ groups: own, isRunning: metadata?.['running'] === true, isFirst: history.length <= FIRST_TURN }, vscode.l10n).map((followup) => ({ ...followup }));
}

/** A request and its response. */
const FIRST_TURN = 2;
