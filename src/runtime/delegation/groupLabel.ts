import { plural } from '../base/text.ts';
import type { ChildStatus } from '../domain/agents.ts';

/** A group in a few words for people: `Dependency audit`, `Dependency audit and 2 more`. */
export function shortLabel(names: readonly string[]): string {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** A group for the model: every child's name, in input order. */
export function fullLabel(names: readonly string[]): string {
  return `Subagent group: ${names.join(', ')}`;
}

/** How a group ended, in numbers: `3 subagents completed`, `2 of 5 subagents failed, 1 cancelled`. For people. */
export function outcomeLabel(statuses: readonly ChildStatus[]): string {
  const all = plural(statuses.length, 'subagent');
  const wrong = (['failed', 'cancelled', 'interrupted'] as const)
    .map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
    .filter(({ count }) => count > 0);
  if (wrong.length === 0) return `${all} completed`;
  return wrong.map(({ status, count }, index) => (index === 0 ? `${count} of ${all} ${status}` : `${count} ${status}`)).join(', ');
}
