import { isDeepStrictEqual } from 'node:util';
import type { GroupView } from '../../runtime/domain/agents.ts';
import { NO_USAGE } from '../../runtime/domain/usage.ts';
import { groupRow, type GroupContext } from './groupItem.ts';
import type { Row } from './presentation.ts';

/**
 * What the rows of groups said when they were last drawn. To draw one anew, VS Code forgets all rows under it and asks
 * for them again, and a press on one of them is lost meanwhile: so that is worth it only where the row says something
 * else, and its clock and what the group has used are no such thing: they change all the time.
 */
export class DrawnGroups {
  readonly #drawn = new Map<string, { readonly row: Row; readonly at: number }>();

  /** Takes note of a group's row that is drawn now. */
  drawn(group: GroupView, context: GroupContext): void {
    this.#drawn.set(group.groupId, { row: lastingRow(group, context), at: context.now });
  }

  /** Whether the row would say something else than that. True for one that was never drawn. */
  saysMore(group: GroupView, context: Omit<GroupContext, 'now'>): boolean {
    const last = this.#drawn.get(group.groupId);
    return last === undefined || !isDeepStrictEqual(lastingRow(group, { ...context, now: last.at }), last.row);
  }
}

function lastingRow(group: GroupView, context: GroupContext): Row {
  return groupRow({ ...group, children: group.children.map((child) => ({ ...child, usage: NO_USAGE })) }, context);
}
