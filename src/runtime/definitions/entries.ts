import type { SubAgentEntry } from '../domain/capabilities.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import { nameKey } from './names.ts';
import { toolsNamed } from './toolNames.ts';

export type SubAgentEntries = Readonly<Record<string, SubAgentEntry>>;

/** The entry of that name; nothing for an unknown one. */
export function findEntry(entries: SubAgentEntries, name: string): SubAgentEntry | undefined {
  return Object.entries(entries).find(([each]) => nameKey(each) === nameKey(name))?.[1];
}

/** The entries as definitions. */
export function entryDefinitions(entries: SubAgentEntries): readonly AgentDefinition[] {
  return Object.entries(entries).map(([name, entry]) => entryDefinition(name, entry));
}

/**
 * What of an entry is data, which events and transcripts may hold: never its tools, connections and skills. Lists name
 * built-in tools as they are called here; any other name stays as it is, since the host may have a tool of that name.
 */
export function entryDefinition(name: string, { description, prompt, appendPrompt, model, maxTurns, isolation, capabilities }: SubAgentEntry): AgentDefinition {
  return {
    name,
    description,
    prompt,
    ...(appendPrompt !== undefined && { appendPrompt }),
    tools: canonical(capabilities?.allowedTools) ?? 'inherit',
    disallowedTools: canonical(capabilities?.disallowedTools) ?? [],
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(isolation && { isolation }),
    delegable: true,
    source: 'code',
  };
}

function canonical(names: readonly string[] | undefined): readonly string[] | undefined {
  if (!names) return undefined;
  const canonicalOf = (name: string): readonly string[] => {
    const known = toolsNamed(name, 'own');
    return known.length > 0 ? known : [name];
  };
  return [...new Set(names.flatMap(canonicalOf))];
}
