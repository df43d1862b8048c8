import { oneLine } from '../base/text.ts';
import { readFlag, readText } from '../frontmatter/fields.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { FILE_START, type Entry, type Position } from '../frontmatter/values.ts';

/** Who may load a skill. `person_only`: no model, by `disable-model-invocation`. */
export type SkillUse = 'anybody' | 'person_only' | 'disabled';

export interface SkillFields {
  readonly name: string;
  readonly description: string;
  readonly use: SkillUse;
}

const MAX_NAME = 64;
/** Fields of other products that say nothing about what a skill does when it is loaded. */
const HARMLESS = new Set(['allowedtools', 'argumenthint', 'author', 'category', 'compatibility', 'homepage', 'license', 'metadata', 'tags', 'title', 'userinvocable', 'version']);

/**
 * Reads the fields of a skill. `name` is given even where something else is wrong, so that a report can say which
 * skill is missing; `fields` only when there is no error. Nothing in them widens what an agent may do.
 */
export function readSkillFields(entries: readonly Entry[], folderName: string): { readonly name: string; readonly fields?: SkillFields; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  let name = oneLine(folderName);
  let nameAt = FILE_START;
  let descriptionAt = FILE_START;
  let description: string | undefined;
  let whenToUse = '';
  let isDisabled = false;
  let isHidden = false;
  for (const { name: field, value, at } of entries) {
    switch (fieldKey(field)) {
      case 'name':
        name = oneLine(readText(field, value, problems) ?? name);
        nameAt = value.at;
        break;
      case 'description':
        description = readText(field, value, problems);
        descriptionAt = at;
        break;
      // Claude Code's, which adds it to the description.
      case 'whentouse':
        whenToUse = readText(field, value, problems) ?? '';
        break;
      case 'disablemodelinvocation':
        isHidden ||= readFlag(field, value, problems) === true;
        break;
      case 'disabled':
        isDisabled ||= readFlag(field, value, problems) === true;
        break;
      case 'enabled':
        isDisabled ||= readFlag(field, value, problems) === false;
        break;
      default:
        if (!HARMLESS.has(fieldKey(field))) problems.push({ severity: 'information', code: 'ignored', message: `\`${field}\` means nothing for a skill here, ignored.`, at });
    }
  }
  if (!isName(name)) problems.push(error('name', `A skill's name, its folder's where it has no \`name\`, must have 1 to ${MAX_NAME} visible characters.`, nameAt));
  if (description === undefined && !hasError(problems)) problems.push(error('no_description', '`description` is missing: it tells a model when to load this skill.', descriptionAt));
  if (description === undefined || hasError(problems)) return { name, problems };
  return { name, problems, fields: { name, description: `${description} ${whenToUse}`.trim(), use: isDisabled ? 'disabled' : isHidden ? 'person_only' : 'anybody' } };
}

/** A field that takes something away counts however it is spelt. */
function fieldKey(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

function isName(name: string): boolean {
  const length = Array.from(name).length;
  return length >= 1 && length <= MAX_NAME;
}

function hasError(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

function error(code: string, message: string, at: Position): Problem {
  return { severity: 'error', code, message, at };
}
