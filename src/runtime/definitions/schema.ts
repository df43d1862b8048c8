import { oneLine } from '../base/text.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import { readCount, readFlag, readPermission, readText } from './fields.ts';
import type { Problem } from './frontmatter.ts';
import { judgeUnreadField } from './otherFields.ts';
import { readDisallowedTools, readTools } from './tools.ts';
import { FILE_START, type Entry, type Position } from './values.ts';

/** What the frontmatter says, before the file adds its place and its body. */
export type DefinitionFields = Omit<AgentDefinition, 'prompt' | 'source' | 'path'>;

type Draft = { -readonly [K in keyof DefinitionFields]?: DefinitionFields[K] };
type Reader = (entry: Entry, draft: Draft, problems: Problem[]) => void;

const MAX_NAME = 64;

const READERS: Readonly<Record<string, Reader>> = {
  name({ value }, draft, problems) {
    const name = readText('name', value, problems);
    if (name === undefined) return;
    const clean = oneLine(name);
    if (clean === '' || Array.from(clean).length > MAX_NAME) {
      problems.push({ severity: 'error', code: 'name', message: `\`name\` must have 1 to ${MAX_NAME} visible characters.`, at: value.at });
    } else {
      draft.name = clean;
    }
  },
  description({ at, value }, draft, problems) {
    const before = problems.length;
    const description = readText('description', value, problems);
    if (description !== undefined) draft.description = description;
    else if (problems.length === before) problems.push(noDescription(at));
  },
  tools({ value }, draft, problems) {
    const tools = readTools(value, problems);
    if (tools !== undefined) draft.tools = tools;
  },
  disallowedTools({ value }, draft, problems) {
    const tools = readDisallowedTools(value, problems);
    if (tools) draft.disallowedTools = tools;
  },
  model({ value }, draft, problems) {
    const model = readText('model', value, problems);
    if (model !== undefined) draft.model = model;
  },
  maxTurns({ value }, draft, problems) {
    const turns = readCount('maxTurns', value, problems);
    if (turns !== undefined) draft.maxTurns = turns;
  },
  permission({ value }, draft, problems) {
    const permission = readPermission(value, problems);
    if (permission) draft.permission = permission;
  },
  delegable({ value }, draft, problems) {
    if (readFlag('delegable', value, problems) === false) draft.delegable = false;
  },
  'disable-model-invocation'({ value }, draft, problems) {
    if (readFlag('disable-model-invocation', value, problems) === true) draft.delegable = false;
  },
};

/**
 * Reads the fields of a definition. `name` is given even where something else is wrong, so that a report can say
 * which definition is missing; `fields` only when there is no error.
 */
export function readFields(entries: readonly Entry[], fallbackName: string): { readonly name: string; readonly fields?: DefinitionFields; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const draft: Draft = {};
  for (const entry of entries) {
    const reader = Object.hasOwn(READERS, entry.name) ? READERS[entry.name] : undefined;
    if (reader) reader(entry, draft, problems);
    else problems.push(judgeUnreadField(entry));
  }
  const name = draft.name ?? fallbackName;
  const { description } = draft;
  if (!entries.some((entry) => entry.name === 'description')) problems.push(noDescription(FILE_START));
  if (description === undefined || problems.some((problem) => problem.severity === 'error')) return { name, problems };
  return { name, problems, fields: { tools: 'inherit', disallowedTools: [], delegable: true, ...draft, name, description } };
}

function noDescription(at: Position): Problem {
  return { severity: 'error', code: 'no_description', message: '`description` is missing: it tells when to use this agent.', at };
}
