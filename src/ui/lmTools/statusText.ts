import { oneLine } from '../../runtime/base/text.ts';
import type { ChildView, GroupView } from '../../runtime/domain/agents.ts';
import { asksOnly } from '../children.ts';
import { statusSummary, type StatusFacts, type StatusStyle } from '../chat/statusReport.ts';

/** Groups that are over, of which it still tells. */
const RECENT = 5;

/** How this window's groups stand, in the words of `/status`, as plain text with the ids by which a model can name them. What is open comes first, then the newest of what is over. */
export function statusText(facts: Pick<StatusFacts, 'groups' | 'pending' | 'tasks'>, { words, locale, l10n }: Pick<StatusStyle, 'words' | 'locale' | 'l10n'>): string {
  const rows = facts.groups.filter(({ isRound }) => !isRound).sort((a, b) => b.createdAt - a.createdAt);
  const [open, over] = [rows.filter(isOpen), rows.filter((group) => !isOpen(group))];
  const lineOf = (child: ChildView, isElsewhere: boolean): string => {
    const waits = !isElsewhere && child.status === 'running' && child.approvals.length > 0;
    return `- ${oneLine(child.displayName)} (agentId: ${child.agentId}): ${oneLine(waits ? words.waits(asksOnly(child) ? 'asking' : 'waiting') : words.line(child, isElsewhere))}`;
  };
  return [
    statusSummary(facts, { locale, l10n }),
    ...[...open, ...over.slice(0, RECENT)].map((group) => [`Group ${group.groupId} (${group.status})`, ...group.children.map((child) => lineOf(child, group.isElsewhere))].join('\n')),
    ...(over.length > RECENT ? [`Earlier groups, in the Groups view: ${over.length - RECENT}.`] : []),
  ].join('\n\n');
}

function isOpen({ status }: GroupView): boolean {
  return status === 'running' || status === 'interrupted';
}
