import * as vscode from 'vscode';
import { PARTICIPANT } from '../../ids.ts';
import { AppError } from '../../runtime/base/errors.ts';
import type { GroupSpec } from '../../runtime/domain/agents.ts';
import { startGroup, type StartContext } from '../anywhere/startGroup.ts';
import { displayName } from '../chat/delegateCommand.ts';
import { askTask } from './taskQuestion.ts';

/** Asks what a definition is to do, and starts it in a conversation of its own. Nothing where the person leaves, or goes on in the chat. Rejects with `denied` in Restricted Mode. */
export async function runDefinition(context: StartContext, name: string): Promise<GroupSpec | undefined> {
  if (!vscode.workspace.isTrusted) throw new AppError('denied', vscode.l10n.t('Nothing runs in Restricted Mode. Trust this folder first.'));
  const chatButton = { iconPath: new vscode.ThemeIcon('comment-discussion'), tooltip: vscode.l10n.t('Write Several Tasks in Chat') };
  const answer = await askTask(vscode.window, chatButton, name, vscode.l10n);
  switch (answer.kind) {
    case 'leave':
      return undefined;
    case 'chat':
      await vscode.commands.executeCommand('workbench.action.chat.open', { query: `@${PARTICIPANT.name} /delegate @${name} `, isPartialQuery: true });
      return undefined;
    case 'task':
      return startGroup(context, [{ display_name: displayName(answer.prompt), subagent_type: name, prompt: answer.prompt }]);
  }
}
