import type { ChildView, GroupView } from '../../runtime/domain/agents.ts';
import { isInReview, ownChildren } from '../children.ts';
import type { L10n } from '../l10n.ts';
import type { ChatIds } from './chatIds.ts';
import { BREAK, childLine } from './groupBlock.ts';
import { commandLink } from './markdown.ts';
import { textPart, type ReportPart } from './report.ts';
import type { ChatWords } from './words.ts';

export interface ReviewStyle {
  readonly ids: ChatIds;
  readonly words: ChatWords;
  readonly l10n: L10n;
}

/**
 * The answer to `/review`: what waits for a look in this conversation, newest group first, each group with a link to
 * the list in which it is looked at and accepted; then how much waits in others. `sessionId`: absent before its first turn.
 */
export function reviewReport(groups: readonly GroupView[], sessionId: string | undefined, { ids, words, l10n }: ReviewStyle): readonly ReportPart[] {
  const waiting = ownChildren(groups).filter(isInReview);
  const own = waiting.filter((child) => child.sessionId === sessionId);
  const others = waiting.length - own.length;
  const byGroup = [...Map.groupBy(own, placeIn(groups))].sort(([a], [b]) => createdAt(groups, b) - createdAt(groups, a));
  return [
    ...(own.length === 0 ? [textPart(l10n.t('Nothing of this conversation waits for your review.'))] : []),
    ...byGroup.map(([groupId, children]): ReportPart => {
      const lines = children.map((child) => childLine(child, false, words));
      return { kind: 'review', markdown: `${[...lines, commandLink(words.review(), ids.reviewGroup, { groupId })].join(BREAK)}\n\n` };
    }),
    ...(others > 0 ? [textPart(l10n.t('Waiting for your review in other conversations: {0}.', others)), { kind: 'review', markdown: `[${l10n.t('Review All')}](command:${ids.reviewGroup})\n\n` } as const] : []),
  ];
}

/** The group in whose row a child stands; where that is gone, the one of its latest round. */
function placeIn(groups: readonly GroupView[]): (child: ChildView) => string {
  const known = new Set(groups.map(({ groupId }) => groupId));
  return ({ groupId, roundGroupId }) => (known.has(groupId) ? groupId : roundGroupId);
}

function createdAt(groups: readonly GroupView[], groupId: string): number {
  return groups.find((group) => group.groupId === groupId)?.createdAt ?? 0;
}
