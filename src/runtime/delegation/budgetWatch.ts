import type { ChildKey, EventOf } from '../domain/events.ts';
import { addUsage, NO_USAGE, totalTokens, type Usage } from '../domain/usage.ts';
import { budgetOutcome, budgetProblem, isBudget, isUncountedNote, uncountedNote } from './budget.ts';
import type { ChildRun } from './childRun.ts';
import type { DelegationDeps } from './deps.ts';

/** Holds each group to its budget. What it used is read from the archive, which counts it. */
export class BudgetWatch {
  readonly #deps: Pick<DelegationDeps, 'archive' | 'budget' | 'publish'>;
  readonly #children: (groupId: string) => readonly ChildRun[];

  /** `children`: those of a group that hasn't settled; none of any other. */
  constructor(deps: Pick<DelegationDeps, 'archive' | 'budget' | 'publish'>, children: (groupId: string) => readonly ChildRun[]) {
    this.#deps = deps;
    this.#children = children;
  }

  /** Why the group may use no more, in a sentence; nothing while it may. `pending`: used, and not counted yet. */
  problem(groupId: string, pending: Usage = NO_USAGE): string | undefined {
    const group = this.#deps.archive.group(groupId);
    return group && budgetProblem(addUsage(group.usage, pending), this.#deps.budget());
  }

  /** Takes note of what a turn of a child used. */
  turnEnded({ agent, stop, usage }: EventOf<'model.ended'>): void {
    if (agent.kind === 'root') return;
    // One that was cut short need not have come to where its usage is told.
    if (usage.isPartial && totalTokens(usage) === 0 && stop !== 'error' && stop !== 'aborted') this.#noteUncounted(agent);
    this.usageChanged(agent.groupId);
  }

  /** What waits in a group that has used up its budget fails at once. What runs finds out at the end of its turn. */
  usageChanged(groupId: string): void {
    const used = this.problem(groupId);
    if (used === undefined) return;
    for (const child of this.#children(groupId)) child.refuseStart(budgetOutcome(used));
  }

  /** Says once in a group that its budget can't count everything. */
  #noteUncounted({ sessionId, groupId, agentId }: ChildKey): void {
    const children = this.#deps.archive.group(groupId)?.children ?? [];
    const child = children.find((each) => each.agentId === agentId);
    if (!child || !isBudget(this.#deps.budget()) || children.some(({ notes = [] }) => notes.some(isUncountedNote))) return;
    this.#deps.publish({ type: 'child.noted', sessionId, groupId, agentId, text: uncountedNote([child.model]) });
  }
}
