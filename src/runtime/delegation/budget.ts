import type { ChildSpec, RunOutcome } from '../domain/agents.ts';
import type { GroupBudget } from '../domain/liteAgent.ts';
import { EDITOR_PROVIDER, type ModelRef } from '../domain/models.ts';
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

/** Whether anything is limited. */
export function isBudget({ tokens, cost }: GroupBudget = {}): boolean {
  return tokens !== undefined || cost !== undefined;
}

/**
 * What a budget can't count is said once, by a note on the first child of which it is so: the editor's models tell of
 * no usage, and for a budget in dollars, a model may have no price.
 */
export function withBudgetNotes(children: readonly ChildSpec[], budget: GroupBudget = {}): readonly ChildSpec[] {
  const isUntold = ({ provider }: ModelRef): boolean => provider === EDITOR_PROVIDER;
  const noted = isBudget(budget) ? withNote(children, isUntold, uncountedNote) : children;
  return budget.cost === undefined ? noted : withNote(noted, (model) => !isUntold(model) && model.price === undefined, priceNote);
}

const UNCOUNTED = 'The budget of the group counts only usage that is told, and none is told of ';

/** What is said of models whose provider doesn't tell what they use. */
export function uncountedNote(models: readonly ModelRef[]): string {
  return `${UNCOUNTED}${notCounted(models)}`;
}

export function isUncountedNote(note: string): boolean {
  return note.startsWith(UNCOUNTED);
}

function priceNote(models: readonly ModelRef[]): string {
  return `The budget of the group is a cost, and no price is set for ${notCounted(models)}`;
}

function notCounted(models: readonly ModelRef[]): string {
  const names = [...new Set(models.map(({ model }) => model))];
  return `${names.join(', ')}: what ${names.length === 1 ? 'it uses' : 'they use'} isn't counted.`;
}

function withNote(children: readonly ChildSpec[], isMeant: (model: ModelRef) => boolean, noteOf: (models: readonly ModelRef[]) => string): readonly ChildSpec[] {
  const meant = children.filter(({ model }) => isMeant(model));
  return children.map((child) => (child === meant[0] ? { ...child, notes: [...(child.notes ?? []), noteOf(meant.map(({ model }) => model))] } : child));
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
