import * as vscode from 'vscode';
import type { LiteAgent, SessionUsage } from '../../runtime/domain/liteAgent.ts';
import type { GroupView } from '../../runtime/domain/agents.ts';
import type { ChatIds } from './chatIds.ts';
import type { ResponseWriter } from './responseWriter.ts';
import { attention } from '../attention.ts';
import { rowChildren } from '../children.ts';
import { usedBy, type NumberStyle } from '../usageWords.ts';
import { interruptedGroups } from '../rounds.ts';
import { BREAK, currentBlock, groupBlock } from './groupBlock.ts';
import { inert } from './markdown.ts';
import { groupUsageText, sessionUsageText } from './usageText.ts';
import { chatWords } from './words.ts';

/** Finished groups that `/status` still shows. */
const RECENT = 3;

/** `/status`: what runs, what was interrupted, what waits for the user, what ended last, and what all of it used. */
export function showStatus(agent: LiteAgent, writer: ResponseWriter, ids: ChatIds, used: SessionUsage | undefined): void {
  const groups = agent.groups().filter((group) => !group.isRound).sort((a, b) => b.createdAt - a.createdAt);
  const isOver = ({ status }: GroupView): boolean => status !== 'running' && status !== 'interrupted';
  const over = groups.filter(isOver);
  writer.text(`${summary(agent)}\n\n`);
  const usage = used && sessionUsageText(used, numberStyle());
  if (usage !== undefined) writer.text(`${usage}\n\n`);
  for (const group of [...groups.filter((one) => !isOver(one)), ...over.slice(0, RECENT)]) writer.block(`${blockOf(group, ids)}\n\n`);
  if (over.length > RECENT) writer.text(vscode.l10n.t('Earlier groups, in the panel: {0}.', over.length - RECENT));
}

/** `/agents`: the definitions that a task can name. */
export function showAgents(agent: LiteAgent, writer: ResponseWriter, ids: ChatIds): void {
  const unapproved = new Set(agent.definitions.unapproved().map(({ name }) => name));
  const lines = agent.definitions.list().map(({ name, description, source }) => {
    const approval = unapproved.has(name) ? ` *${vscode.l10n.t('not yet approved')}*` : '';
    return `- **${inert(name)}** (${sourceWord(source)})${approval}: ${inert(description, 160)}`;
  });
  const problems = agent.definitions.diagnostics().filter(({ severity }) => severity !== 'information').length;
  if (problems > 0) lines.push('', vscode.l10n.t('Problems in definition files: {0}. The Problems view lists them.', problems));
  writer.text(`${lines.join('\n')}\n\n`);
  if (unapproved.size > 0) writer.trusted(`[${vscode.l10n.t('Review Project Agents')}](command:${ids.reviewDefinitions})\n\n`, [ids.reviewDefinitions]);
  writer.text(`${vscode.l10n.t('Name one in `/delegate`: `@name` and its task, one task a line.')}\n`);
}

function summary(agent: LiteAgent): string {
  // As the badge and the status bar count.
  const counts = attention(agent.groups(), agent.approvals.pending());
  const interrupted = interruptedGroups(agent.groups()).length;
  const facts = [
    counts.running + counts.queued === 0 ? vscode.l10n.t('No subagents are running.') : vscode.l10n.t('Subagents running: {0}, queued: {1}.', counts.running, counts.queued),
    ...(interrupted > 0 ? [vscode.l10n.t('Interrupted groups: {0}.', interrupted)] : []),
    ...(counts.approvals > 0 ? [vscode.l10n.t('Waiting for your approval: {0}.', counts.approvals)] : []),
    ...(counts.reviews > 0 ? [vscode.l10n.t('Waiting for your review: {0}.', counts.reviews)] : []),
  ];
  return facts.join(' ');
}

function blockOf(group: GroupView, ids: ChatIds): string {
  // Its conversation may be another one than this: the empty turn keeps the link from speaking for this one.
  const block = groupBlock(currentBlock(group, { sessionId: '', turnId: '', groupId: group.groupId }), ids, chatWords);
  return [block, groupUsageText(usedBy(rowChildren(group)), numberStyle())].filter((line) => line !== undefined).join(BREAK);
}

function numberStyle(): NumberStyle {
  return { locale: vscode.env.language, l10n: vscode.l10n };
}

function sourceWord(source: ReturnType<LiteAgent['definitions']['list']>[number]['source']): string {
  switch (source) {
    case 'builtin':
      return vscode.l10n.t('built-in');
    case 'bundled':
      return vscode.l10n.t('bundled');
    case 'claude_user':
    case 'user':
      return vscode.l10n.t('user');
    case 'claude_project':
    case 'github_project':
    case 'project':
      return vscode.l10n.t('project');
    case 'code':
      return vscode.l10n.t('built-in');
    case 'directory':
      return vscode.l10n.t('directory from the settings');
  }
}
