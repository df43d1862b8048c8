import * as vscode from 'vscode';
import { harmless, withoutIcons } from '../../host/messageText.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { UserQuestion } from '../../runtime/domain/services.ts';
import type { UiContext } from '../context.ts';
import { agentName } from '../names.ts';
import { answerItems, answerText, questionTitle, type AnswerItem } from './answerItems.ts';
import { decide } from './decide.ts';
import { untilSettled } from './untilSettled.ts';

/** Lets the person answer a question. Escape, or no words at all, leaves it pending; an answer given elsewhere closes this. */
export async function answerQuestion(context: UiContext, agent: LiteAgent, { id, agent: asking, question }: ApprovalRequest): Promise<void> {
  if (question === undefined) return;
  const title = questionTitle(agentName(asking, agent.groups(), vscode.l10n), question, vscode.l10n);
  await untilSettled(agent, id, async (token) => {
    const text = await askFor(question, title, token);
    if (text !== undefined && text !== '') await decide(context, agent, id, { kind: 'answer', text });
  });
}

async function askFor(question: UserQuestion, title: string, token: vscode.CancellationToken): Promise<string | undefined> {
  if ((question.options ?? []).length === 0) return (await write(question, title, token))?.trim();
  const chosen = await choose(question, title, token);
  if (chosen === undefined) return undefined;
  const writes = chosen.some(({ text }) => text === undefined);
  const written = writes ? await write(question, title, token) : undefined;
  return writes && written === undefined ? undefined : answerText(chosen, written);
}

async function choose(question: UserQuestion, title: string, token: vscode.CancellationToken): Promise<readonly AnswerItem[] | undefined> {
  const items = [...answerItems(question, vscode.l10n)];
  // It may be answered best with a look at the files.
  const options = { title, placeHolder: truncate(oneLine(question.question), 300), ignoreFocusOut: true, matchOnDetail: true };
  if (question.multiple === true) return vscode.window.showQuickPick(items, { ...options, canPickMany: true }, token);
  const one = await vscode.window.showQuickPick(items, options, token);
  return one && [one];
}

/** The prompt of an input box may hold links and icons: of a model's text none comes. */
async function write({ question }: UserQuestion, title: string, token: vscode.CancellationToken): Promise<string | undefined> {
  return vscode.window.showInputBox({ title, prompt: withoutIcons(harmless(question, 600)), placeHolder: vscode.l10n.t('Your answer'), ignoreFocusOut: true }, token);
}
