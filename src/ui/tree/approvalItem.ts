import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { UserQuestion } from '../../runtime/domain/services.ts';
import type { L10n } from '../l10n.ts';
import { actionWords, isServerTool, toolWords } from '../toolWords.ts';
import { COLORS, joined, STATE_ICONS, type Row, type TooltipLine } from './presentation.ts';

/** The row of a waiting call: under its child, or at the top where the chat itself asks. `name` is who asks. */
export function approvalRow(request: ApprovalRequest, name: string, l10n: L10n): Row {
  if (request.question !== undefined) return questionRow(request, request.question, name, l10n);
  const action = truncate(oneLine(actionWords(request)), 120);
  const tool = toolWords(request.tool);
  // The input of a server's tool says little without the tool.
  const [label, about] = isServerTool(request.tool) || action === '' ? [tool, action] : [action, tool];
  return {
    label,
    description: joined(request.agent.kind === 'root' ? name : undefined, about),
    icon: { id: 'shield', color: COLORS.warn },
    contextValue: 'approval',
    spoken: l10n.t('{0} asks to use {1}: {2}', name, tool, action),
  };
}

function questionRow({ agent }: ApprovalRequest, { question }: UserQuestion, name: string, l10n: L10n): Row {
  const text = truncate(oneLine(question), 120);
  return { label: l10n.t('asks: {0}', text), description: agent.kind === 'root' ? name : '', icon: STATE_ICONS.asking, contextValue: 'question', spoken: l10n.t('{0} asks: {1}', name, text) };
}

export function approvalTooltip(request: ApprovalRequest, name: string, l10n: L10n): readonly TooltipLine[] {
  const { question } = request;
  const lines: readonly TooltipLine[] = question !== undefined ? [
    { name: l10n.t('Asked by'), value: name },
    { name: l10n.t('Question'), value: truncate(oneLine(question.question), 600) },
    { name: l10n.t('Options'), value: truncate((question.options ?? []).map(({ label }) => oneLine(label)).join(' · '), 300) },
  ] : [
    { name: l10n.t('Asked by'), value: name },
    { name: l10n.t('Tool'), value: toolWords(request.tool) },
    { name: l10n.t('Action'), value: truncate(oneLine(actionWords(request)), 600) },
    { name: l10n.t('Why it asks'), value: oneLine(request.why) },
  ];
  return lines.filter((line) => line.value !== '');
}
