/** Options that stood elsewhere before each agent had capabilities of its own, with what to do instead: `at` is the path before the option. */
export type MovedOptions = Readonly<Record<string, (at: string) => string>>;

const toCapabilities = (field: string) => (at: string): string => `is now \`${at}capabilities.${field}\``;

/** In the options of a root agent, and in those of one request. */
export const MOVED_OF_ROOT: MovedOptions = {
  allowedTools: toCapabilities('allowedTools'),
  disallowedTools: toCapabilities('disallowedTools'),
  availableSkills: toCapabilities('skills'),
  mcpTools: toCapabilities('connectionTools'),
  connectionTools: toCapabilities('connectionTools'),
};

/** In an entry of `subAgents`, into which nothing flows from its parent. */
export const MOVED_OF_ENTRY: MovedOptions = {
  ...MOVED_OF_ROOT,
  tools: toCapabilities('allowedTools'),
  customTools: toCapabilities('customTools'),
  skills: toCapabilities('skills'),
  mcpServers: (at) => `is now \`${at}capabilities.connectionTools\`: connect with \`acquireMCPConnection\` and hand over its tools`,
};

/** A sentence for each moved option that is given. `at`: the path before it, such as `subAgents.researcher.`. */
export function movedProblems(given: object, moved: MovedOptions, at = ''): readonly string[] {
  return Object.entries(moved).flatMap(([name, instead]) => (isGiven(given, name) ? [`\`${at}${name}\` ${instead(at)}.`] : []));
}

/** A sentence for each field that is given and unknown, moved ones left out. */
export function unknownProblems(given: object, known: readonly string[], moved: MovedOptions, at = ''): readonly string[] {
  const unknown = Object.keys(given).filter((name) => isGiven(given, name) && !known.includes(name) && !Object.hasOwn(moved, name));
  return unknown.map((name) => `\`${at}${name}\` is unknown. Allowed: ${known.join(', ')}.`);
}

function isGiven(object: object, name: string): boolean {
  return (object as Readonly<Record<string, unknown>>)[name] !== undefined;
}
