import { FIELDS, type Field } from '../../../runtime/definitions/fieldTable.ts';
import { NAMEABLE_TOOLS } from '../../../runtime/definitions/toolNames.ts';
import type { L10n } from '../../l10n.ts';
import { placeAt, type CursorPlace, type LineRange } from './cursor.ts';
import type { AuthoringFacts } from './facts.ts';
import { findFrontmatter, writtenFields } from './frontmatterBlock.ts';
import { modelWords } from './modelWords.ts';
import { fieldAt, fieldDocs, nameableTools, type Named } from './names.ts';

/** One thing that can be written at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: 'frame' | 'field' | 'value' | 'tool' | 'model' | 'skill' | 'server';
  readonly detail: string;
  /** Markdown. */
  readonly docs: string;
  /** A snippet: `$` and `}` of plain text are escaped. */
  readonly insert: string;
  readonly replace: LineRange;
  /** Whether what is offered next should be shown at once. */
  readonly goesOn: boolean;
}

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;
type ValuePlace = Extract<CursorPlace, { kind: 'value' }>;

/** What can be written at a place of the text, both from zero: in the frontmatter alone. */
export function completionsAt(text: string, line: number, column: number, facts: AuthoringFacts, l10n: L10n): readonly Completion[] {
  const place = placeAt(text, line, column);
  switch (place?.kind) {
    case undefined:
      return [];
    case 'frame':
      return [frame(place.replace, l10n)];
    case 'field':
      return fields(text, line, place, l10n);
    case 'value':
      return values(place, facts, l10n);
  }
}

function frame(replace: LineRange, l10n: L10n): Completion {
  const insert = `---\nname: \${1:my-agent}\ndescription: \${2:${escape(l10n.t('When to use this agent.'))}}\ntools: [\${3:Read, Grep, Glob}]\n---\n\${0:${escape(l10n.t('You are …'))}}\n`;
  return { label: '---', kind: 'frame', detail: l10n.t('A new agent'), docs: l10n.t('The frontmatter of a subagent, with room for its system prompt below.'), insert, replace, goesOn: false };
}

/** The fields that aren't there yet. One that has its value is left as it is, unless it is none. */
function fields(text: string, line: number, place: FieldPlace, l10n: L10n): readonly Completion[] {
  const offered = offeredFields(place.path);
  const there = namesThere(text, line, place);
  if (place.hasColon) {
    if (offered.some(({ name }) => name === place.word) || place.word === '') return [];
    return offered.filter(({ name }) => !there.has(name) && name.toLowerCase().startsWith(place.word.toLowerCase())).map((field) => completion(field, place, field.name, l10n));
  }
  return offered.filter(({ name }) => !there.has(name)).map((field) => completion(field, place, snippetOf(field, ' '.repeat(place.replace.start)), l10n));
}

function completion(field: Field, { path, replace, hasColon }: FieldPlace, insert: string, l10n: L10n): Completion {
  const goesOn = !hasColon && ['model', 'skills', 'servers', 'flag', 'word', 'duration', 'tools', 'map'].includes(field.value.kind);
  return { label: field.name, kind: 'field', detail: field.example.split('\n', 1)[0] ?? '', docs: fieldDocs([...path, field.name], l10n) ?? '', insert, replace, goesOn };
}

function offeredFields(path: readonly string[]): readonly Field[] {
  if (path.length === 0) return FIELDS.filter(({ isOffered }) => isOffered);
  const value = fieldAt(path)?.value;
  return value?.kind === 'map' ? value.fields : [];
}

