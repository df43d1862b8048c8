import { nearNames } from '../base/nearNames.ts';
import type { ServerUse } from '../domain/definitions.ts';
import { readFlag } from '../frontmatter/fields.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { readList } from '../frontmatter/lists.ts';
import type { Value } from '../frontmatter/values.ts';
import type { ReadContext } from './context.ts';
import { readDisallowedTools } from './disallowedTools.ts';
import type { Draft, Reader } from './draft.ts';
import type { FieldName } from './fieldTable.ts';
import { nameKey } from './names.ts';
import { listNames, mergeServers, readServers } from './servers.ts';
import { readTools } from './tools.ts';

/** Fields that look at others: what they look at is read before them, wherever it stands in the file. */
const ORDER: Readonly<Record<string, number>> = { mcpServers: -1, skills: 1, readOnly: 1 };

/** Tools that `readOnly` drops and that people write beside it. */
const WRITING = ['Write', 'Edit'];

/** Which of two fields is read first: negative for `a`. */
export function compareFields(a: string, b: string): number {
  return rank(a) - rank(b);
}

function rank(name: string): number {
  return Object.hasOwn(ORDER, name) ? (ORDER[name] ?? 0) : 0;
}

/** What an agent may use. */
export const CAPABILITY_READERS = {
  mcpServers({ value }, draft, problems, context) {
    setServers(draft, readServers(value, context, problems));
  },
  tools({ value }, draft, problems, context) {
    const read = readTools(value, draft.servers ?? [], context, problems);
    if (!read) return;
    draft.tools = read.tools;
    setServers(draft, mergeServers(draft.servers ?? [], read.servers));
  },
  disallowedTools({ value }, draft, problems, context) {
    const tools = readDisallowedTools(value, draft.servers ?? [], context, problems);
    if (tools) draft.disallowedTools = tools;
  },
  skills({ value, at }, draft, problems, context) {
    const skills = readSkills(value, context, problems);
    if (skills.length === 0) return;
    draft.skills = skills;
    if (!needsSkillTool(draft)) return;
    draft.tools = [...draft.tools, 'Skill'];
    problems.push({ severity: 'information', code: 'tools_added', message: '`tools` doesn\'t name `Skill`, which loads the skills; it is added.', at });
  },
  readOnly({ value, at }, draft, problems) {
    if (readFlag('readOnly', value, problems) !== true) return;
    draft.readOnly = true;
    const dropped = WRITING.filter((tool) => draft.tools?.includes(tool)).map((tool) => `\`${tool}\``);
    if (dropped.length > 0) problems.push({ severity: 'information', code: 'tools_dropped', message: `\`readOnly\` drops what \`tools\` names to change files: ${dropped.join(', ')}.`, at });
  },
} satisfies Partial<Record<FieldName, Reader>>;

/** None is the same as no word of any. */
function setServers(draft: Draft, servers: readonly ServerUse[]): void {
  if (servers.length > 0) draft.servers = servers;
  else delete draft.servers;
}

/** Names of skills, once each. */
function readSkills(value: Value, { skills: there }: ReadContext, problems: Problem[]): readonly string[] {
  if (value.kind === 'scalar' && value.value === null) return [];
  const items = readList('skills', value, problems) ?? [];
  for (const { text, at } of items) {
    if (!there || there.some((name) => nameKey(name) === nameKey(text))) continue;
    problems.push({ severity: 'warning', code: 'unknown_skill', message: `There is no skill \`${text}\` that an agent may load. ${listNames('Skills', there)}`, at, data: { kind: 'unknown', of: 'skill', word: text, near: nearNames(text, there) } });
  }
  return [...new Set(items.map(({ text }) => text))];
}

/** A list of no tools at all is kept as it is. */
function needsSkillTool(draft: Draft): draft is Draft & { tools: readonly string[] } {
  const { tools = 'inherit', servers = [], disallowedTools = [] } = draft;
  return tools !== 'inherit' && (tools.length > 0 || servers.length > 0) && ![...tools, ...disallowedTools].includes('Skill');
}
