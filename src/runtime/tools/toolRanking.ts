import type { ToolDefinition } from '../domain/tools.ts';

/** What a word of the query is worth by where it stands: in the name it says more than in the description, whole more than in part. */
const WORTH = { nameWord: 8, namePart: 4, descriptionWord: 2, descriptionPart: 1 } as const;

/** They stand in every description and say nothing. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['a', 'an', 'and', 'by', 'for', 'from', 'in', 'is', 'it', 'of', 'on', 'or', 'that', 'the', 'this', 'to', 'tool', 'tools', 'with']);
/** A shorter word is in half of all others. */
const SHORTEST_PART = 3;

/** The tools that have to do with the words, best first: by where the words stand, then by how many of them do, then by name. */
export function rankTools(query: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const wanted = [...new Set(wordsOf(query))].filter((word) => !EMPTY_WORDS.has(word));
  return tools
    .map((tool) => ({ tool, ...score(wanted, tool) }))
    .filter(({ matched }) => matched > 0)
    .sort((a, b) => b.worth - a.worth || b.matched - a.matched || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

function score(wanted: readonly string[], { name, description }: ToolDefinition): { readonly matched: number; readonly worth: number } {
  const inName = wordsOf(name);
  const inDescription = wordsOf(typeof description === 'string' ? description : '');
  const worths = wanted.map((word) => {
    const isPartOf = (longer: string): boolean => word.length >= SHORTEST_PART && longer.includes(word);
    if (inName.includes(word)) return WORTH.nameWord;
    if (inName.some(isPartOf)) return WORTH.namePart;
    if (inDescription.includes(word)) return WORTH.descriptionWord;
    return inDescription.some(isPartOf) ? WORTH.descriptionPart : 0;
  });
  return { matched: worths.filter((worth) => worth > 0).length, worth: worths.reduce<number>((sum, worth) => sum + worth, 0) };
}

/** Lower case; `createIssue`, `create_issue` and `create-issue` are two words each. */
function wordsOf(text: string): readonly string[] {
  return text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
