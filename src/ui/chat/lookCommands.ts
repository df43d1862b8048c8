import * as vscode from 'vscode';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { ChatIds } from './chatIds.ts';
import { inert } from './markdown.ts';
import type { ReportPart } from './report.ts';
import type { ResponseWriter } from './responseWriter.ts';
import { reviewReport } from './reviewReport.ts';
import { statusReport, type StatusFacts } from './statusReport.ts';
import { chatWords } from './words.ts';

/** `/status`: what runs, what was interrupted, what waits for the user, what is scheduled, what ended last, and what all of it used. */
export function showStatus(agent: LiteAgent, writer: ResponseWriter, ids: ChatIds, facts: Pick<StatusFacts, 'sessionId' | 'used' | 'prompts'>): void {
  const { l10n } = vscode;
  write(statusReport({ groups: agent.groups(), pending: agent.approvals.pending(), tasks: agent.tasks.list(), ...facts }, { ids, words: chatWords(l10n), locale: vscode.env.language, l10n }), writer, ids);
}

/** `/review`: what waits for review. */
export function showReviews(agent: LiteAgent, writer: ResponseWriter, ids: ChatIds, sessionId: string | undefined): void {
  const { l10n } = vscode;
  write(reviewReport(agent.groups(), sessionId, { ids, words: chatWords(l10n), l10n }), writer, ids);
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

function write(report: readonly ReportPart[], writer: ResponseWriter, ids: ChatIds): void {
  for (const { kind, markdown } of report) {
    // From the chat the list can only be opened; accepting is done there.
    if (kind === 'review') writer.trusted(markdown, [ids.reviewGroup]);
    else writer[kind](markdown);
  }
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
