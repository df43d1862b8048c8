import { oneLine } from '../base/text.ts';
import { CAPABILITY_READERS, compareFields } from './capabilityFields.ts';
import type { ReadContext } from './context.ts';
import type { DefinitionFields, Draft, Reader } from './draft.ts';
import { readCount, readFlag, readText } from '../frontmatter/fields.ts';
import { readColor, readDuration, readEffort, readIsolation, readPermission } from './fields.ts';
import type { FieldName } from './fieldTable.ts';
import { FOREIGN_READERS } from './foreignFields.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { FOREIGN_FIELDS } from './interop.ts';
import { readModel } from './models.ts';
import { isName, MAX_NAME } from './names.ts';
import { judgeUnreadField } from './otherFields.ts';
import { readResultSchema } from './resultSchema.ts';
import { FILE_START, type Entry, type Position } from '../frontmatter/values.ts';

const OWN_READERS: Readonly<Record<FieldName, Reader>> = {
  ...CAPABILITY_READERS,
  name({ value }, draft, problems) {
    const name = readText('name', value, problems);
    if (name === undefined) return;
    const clean = oneLine(name);
    if (isName(clean)) draft.name = clean;
    else problems.push({ severity: 'error', code: 'name', message: `\`name\` must have 1 to ${MAX_NAME} visible characters.`, at: value.at });
  },
  description({ at, value }, draft, problems) {
    const before = problems.length;
    const description = readText('description', value, problems);
    if (description !== undefined) draft.description = description;
    else if (problems.length === before) problems.push(noDescription(at));
  },
  model({ value }, draft, problems, context) {
    const model = readModel(value, context, problems);
    if (model !== undefined) draft.model = model;
  },
  effort({ value }, draft, problems) {
    const effort = readEffort(value, problems);
    if (effort !== undefined) draft.effort = effort;
  },
  maxTurns({ value }, draft, problems) {
    const turns = readCount('maxTurns', value, problems);
    if (turns !== undefined) draft.maxTurns = turns;
  },
  maxDuration({ value }, draft, problems) {
    const limit = readDuration('maxDuration', value, problems);
    if (limit !== undefined) draft.maxDurationMs = limit;
  },
  permission({ value }, draft, problems) {
    const permission = readPermission(value, problems);
    if (permission) draft.permission = permission;
  },
  isolation({ value }, draft, problems) {
    const isolation = readIsolation(value, problems);
    if (isolation !== undefined) draft.isolation = isolation;
  },
  resultSchema({ value }, draft, problems) {
    const schema = readResultSchema(value, problems);
    if (schema) draft.resultSchema = schema;
  },
  color({ value }, draft, problems) {
    const color = readColor(value, problems);
    if (color !== undefined) draft.color = color;
  },
  delegable({ value }, draft, problems) {
    if (readFlag('delegable', value, problems) === false) draft.delegable = false;
  },
  'disable-model-invocation'({ value }, draft, problems) {
    if (readFlag('disable-model-invocation', value, problems) === true) draft.delegable = false;
  },
};

const READERS: Readonly<Record<string, Reader>> = { ...FOREIGN_READERS, ...OWN_READERS };

/**
 * Reads the fields of a definition. `name` is given even where something else is wrong, so that a report can say
 * which definition is missing; `fields` only when there is no error.
 */
export function readFields(
  entries: readonly Entry[],
  fallbackName: string,
  context: ReadContext,
): { readonly name: string; readonly fields?: DefinitionFields; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const draft: Draft = {};
  for (const entry of withOwnNames(entries, problems).toSorted((a, b) => compareFields(a.name, b.name))) {
    const reader = Object.hasOwn(READERS, entry.name) ? READERS[entry.name] : undefined;
    if (reader) reader(entry, draft, problems, context);
    else problems.push(judgeUnreadField(entry));
  }
  const name = draft.name ?? fallbackName;
  const { description } = draft;
  if (!entries.some((entry) => entry.name === 'description')) problems.push(noDescription(FILE_START));
  if (!isName(name)) problems.push({ severity: 'error', code: 'name', message: `The file's name is too long for an agent's. Give it a \`name\` of up to ${MAX_NAME} characters.`, at: FILE_START });
  if (description === undefined || problems.some((problem) => problem.severity === 'error')) return { name, problems };
  return { name, problems, fields: { tools: 'inherit', disallowedTools: [], delegable: true, ...draft, name, description } };
}

/** Renames what other products call differently. The same field twice is an error: neither can be known to be meant. */
function withOwnNames(entries: readonly Entry[], problems: Problem[]): readonly Entry[] {
  const given = new Set<string>();
  return entries.flatMap((entry) => {
    const foreign = Object.hasOwn(FOREIGN_FIELDS, entry.name) ? FOREIGN_FIELDS[entry.name] : undefined;
    const own = foreign?.kind === 'renamed' ? { ...entry, name: foreign.to } : entry;
    if (own !== entry) problems.push({ severity: 'information', code: 'mapped', message: `\`${entry.name}\` is read as \`${own.name}\`.`, at: entry.at, data: { kind: 'mapped', of: 'field', word: entry.name, as: [own.name] } });
    if (given.has(own.name)) {
      problems.push({ severity: 'error', code: 'twice', message: `\`${entry.name}\` says \`${own.name}\` a second time. Keep one of them.`, at: entry.at, data: { kind: 'twice', field: entry.name } });
      return [];
    }
    given.add(own.name);
    return [own];
  });
}

function noDescription(at: Position): Problem {
  return { severity: 'error', code: 'no_description', message: '`description` is missing: it tells when to use this agent.', at, data: { kind: 'missing', field: 'description' } };
}
