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

/** The definition of that name, or the default without one; nothing for an unknown name, never a guess. */
export function findDefinition(definitions: readonly AgentDefinition[], name: string = DEFAULT_DEFINITION): AgentDefinition | undefined {
  return definitions.find((definition) => nameKey(definition.name) === nameKey(name));
}
