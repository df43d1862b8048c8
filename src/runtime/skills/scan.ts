import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { mapLimited } from '../base/async.ts';
import { errorText, systemCode } from '../base/errors.ts';
import { compareText } from '../base/names.ts';
import type { DefinitionDiagnostic, DiagnosticSeverity } from '../domain/definitions.ts';
import { SKILL_SOURCES, type SkillSource } from '../domain/liteAgent.ts';
import { lookAt, type FoundFile } from '../frontmatter/look.ts';

/** A folder for each source that has one; all absolute. */
export type SkillFolders = Partial<Record<SkillSource, string>>;

/** A folder that holds a `SKILL.md`. */
export interface FoundSkill {
  /** As it is named. */
  readonly folder: string;
  /** Where it really is. */
  readonly realFolder: string;
  readonly file: FoundFile;
}

export interface SkillScan {
  readonly source: SkillSource;
  readonly skills: readonly FoundSkill[];
  /** What can't be looked at, and what isn't a skill. */
  readonly problems: readonly DefinitionDiagnostic[];
}

const PARALLEL = 8;
const MAX_SKILLS = 500;

/** Lists the skills of all sources, in the order of precedence, without opening any file. Never throws. */
export async function scanSkills(folders: SkillFolders): Promise<readonly SkillScan[]> {
  const named = SKILL_SOURCES.flatMap((source) => {
    const folder = folders[source];
    return folder === undefined ? [] : [{ source, folder }];
  });
  const found = await mapLimited(named, PARALLEL, async ({ source, folder }) => ({ id: (await lookAt(folder)).id, scan: await scanFolder(folder, source) }));
  // Of two sources with one folder the later counts.
  return found.filter(({ id }, index) => id === undefined || !found.slice(index + 1).some((other) => other.id === id)).map(({ scan }) => scan);
}

/** One level, as the other products read theirs. A missing folder is empty. */
async function scanFolder(folder: string, source: SkillSource): Promise<SkillScan> {
  let names: readonly string[];
  let root: string;
  try {
    names = (await readdir(folder)).filter((name) => !name.startsWith('.') && name !== 'node_modules').toSorted(compareText);
    root = await realpath(folder);
  } catch (error) {
    return { source, skills: [], problems: systemCode(error) === 'ENOENT' ? [] : [unreadable(folder, error)] };
  }
  const found = await mapLimited(names.slice(0, MAX_SKILLS), PARALLEL, (name) => lookInto(join(folder, name), root));
  const skills = found.flatMap((each) => (each && 'file' in each ? [each] : []));
  const problems = found.flatMap((each) => (each && 'code' in each ? [each] : []));
  if (names.length > MAX_SKILLS) problems.push(problem(folder, 'warning', 'too_many', `Only the first ${MAX_SKILLS} of the ${names.length} entries of this folder are read.`));
  return { source, skills, problems };
}

/** The skill in that place, what is wrong with it, or nothing for what nobody meant as one. */
async function lookInto(path: string, root: string): Promise<FoundSkill | DefinitionDiagnostic | undefined> {
  const { isFolder, id, stamp } = await lookAt(path);
  if (id === undefined) return problem(path, 'warning', 'unreadable', stamp === 'ENOENT' ? 'The link leads to nothing.' : `This can't be looked at (${stamp}).`);
  if (!isFolder) return looksLikeSkill(path) ? problem(path, 'information', 'not_a_folder', 'A skill is a folder with a SKILL.md in it. This file is not read.') : undefined;
  try {
    const [realFolder, name] = [await realpath(path), skillFile(await readdir(path))];
    if (holds(realFolder, root)) return problem(path, 'warning', 'circle', 'The link leads back to a folder that holds this one, which is not read as a skill.');
    if (name === undefined) return problem(path, 'information', 'no_skill', 'This folder holds no SKILL.md. Skills are looked for one level deep.');
    // A folder that came with a workspace must not show files from elsewhere. One that leads nowhere is told of when it is read.
    const realFile = await realpath(join(path, name)).catch(() => undefined);
    if (realFile !== undefined && !holds(realFolder, realFile)) return problem(join(path, name), 'warning', 'outside', 'The link leads out of the folder of the skill, so it is not read. Link the whole folder instead.');
    const { stamp: fileStamp, changedAt } = await lookAt(join(path, name));
    return { folder: path, realFolder, file: { path: join(path, name), stamp: fileStamp, changedAt } };
  } catch (error) {
    return unreadable(path, error);
  }
}

/** The one that is spelt as it should be, if there are several. */
function skillFile(names: readonly string[]): string | undefined {
  const files = names.filter((name) => name.toLowerCase() === 'skill.md').toSorted(compareText);
  return files.find((name) => name === 'SKILL.md') ?? files[0];
}

function looksLikeSkill(path: string): boolean {
  return /\.md$/i.test(path) && !/[\\/]readme\.md$/i.test(path);
}

function holds(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between === '' || (between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between));
}

function unreadable(folder: string, error: unknown): DefinitionDiagnostic {
  return problem(folder, 'error', 'unreadable', `The folder can't be read: ${errorText(error)}`);
}

function problem(path: string, severity: DiagnosticSeverity, code: string, message: string): DefinitionDiagnostic {
  return { severity, code, message, path, line: 1, column: 1 };
}
