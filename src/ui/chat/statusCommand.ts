import * as vscode from 'vscode';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { GroupView } from '../../runtime/domain/agents.ts';
import type { ChatIds } from './chatIds.ts';
import type { ResponseWriter } from './responseWriter.ts';
import { attention } from '../attention.ts';
import { currentBlock, groupBlock } from './groupBlock.ts';
import { inert } from './markdown.ts';
import { chatWords } from './words.ts';

/** Finished groups that `/status` still shows. */
const RECENT = 3;

/** `/status`: what runs, what waits for the user, and what ended last. */
export function showStatus(agent: LiteAgent, writer: ResponseWriter, ids: ChatIds): void {
  const groups = agent.groups().toSorted((a, b) => b.createdAt - a.createdAt);
  const running = groups.filter((group) => group.status === 'running');
  writer.text(`${summary(agent, running)}\n\n`);
  const over = groups.filter((group) => group.status !== 'running');
  for (const group of [...running, ...over.slice(0, RECENT)]) writer.block(`${blockOf(group, ids)}\n\n`);
  if (over.length > RECENT) writer.text(vscode.l10n.t('Earlier groups, in the panel: {0}.', over.length - RECENT));
}

/** `/agents`: the definitions that a task can name. */
export function showAgents(agent: LiteAgent, writer: ResponseWriter): void {
  const definitions = agent.definitions.list();
  const lines = definitions.map(({ name, description, source }) => `- **${inert(name)}** (${sourceWord(source)}): ${inert(description, 160)}`);
  const problems = agent.definitions.diagnostics().filter(({ severity }) => severity !== 'information').length;
  if (problems > 0) lines.push('', vscode.l10n.t('Problems in definition files: {0}. The Problems view lists them.', problems));
  writer.text(`${lines.join('\n')}\n\n${vscode.l10n.t('Name one in `/delegate`: `@name` and its task, one task a line.')}\n`);
}

function summary(agent: LiteAgent, running: readonly GroupView[]): string {
  // As the badge and the status bar count.
  const counts = attention(agent.groups(), agent.approvals.pending());
  const facts = [
    running.length === 0 ? vscode.l10n.t('No subagents are running.') : vscode.l10n.t('Subagents running: {0}, queued: {1}.', counts.running, counts.queued),
    ...(counts.approvals > 0 ? [vscode.l10n.t('Waiting for your approval: {0}.', counts.approvals)] : []),
    ...(counts.reviews > 0 ? [vscode.l10n.t('Waiting for your review: {0}.', counts.reviews)] : []),
  ];
  return facts.join(' ');
}

function blockOf(group: GroupView, ids: ChatIds): string {
  // Its conversation may be another one than this: the empty turn keeps the link from speaking for this one.
  return groupBlock(currentBlock(group, { sessionId: '', turnId: '', groupId: group.groupId }), ids, chatWords);
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
    case 'directory':
      return vscode.l10n.t('directory from the settings');
  }
}
