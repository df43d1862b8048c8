import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { UserQuestion } from '../../runtime/domain/services.ts';
import type { L10n } from '../l10n.ts';
import { fenced } from '../review/markdown.ts';
import { isServerTool, toolWords } from '../toolWords.ts';

/** The whole request as a document: nothing cut, and everything that a model wrote inside code. */
export function detailsText(request: ApprovalRequest, name: string, l10n: L10n): string {
  const { preview, question } = request;
  if (question !== undefined) return questionText(question, name, l10n);
  const facts = [
    [l10n.t('Asked by'), name],
    // The exact name, as rules have it, beside the words.
    [l10n.t('Tool'), isServerTool(request.tool) ? `${toolWords(request.tool)} (${request.tool})` : request.tool],
    [l10n.t('Why it asks'), request.why],
    ...(preview.kind === 'command' ? [[l10n.t('Folder'), preview.cwd]] : []),
    ...(request.rule === undefined ? [] : [[l10n.t('Rule'), request.rule]]),
  ];
  return [
    `# ${l10n.t('Waits for approval')}`,
    fenced(facts.map(([key, value]) => `${key}: ${value}`).join('\n'), 'text'),
    ...previewText(request, l10n),
    `## ${l10n.t('Exact input')}`,
    fenced(JSON.stringify(request.input, null, 2) ?? '', 'json'),
    '',
  ].join('\n\n');
}

function questionText({ question, options = [], multiple = false }: UserQuestion, name: string, l10n: L10n): string {
  const offered = options.map(({ label, description = '' }) => (description.trim() === '' ? `- ${label}` : `- ${label}\n  ${description}`));
  return [
    `# ${l10n.t('Waits for an answer')}`,
    fenced(`${l10n.t('Asked by')}: ${name}`, 'text'),
    `## ${l10n.t('Question')}`,
    fenced(question, 'text'),
    ...(offered.length === 0 ? [] : [`## ${multiple ? l10n.t('Options, of which several may be chosen') : l10n.t('Options')}`, fenced(offered.join('\n'), 'text')]),
    '',
  ].join('\n\n');
}

/** Of a call of a server's tool nothing is known but its input. */
function previewText({ preview, action, tool }: ApprovalRequest, l10n: L10n): readonly string[] {
  if (isServerTool(tool)) return [];
  switch (preview.kind) {
    case 'command':
      return [`## ${l10n.t('Command')}`, fenced(preview.command, 'shell')];
    case 'text':
      return [`## ${l10n.t('Action')}`, fenced(action, 'text'), `## ${l10n.t('Preview')}`, fenced(preview.text, 'text')];
    case 'diff':
      return [`## ${l10n.t('Action')}`, fenced(action, 'text')];
  }
}
