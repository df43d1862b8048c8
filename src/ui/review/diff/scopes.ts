import type { LiteAgent } from '../../../runtime/domain/liteAgent.ts';
import type { FileDiff, FileReview } from '../../../runtime/domain/reviews.ts';
import { rowChildren } from '../../children.ts';
import type { L10n } from '../../l10n.ts';
import { childName, groupName } from '../../names.ts';
import type { ChangeScope } from './changeUris.ts';

export function changesOf({ reviews }: Pick<LiteAgent, 'reviews'>, scope: ChangeScope): Promise<readonly FileReview[]> {
  return scope.kind === 'child' ? reviews.changes(scope.agentId) : reviews.groupChanges(scope.groupId);
}

export function diffOf({ reviews }: Pick<LiteAgent, 'reviews'>, scope: ChangeScope, path: string): Promise<FileDiff> {
  return scope.kind === 'child' ? reviews.diff(scope.agentId, path) : reviews.groupDiff(scope.groupId, path);
}

/** The name of the child among those that it was first started with, or of the group; empty for what is gone. */
export function scopeName(agent: Pick<LiteAgent, 'child' | 'group'>, scope: ChangeScope, l10n: L10n): string {
  if (scope.kind === 'group') {
    const group = agent.group(scope.groupId);
    return group === undefined ? '' : groupName({ children: rowChildren(group) }, l10n);
  }
  const child = agent.child(scope.agentId);
  if (child === undefined) return '';
  const home = agent.group(child.groupId);
  return childName(child, home === undefined ? [child] : rowChildren(home));
}
