import { join, relative, resolve } from 'node:path';
import type { WorktreeLimits } from '../domain/ports.ts';
import { afterChange, type Whereabouts } from './confinedFolders.ts';
import { goesUpUnseen, pathsIn, pathsInText } from './confinedPaths.ts';
import { holds } from './pathForms.ts';
import { isProtected, mentions, reaches, reachesUsers, realOf } from './protectedPlaces.ts';
import type { ShellPart } from './shellParts.ts';
import { isReadOnlyCommand } from './shellReadOnly.ts';
import { isLiteral, programKey, UNKNOWN } from './shellText.ts';
import { FOLDER_CHANGERS, KNOWN_SHELLS, OTHER_SHELLS } from './shellWords.ts';
import type { CallSubject, SubjectTarget } from './subject.ts';
import { placeOfGit, readsWithGit, sharedChange } from './worktreeGit.ts';

/** Words whose links are followed. */
const MAX_FOLLOWED = 2_000;
/** Variables by which git works elsewhere, runs other programs, or writes what it does to a file. */
const STEERS_GIT =
  /\bGIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CONFIG\w*|CEILING_DIRECTORIES|PREFIX|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|EXEC_PATH|TEMPLATE_DIR|SSH\w*|ASKPASS|PROXY_COMMAND|EXTERNAL_DIFF|TRACE\w*|(?:SEQUENCE_)?EDITOR(?!=(?:true|:)(?:\s|$))|PAGER(?!=cat(?:\s|$)))\b/;
const GIT = /(?:^|[\s/;&|(`'"])git(?:\.exe)?(?=[\s'"]|$)/i;
const UNTOLD = 'It can\'t be told whether git runs in it, and what that does. Write out which programs run, each with its words.';
const INSTEAD = 'You work in a git worktree of your own: change files there, by relative paths.';

type CommandTarget = Extract<SubjectTarget, { kind: 'command' }>;
type ProgramPart = Exclude<ShellPart, { kind: 'file' }>;

/**
 * Why a call of an agent with a worktree would change something outside of it, in a sentence for the agent; nothing
 * where that can't be seen. Whatever rules say: this is what the worktree is for. Reading is as free as elsewhere.
 * @param cwd absolute: where commands run
 */
export async function reachOut({ targets }: CallSubject, limits: WorktreeLimits, cwd: string): Promise<string | undefined> {
  for (const target of targets) {
    const why = target.kind === 'path' ? writesOutside(target, limits) : target.kind === 'command' ? await commandOutside(target, limits, cwd) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

function writesOutside({ access, path }: Pick<Extract<SubjectTarget, { kind: 'path' }>, 'access' | 'path'>, limits: WorktreeLimits): string | undefined {
  if (access !== 'write' || !isProtected(path.real, limits)) return undefined;
  const own = holds(limits.standsFor, path.real) ? join(limits.top, relative(limits.standsFor, path.real)) : undefined;
  return `${path.real} is not in your worktree. ${own === undefined || isProtected(own, limits) ? INSTEAD : `Write ${own} instead.`}`;
}

async function commandOutside({ command, reading, files }: CommandTarget, limits: WorktreeLimits, cwd: string): Promise<string | undefined> {
  for (const file of files) {
    const why = writesOutside(file, limits);
    if (why !== undefined) return why;
  }
  const parts = reading.ok ? reading.parts.filter((part) => part.kind !== 'file') : [];
  if (reading.ok && parts.every(onlyReads)) return undefined;
  if (STEERS_GIT.test(command)) return `It would lead git elsewhere by a variable. ${INSTEAD}`;
  if (!reading.ok) return GIT.test(command) ? UNTOLD : textOutside(command, [cwd], limits, cwd);
  if (runsGitBare(parts)) return `It would run git without the settings by which it keeps to your worktree. ${INSTEAD}`;
  let at: Whereabouts = [cwd];
  const followed = new Set<string>();
  for (const part of parts) {
    const key = programKey(part.words[0] ?? '');
    if (FOLDER_CHANGERS.has(key)) at = afterChange(at, key, part.words.slice(1), limits.home);
    if (onlyReads(part)) continue;
    if (at === undefined) return `It can't be told in which folder it would run. ${INSTEAD}`;
    const why = partOutside(part, at, limits, cwd, followed);
    if (why !== undefined) return why;
  }
  const unclear = parts.filter((part) => part.kind === 'unclear');
  if (unclear.length > 0) {
    // Where each command was read, it is known where it goes.
    const text = unclear.every(({ words }) => words.length > 0) ? command.replaceAll(/\b(?:cd|pushd)\s+[^\s;&|)]+/g, '') : command;
    const why = textOutside(text, at ?? [cwd], limits, cwd);
    if (why !== undefined) return why;
  }
  return linksOutside(followed, limits);
}

