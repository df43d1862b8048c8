import * as vscode from 'vscode';
import { letGoOn } from '../resume/letGoOn.ts';
import { interruptedGroups } from '../rounds.ts';
import { currentTurnId } from './catchUp.ts';
import type { TurnContext } from './chatTurn.ts';
import { thrownMessage } from './errorWords.ts';
import { currentBlock, groupBlock } from './groupBlock.ts';
import { inert } from './markdown.ts';
import { chatWords } from './words.ts';

/** Longest quote of why a model is out of reach, in code points. */
const QUOTE_LIMIT = 500;

/** `/resume`: lets go on what is interrupted in this conversation. What can't is said here, and keeps nothing else from it. */
export async function resumeGroups(turn: TurnContext): Promise<undefined> {
  const { deps, agent, session, writer } = turn;
  const groups = interruptedGroups(agent.groups()).filter((group) => group.sessionId === session.sessionId);
  if (groups.length === 0) {
    writer.text(vscode.l10n.t('Nothing of this conversation is interrupted.'));
    return;
  }
  try {
    await letGoOn(agent, groups.map(({ groupId }) => ({ kind: 'group', groupId })), (message) => {
      writer.text(`${inert(message, QUOTE_LIMIT)} ${vscode.l10n.t('Resume it in the panel to go on with another model.')}\n\n`);
      return Promise.resolve(undefined);
    });
  } catch (error) {
    writer.text(`${thrownMessage(error)}\n\n`);
  }
  for (const { groupId } of groups) {
    const group = agent.group(groupId);
    const link = { sessionId: session.sessionId, turnId: currentTurnId(turn), groupId };
    if (group?.status === 'running') writer.block(`\n\n${groupBlock(currentBlock(group, link), deps.ids, chatWords(vscode.l10n))}\n\n`);
  }
}
