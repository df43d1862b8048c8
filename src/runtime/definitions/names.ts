import { nameKey } from '../base/names.ts';
import type { AgentDefinition } from '../domain/definitions.ts';

export { compareText, nameKey } from '../base/names.ts';

/** What a delegation without a `subagent_type` runs on. */
export const DEFAULT_DEFINITION = 'general-purpose';

export const MAX_NAME = 64;

/** Whether a definition can be called so: its length alone, since a name is one clean line by then. */
export function isName(name: string): boolean {
  const length = Array.from(name).length;
  return length >= 1 && length <= MAX_NAME;
}

/** What no file and no code has to bring. */
export const BUILTIN_NAMES: readonly string[] = [DEFAULT_DEFINITION, 'Explore'];

/** Those that a model may choose from. */
export function delegableDefinitions(definitions: readonly AgentDefinition[]): readonly AgentDefinition[] {
  return definitions.filter((definition) => definition.delegable);
}

/** The definition of that name, or the default without one; nothing for an unknown name, never a guess. */
export function findDefinition(definitions: readonly AgentDefinition[], name: string = DEFAULT_DEFINITION): AgentDefinition | undefined {
  return definitions.find((definition) => nameKey(definition.name) === nameKey(name));
}