function onlyReads(part: ShellPart): boolean {
  if (part.kind !== 'command') return part.kind === 'file';
  return programKey(part.words[0] ?? '') === 'git' ? readsWithGit(part.words) : isReadOnlyCommand(part.words);
}

/** `followed` is added to: where words may lead by links. */
function partOutside(part: ProgramPart, folders: readonly string[], limits: WorktreeLimits, cwd: string, followed: Set<string>): string | undefined {
  if (hidesGit(part)) return UNTOLD;
  // Of a file that it can't be told for certain which one it is, there is its name alone.
  const words = part.kind === 'unclear' && part.words.length === 0 ? [part.text] : part.words;
  const why = programKey(words[0] ?? '') === 'git' ? gitOutside(words, folders, limits) : undefined;
  if (why !== undefined) return why;
  const away = folders.find((folder) => reachesUsers(folder, limits));
  if (away !== undefined) return `It would run in ${away}. ${INSTEAD}`;
  for (const word of words) {
    if (mentions(word, limits) || goesUpUnseen(word)) return outside(word);
    const paths = pathsIn(word, limits.home);
    const found = pathOutside(paths, folders, limits, cwd);
    if (found !== undefined) return outside(found);
    for (const path of paths) for (const folder of folders) followed.add(resolve(folder, path));
  }
  return undefined;
}

/** Where the line may be only if a change of the folder failed, the user's own things alone count. */
function pathOutside(paths: readonly string[], folders: readonly string[], limits: WorktreeLimits, cwd: string): string | undefined {
  return paths.map((path) => resolve(cwd, path)).find((path) => reaches(path, limits)) ?? paths.flatMap((path) => folders.map((folder) => resolve(folder, path))).find((path) => reachesUsers(path, limits));
}

/** Of a command line that isn't known in full, all counts that stands in it. */
function textOutside(text: string, folders: readonly string[], limits: WorktreeLimits, cwd: string): string | undefined {
  if (mentions(text, limits)) return outside(text);
  const { paths, unseen } = pathsInText(text, limits.home);
  const found = unseen ?? pathOutside(paths, folders, limits, cwd);
  return found === undefined ? undefined : outside(found);
}

/** A link may lead out of the worktree. */
async function linksOutside(followed: ReadonlySet<string>, limits: WorktreeLimits): Promise<string | undefined> {
  if (followed.size > MAX_FOLLOWED) return `It names too many files for it to be told whether links lead out of your worktree. Name at most ${MAX_FOLLOWED} in one command, or a folder that holds them.`;
  for (const path of followed) {
    const real = await realOf(path);
    if (real !== path && reaches(real, limits)) return outside(path);
  }
  return undefined;
}

function gitOutside(words: readonly string[], folders: readonly string[], limits: WorktreeLimits): string | undefined {
  const place = placeOfGit(words);
  if (place?.elsewhere || place?.folders.every(isLiteral) === false) return `It would use another repository. ${INSTEAD}`;
  const at = folders.map((folder) => (place?.folders ?? []).reduce((from, to) => resolve(from, to), folder));
  const away = at.find((folder) => reachesUsers(folder, limits));
  if (away !== undefined) return `It would run in ${away}. ${INSTEAD}`;
  // In a repository of the child's own, such as one that it cloned, nothing is shared; but that can't be told from here.
  return sharedChange(words);
}

/** True for a part that may be git, where its words aren't known: the name of a program that only the shell knows, a shell that reads its input. */
function hidesGit(part: ProgramPart): boolean {
  if (part.kind !== 'unclear' || part.words.length > 0) return false;
  const [program = ''] = part.text.replace(/^'/, '').split(/[\s']/);
  const key = programKey(program);
  return !isLiteral(program) || KNOWN_SHELLS.has(key) || OTHER_SHELLS.has(key) || GIT.test(part.text);
}

/** True where a command takes the environment from others, and git runs. */
function runsGitBare(parts: readonly ProgramPart[]): boolean {
  const clears = ({ words: [program = '', ...rest] }: ProgramPart): boolean => {
    const key = programKey(program);
    if (key === 'sudo' || key === 'doas') return true;
    const end = rest.findIndex((word) => !word.startsWith('-'));
    const options = end < 0 ? rest : rest.slice(0, end);
    if (key === 'env') return options.some((word) => /^-(?:$|[^-]*i|-i)/.test(word));
    return key === 'exec' && options.some((word) => /^-[^-]*c/.test(word));
  };
  return parts.some(clears) && parts.some(({ words }) => programKey(words[0] ?? '') === 'git');
}

function outside(what: string): string {
  return `${JSON.stringify(what.replaceAll(UNKNOWN, '?'))} is not in your worktree, and it can't be told that this only reads. Read there with Read, Grep and Glob. ${INSTEAD}`;
}
