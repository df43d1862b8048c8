import * as vscode from 'vscode';
import { AppError } from '../../runtime/base/errors.ts';
import type { GroupSpec } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { displayName } from '../chat/delegateCommand.ts';
import { withoutIcons } from '../../host/messageText.ts';

/** Asks what a definition is to do, and starts it in a conversation of its own. Nothing where the person leaves. Rejects with `denied` in Restricted Mode. */
export async function runDefinition(agent: LiteAgent, name: string): Promise<GroupSpec | undefined> {
  if (!vscode.workspace.isTrusted) throw new AppError('denied', vscode.l10n.t('Nothing runs in Restricted Mode. Trust this folder first.'));
  const prompt = await vscode.window.showInputBox({
    title: vscode.l10n.t('Run {0}', withoutIcons(name)),
    prompt: vscode.l10n.t('Say what it is to do. It knows nothing but these words; its result comes to the Groups view.'),
    placeHolder: vscode.l10n.t('Such as: find every caller of parseOrder'),
    ignoreFocusOut: true,
  });
  if (prompt === undefined || prompt.trim() === '') return undefined;
  return start(agent, name, prompt.trim());
}

async function start(agent: LiteAgent, name: string, prompt: string): Promise<GroupSpec> {
  const session = await agent.openSession();
  return session.delegate([{ display_name: displayName(prompt), subagent_type: name, prompt }]);
}
