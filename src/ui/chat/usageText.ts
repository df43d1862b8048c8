import type { SessionUsage } from '../../runtime/domain/liteAgent.ts';
import { addUsage, type Usage } from '../../runtime/domain/usage.ts';
import { usageFacts, type NumberStyle } from '../usageWords.ts';
import { inert } from './markdown.ts';

/** What a conversation used, its subagents included, as Markdown; nothing where it used nothing. */
export function sessionUsageText({ root, groups }: SessionUsage, style: NumberStyle): string | undefined {
  const all = written(addUsage(root, groups), style);
  const children = written(groups, style);
  if (all === '') return undefined;
  return children === '' ? style.l10n.t('Used in this conversation: {0}.', all) : style.l10n.t('Used in this conversation: {0}; by its subagents: {1}.', all, children);
}

/** What a group used, as Markdown; nothing where it used nothing. */
export function groupUsageText(usage: Usage, style: NumberStyle): string | undefined {
  const used = written(usage, style);
  return used === '' ? undefined : style.l10n.t('Used: {0}', used);
}

/** Signs of money and of comparison mean something in Markdown. */
function written(usage: Usage, style: NumberStyle): string {
  return inert(usageFacts(usage, style).join(' · '));
}
