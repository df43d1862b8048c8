import { basename } from 'node:path';
import type { DefinitionDiagnostic } from '../domain/definitions.ts';
import type { SkillSource } from '../domain/liteAgent.ts';
import type { SkillDefinition } from '../domain/skills.ts';
import { diagnosticsOf } from '../frontmatter/diagnostics.ts';
import { readText } from '../frontmatter/files.ts';
import { readFrontmatter } from '../frontmatter/frontmatter.ts';
import { FILE_START } from '../frontmatter/values.ts';
import { readSkillFields, type SkillUse } from './fields.ts';
import type { FoundSkill } from './scan.ts';

/** A skill that was read from a file. */
export interface LoadedSkill {
  readonly definition: SkillDefinition;
  readonly use: SkillUse;
  readonly source: SkillSource;
  /** Absolute path of its file. */
  readonly path: string;
}

export interface ParsedSkill {
  /** The name that the file claims, also when it doesn't load; its folder's where none can be read. */
  readonly name: string;
  /** Absent when there is an error among the diagnostics. */
  readonly skill?: LoadedSkill;
  /** In the order of the file. */
  readonly diagnostics: readonly DefinitionDiagnostic[];
}

/** Reads a skill's file. Never throws, and runs nothing. */
export async function readSkill({ folder, realFolder, file: { path } }: FoundSkill, source: SkillSource): Promise<ParsedSkill> {
  const folderName = basename(folder);
  const file = await readText(path);
  if ('problem' in file) return { name: folderName, diagnostics: [{ ...file.problem, severity: 'error' }] };
  const { entries, body, problems } = await readFrontmatter(file.text);
  if (!entries) return { name: folderName, diagnostics: diagnosticsOf(path, problems) };
  const { name, fields, problems: wrong } = readSkillFields(entries, folderName);
  const all = [...problems, ...wrong];
  if (body === '') all.push({ severity: 'information', code: 'no_instructions', message: 'There is no text below the frontmatter, so this skill has no instructions.', at: FILE_START });
  const diagnostics = diagnosticsOf(path, all);
  if (!fields) return { name, diagnostics };
  const { description, use } = fields;
  return { name, diagnostics, skill: { definition: { name, description, instructions: body, folder: realFolder }, use, source, path } };
}
