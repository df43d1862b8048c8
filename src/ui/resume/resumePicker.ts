import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import type { GroupView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isSettled } from '../children.ts';
import { groupName } from '../names.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { interruptedGroups } from '../rounds.ts';
import { joined } from '../tree/presentation.ts';
import { roundWords, statusWords } from '../words.ts';
import type { Resumption } from './resumptions.ts';

/** Asks which of the interrupted groups go on; all are ticked at first. None where the person leaves, or nothing is interrupted, which is said. */
export async function pickInterrupted(agent: LiteAgent): Promise<readonly Resumption[]> {
  const groups = interruptedGroups(agent.groups());
  if (groups.length === 0) {
    void showInfo(vscode.l10n.t('Nothing is interrupted.'));
    return [];
  }
  const items = groups.toSorted((a, b) => b.createdAt - a.createdAt).map((group) => ({
    label: withoutIcons(groupName(group, vscode.l10n)),
    description: description(group),
    picked: true,
    groupId: group.groupId,
  }));
  const chosen = await vscode.window.showQuickPick(items, { canPickMany: true, placeHolder: vscode.l10n.t('Tick what to resume') });
  return (chosen ?? []).map(({ groupId }) => ({ kind: 'group', groupId }));
}

function description({ children }: GroupView): string {
  const done = children.filter((child) => isSettled(child.status)).length;
  const round = Math.max(...children.map((child) => child.round));
  return joined(statusWords('interrupted', vscode.l10n), vscode.l10n.t('{0} done', `${done}/${children.length}`), roundWords(round, vscode.l10n));
}
