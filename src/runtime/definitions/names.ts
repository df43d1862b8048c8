import { AppError } from '../base/errors.ts';
import type { AgentDefinition } from '../domain/definitions.ts';

/** What a delegation without a `subagent_type` runs on. */
export const DEFAULT_DEFINITION = 'general-purpose';

/** Two definitions are the same one when their names have this in common: no case, one form of Unicode. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Code unit order: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Those that a model may choose from. */
export function delegableDefinitions(definitions: readonly AgentDefinition[]): readonly AgentDefinition[] {
  return definitions.filter((definition) => definition.delegable);
}

/** The definition of that name, or the default without one; never a guess. Throws `not_found` with the valid names. */
export function selectDefinition(definitions: readonly AgentDefinition[], name?: string): AgentDefinition {
  const wanted = name ?? DEFAULT_DEFINITION;
  const found = definitions.find((definition) => nameKey(definition.name) === nameKey(wanted));
  if (found) return found;
  const names = delegableDefinitions(definitions).map((definition) => definition.name).join(', ');
  throw new AppError('not_found', `There is no subagent "${wanted}". Use one of: ${names}.`);
}