/** Names of the fields beside the cursor, as they are called here. */
function namesThere(text: string, line: number, { path, replace, parentLine }: FieldPlace): ReadonlySet<string> {
  const block = findFrontmatter(text);
  if (!block) return new Set();
  if (path.length === 0) return new Set(writtenFields(block).filter((field) => field.line !== line).map(({ name }) => fieldAt([name])?.name ?? name));
  const names = new Set<string>();
  for (let each = (parentLine ?? line) + 1; each < block.end; each += 1) {
    const [, blanks = '', name] = /^([ \t]*)([^\s:#-][^:]*?)\s*:/.exec(block.lines[each] ?? '') ?? [];
    if (name !== undefined && blanks.length === 0) break;
    if (name !== undefined && each !== line && blanks.length === replace.start) names.add(name);
  }
  return names;
}

/** A field with the start of its value, in which the cursor then stands. What a person has to write is filled in as an example. */
function snippetOf({ name, value, example }: Field, indent: string): string {
  const given = escape(example.slice(example.indexOf(':') + 1).trim());
  switch (value.kind) {
    case 'text':
    case 'duration':
    case 'count':
      return `${name}: \${1:${given}}`;
    case 'flag':
    case 'word':
      return `${name}: \${1|${choices(value.kind === 'word' ? value.words : ['true', 'false'], given)}|}`;
    case 'model':
      return `${name}: \${1:inherit}`;
    case 'tools':
      return `${name}: [\${1:${name === 'tools' ? 'Read' : 'Bash'}}]`;
    case 'skills':
    case 'servers':
    case 'rules':
      return `${name}: [$1]`;
    case 'map':
      return `${name}:\n${indent}  onAsk: \${1|ask,deny|}`;
    case 'schema':
      return `${name}:\n${indent}  type: object\n${indent}  properties:\n${indent}    \${1:summary}: {type: string}`;
  }
}

/** The example's first. */
function choices(words: readonly string[], first: string): string {
  return [...words].sort((a, b) => Number(b === first) - Number(a === first)).join(',');
}

function values(place: ValuePlace, facts: AuthoringFacts, l10n: L10n): readonly Completion[] {
  const field = fieldAt(place.path);
  if (!field) return [];
  const isList = place.within !== 'alone' || place.others.length > 0;
  const single = (named: readonly Named[], kind: Completion['kind']): readonly Completion[] => (isList ? [] : named.map((each) => valueCompletion(each, kind, place)));
  const several = (named: readonly Named[], kind: Completion['kind']): readonly Completion[] => named.filter(({ name }) => !place.others.includes(name)).map((each) => valueCompletion(each, kind, place));
  const words = (list: readonly string[]): readonly Completion[] => (isList ? [] : list.map((name) => ({ ...valueCompletion({ name, detail: '', docs: '' }, 'value', place), insert: `${place.needsBlank ? ' ' : ''}${name}` })));
  switch (field.value.kind) {
    case 'text':
    case 'count':
    case 'schema':
    case 'map':
      return [];
    case 'flag':
      // In quotes it would be text.
      return place.style === 'plain' ? words(['true', 'false']) : [];
    case 'word':
      return words(field.value.words);
    case 'duration':
      return words(['90s', '5m', '15m', '1h']);
    case 'model':
      return single(modelWords(facts, l10n), 'model');
    case 'tools':
      return several(nameableTools(facts, l10n), 'tool');
    case 'skills':
      return several((facts.skills ?? []).map(({ name, description }) => ({ name, detail: '', docs: description })), 'skill');
    case 'servers':
      return several((facts.servers ?? []).map(({ name }) => ({ name, detail: l10n.t('MCP server {0}', name), docs: '' })), 'server');
    case 'rules':
      return several(rules(l10n), 'value');
  }
}

/** Each tool whole, and the forms that patterns take. */
function rules(l10n: L10n): readonly Named[] {
  const patterns = ['Bash(git status:*)', 'Bash(npm test:*)', 'Edit(src/**)', 'Read(**/.env*)', 'WebFetch(domain:example.org)', 'mcp__server__*'];
  return [...NAMEABLE_TOOLS.map((name) => ({ name, detail: l10n.t('The whole tool'), docs: '' })), ...patterns.map((name) => ({ name, detail: l10n.t('A pattern'), docs: '' }))];
}

function valueCompletion({ name, detail, docs }: Named, kind: Completion['kind'], { style, within, replace, needsBlank }: ValuePlace): Completion {
  const written = style === 'single' ? name.replaceAll("'", "''") : style === 'double' ? JSON.stringify(name).slice(1, -1) : plain(name, within);
  return { label: name, kind, detail, docs, insert: `${needsBlank ? ' ' : ''}${escape(written)}`, replace, goesOn: false };
}

/** In quotes where YAML would read something else. Inside one string with commas, quotes would be part of the name. */
function plain(name: string, within: ValuePlace['within']): string {
  if (within === 'commas') return name;
  return /^[\w./-][\w./ ()*-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|[\d.-].*)$/i.test(name) && !name.endsWith(' ') ? name : JSON.stringify(name);
}

function escape(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
