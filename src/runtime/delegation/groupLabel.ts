/** A group in a few words for people: `Dependency audit`, `Dependency audit and 2 more`. */
export function shortLabel(names: readonly string[]): string {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** A group for the model: every child's name, in input order. */
export function fullLabel(names: readonly string[]): string {
  return `Subagent group: ${names.join(', ')}`;
}
