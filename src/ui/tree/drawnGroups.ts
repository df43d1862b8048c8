import { isDeepStrictEqual } from 'node:util';
import type { GroupView } from '../../runtime/domain/agents.ts';
import { groupRow, type GroupContext } from './groupItem.ts';
import type { Row } from './presentation.ts';

/**
 * What the rows of groups said when they were last drawn. To draw one anew, VS Code forgets all rows under it and asks
 * for them again, and a press on one of them is lost meanwhile: so that is worth it only where the row says something else.
 */
export class DrawnGroups {
  readonly #drawn = new Map<string, { readonly row: Row; readonly at: number }>();

  /** Takes note of a row that is drawn now. */
  drawn({ groupId }: GroupView, row: Row, at: number): void {
    this.#drawn.set(groupId, { row, at });
  }

  /** Whether the row would say something else, but for its clock. True for one that was never drawn. */
  saysMore(group: GroupView, context: Omit<GroupContext, 'now'>): boolean {
    const last = this.#drawn.get(group.groupId);
    return last === undefined || !isDeepStrictEqual(groupRow(group, { ...context, now: last.at }), last.row);
  }
}
