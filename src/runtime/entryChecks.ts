import { capabilityProblems, isObject } from './agent/capabilityChecks.ts';
import { MOVED_OF_ENTRY, movedProblems, unknownProblems } from './agent/movedOptions.ts';
import { countProblems } from './agent/requestChecks.ts';
import { oneLine } from './base/text.ts';
import { nameKey } from './definitions/names.ts';
import { isName, MAX_NAME } from './definitions/names.ts';
import type { SubAgentEntry } from './domain/capabilities.ts';

const FIELDS: Readonly<Record<keyof SubAgentEntry, true>> = { description: true, prompt: true, appendPrompt: true, model: true, maxTurns: true, isolation: true, capabilities: true };

/** What is wrong with the entries of `subAgents`, a sentence each. */
export function entryProblems(entries: unknown): readonly string[] {
  if (entries === undefined) return [];
  if (!isObject(entries)) return ['`subAgents` must be an object of entries by name.'];
  return [...nameProblems(Object.keys(entries)), ...Object.entries(entries).flatMap(([name, entry]) => problemsOf(entry, `subAgents.${name}`))];
}

function problemsOf(entry: unknown, at: string): readonly string[] {
  if (!isObject(entry)) return [`\`${at}\` must be an entry with \`description\` and \`prompt\`.`];
  const { description, prompt, maxTurns, isolation, capabilities } = entry;
  return [
    ...movedProblems(entry, MOVED_OF_ENTRY, `${at}.`),
    ...unknownProblems(entry, Object.keys(FIELDS), MOVED_OF_ENTRY, `${at}.`),
    ...Object.entries({ description, prompt }).filter(([, text]) => !isFilled(text)).map(([name]) => `\`${at}.${name}\` is required: a text that isn't empty.`),
    ...['appendPrompt', 'model'].filter((name) => entry[name] !== undefined && typeof entry[name] !== 'string').map((name) => `\`${at}.${name}\` must be a text.`),
    ...(isolation === undefined || isolation === 'worktree' ? [] : [`\`${at}.isolation\` must be \`worktree\`, or absent.`]),
    ...(maxTurns === undefined ? [] : countProblems(`${at}.maxTurns`, maxTurns)),
    ...capabilityProblems(capabilities, `${at}.capabilities`),
  ];
}

/** Names are compared without case, so two that differ by it alone would be one. */
function nameProblems(names: readonly string[]): readonly string[] {
  const odd = names.filter((name) => oneLine(name) !== name || !isName(name));
  const same = [...Map.groupBy(names, nameKey).values()].filter(({ length }) => length > 1);
  return [
    ...odd.map((name) => `\`subAgents\`: ${JSON.stringify(name)} is no name. Use 1 to ${MAX_NAME} visible characters in one line.`),
    ...same.map((alike) => `\`subAgents\`: ${alike.map((name) => `"${name}"`).join(' and ')} are one name, since case doesn't count. Rename one.`),
  ];
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
