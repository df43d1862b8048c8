import type { ChildSpec, RunOutcome } from '../domain/agents.ts';
import type { GroupBudget } from '../domain/liteAgent.ts';
import { totalTokens, type Usage } from '../domain/usage.ts';

/** Sums of prices aren't exact. */
const ROUNDING = 1e-9;

/** Why a group may use no more, in a sentence that says what to do; nothing while it may. */
export function budgetProblem(usage: Usage, { tokens, cost }: GroupBudget = {}): string | undefined {
  const used = totalTokens(usage);
  if (tokens !== undefined && used > tokens) return spent(`${count(used)} tokens`, count(tokens), 'budget.tokens', 'subagents.budget.tokensPerGroup');
  const paid = usage.cost ?? 0;
  if (cost !== undefined && paid > cost + ROUNDING) return spent(dollars(paid), dollars(cost), 'budget.cost', 'subagents.budget.costPerGroup');
  return undefined;
}

/** How a child ends that its group's budget keeps from starting. */
export function budgetOutcome(message: string): RunOutcome {
  return { status: 'failed', reason: 'budget', message };
}

/** A budget in dollars can't count what has no price: the first child of which that is so has a note. */
export function withPriceNote(children: readonly ChildSpec[], { cost }: GroupBudget = {}): readonly ChildSpec[] {
  const first = cost === undefined ? undefined : children.find(({ model }) => model.price === undefined);
  if (!first) return children;
  const names = [...new Set(children.filter(({ model }) => model.price === undefined).map(({ model }) => model.model))];
  const note = `The budget of the group is a cost, and no price is set for ${names.join(', ')}: what ${names.length === 1 ? 'it uses' : 'they use'} isn't counted.`;
  return children.map((child) => (child === first ? { ...child, notes: [...(child.notes ?? []), note] } : child));
}

function spent(used: string, limit: string, option: string, setting: string): string {
  return `The group has used ${used}, and its limit is ${limit} (setting ${setting}, in code ${option}). Resume what is missing, or delegate it anew: that counts as a group of its own.`;
}

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}

/** Finer than in cents: what is over a limit must not read like the limit. */
function dollars(amount: number): string {
  return `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
}
