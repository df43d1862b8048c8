import { realpath } from 'node:fs/promises';
import { AppError } from '../base/errors.ts';
import { nameKey } from '../base/names.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { SkillDefinition } from '../domain/skills.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { listSkillFiles } from './files.ts';

interface SkillInput {
  readonly name: string;
}

/** Bounds output for a model; what is cut is kept where its agent can read it. Never rejects. */
export type LimitOutput = (text: string, name: string, context: Pick<ToolContext, 'spill'>) => Promise<string>;

const DESCRIPTION =
  'Loads a skill: instructions for one kind of work, with the files that belong to them. When what you are about to do is what one of your skills is for, load it before you begin, and follow it.';
/** Characters of the list of skills, which stands in every request. */
const MAX_LIST = 12_000;
const MAX_DESCRIPTION = 600;
/** Characters of a line that are neither name nor description. */
const LINE_MARKS = '- : \n'.length;
/** A description that would be cut shorter than this says nothing. */
const MIN_DESCRIPTION = 30;
const MAX_NAMES = 2000;

/** The tool with which an agent loads its own skills, and nobody else's. */
export function createSkillTool(limitOutput: LimitOutput): ToolDefinition {
  return {
    name: 'Skill',
    description: DESCRIPTION,
    descriptionFor: ({ skills }) => `${DESCRIPTION}\nYour skills:\n${listOf(skills)}`,
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, description: 'The name of one of your skills.' } },
      required: ['name'],
      additionalProperties: false,
    },
    isReadOnly: true,
    actsOnRun: true,
    describe: ({ name }: SkillInput) => truncate(oneLine(`Loading the skill ${name}`), 80),
    targets: () => [],
    execute: ({ name }: SkillInput, context: ToolContext) => load(name, context, limitOutput),
  };
}

/** A line for each: its name, and as much of its description as all of them leave room for. */
function listOf(skills: readonly SkillDefinition[]): string {
  const rest = LINE_MARKS + skills.reduce((longest, { name }) => Math.max(longest, name.length), 0);
  const room = Math.min(MAX_DESCRIPTION, Math.floor(MAX_LIST / skills.length) - rest);
  const lines = skills.map(({ name, description }) => (room < MIN_DESCRIPTION ? `- ${oneLine(name)}` : `- ${oneLine(name)}: ${truncate(oneLine(description), room)}`));
  return bounded(lines, '\n', MAX_LIST);
}

async function load(name: string, context: ToolContext, limitOutput: LimitOutput): Promise<ToolResult> {
  const wanted = nameKey(oneLine(name));
  const skill = context.skills.find((each) => nameKey(oneLine(each.name)) === wanted);
  if (!skill) throw new AppError('not_found', `You have no skill called ${JSON.stringify(truncate(oneLine(name), 80))}. Yours are: ${bounded(context.skills.map((each) => oneLine(each.name)), ', ', MAX_NAMES)}.`);
  const instructions = await limitOutput(skill.instructions || '[This skill has no instructions of its own.]', 'skill', context);
  const text = [`# Skill: ${oneLine(skill.name)}`, instructions, ...(skill.folder === undefined ? [] : [await aboutFolder(skill.folder, context)])].join('\n\n');
  return { content: [{ type: 'text', text }] };
}

async function aboutFolder(folder: string, { mayRead }: ToolContext): Promise<string> {
  const real = await realpath(folder).catch(() => folder);
  const { paths, isCut } = await listSkillFiles(real, mayRead);
  const where = `This skill's folder is ${real}. Relative paths in its instructions start there.`;
  if (paths.length === 0) return where;
  const more = isCut ? '\n[There are more: find them with Glob in that folder.]' : '';
  return `${where} These files are in it; read those that the instructions call for:\n${paths.map((path) => `- ${path}`).join('\n')}${more}`;
}

/** The first of the texts, up to that many characters in all, and how many were left out. */
function bounded(texts: readonly string[], separator: string, max: number): string {
  let room = max;
  const given = texts.filter((text) => (room -= text.length + separator.length) >= 0);
  return [...given, ...(given.length < texts.length ? [`… and ${texts.length - given.length} more`] : [])].join(separator);
}
