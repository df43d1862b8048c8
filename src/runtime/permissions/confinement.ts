import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { WorktreeLimits } from '../domain/ports.ts';
import { holds } from './pathForms.ts';
import { isReadOnlyCommand } from './shellReadOnly.ts';
import { isLiteral, programKey, UNKNOWN } from './shellText.ts';
import { FOLDER_CHANGERS } from './shellWords.ts';
import type { CallSubject, SubjectTarget } from './subject.ts';
import { placeOfGit, readsWithGit, sharedChange } from './worktreeGit.ts';

/** Folders in which a command line may be after it changed them; words whose links are followed. */
const MAX_FOLDERS = 50;
const MAX_FOLLOWED = 200;
/** Variables by which git works elsewhere. */
const STEERS_GIT = /\bGIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CONFIG\w*|CEILING_DIRECTORIES)\b/;
const INSTEAD = 'You work in a git worktree of your own: change files there, by relative paths.';

type CommandTarget = Extract<SubjectTarget, { kind: 'command' }>;

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

/** True for what the user has, for other worktrees, and for the file by which git knows this one. */
function isProtected(path: string, limits: WorktreeLimits): boolean {
  return isUsers(path, limits) || (holds(dirname(limits.top), path) && !holds(limits.top, path));
}

function isUsers(path: string, { top, protects }: WorktreeLimits): boolean {
  if (holds(top, path)) return holds(join(top, '.git'), path);
  return protects.some((folder) => holds(folder, path));
}

async function commandOutside({ command, reading, files }: CommandTarget, limits: WorktreeLimits, cwd: string): Promise<string | undefined> {
  for (const file of files) {
    const why = writesOutside(file, limits);
    if (why !== undefined) return why;
  }
  if (STEERS_GIT.test(command)) return `It would lead git elsewhere by a variable. ${INSTEAD}`;
  if (!reading.ok) return mentions(command, limits) ? outside(command) : undefined;
  let folders: readonly string[] = [cwd];
  const followed: string[] = [];
  for (const part of reading.parts) {
    if (part.kind === 'file') continue;
    // Of a file that it can't be told for certain which one it is, there is its name alone.
    const words = part.kind === 'unclear' && part.words.length === 0 ? [part.text] : part.words;
    const [program = '', ...operands] = words;
    const key = programKey(program);
    if (FOLDER_CHANGERS.has(key)) folders = afterChange(folders, operands);
    const isGit = key === 'git';
    if (part.kind === 'command' && (isGit ? readsWithGit(words) : isReadOnlyCommand(words))) continue;
    const why = isGit ? gitOutside(words, folders, limits) : undefined;
    if (why !== undefined) return why;
    const away = folders.find((folder) => isUsers(folder, limits));
    if (away !== undefined) return `It would run in ${away}. ${INSTEAD}`;
    for (const word of words) {
      if (mentions(word, limits)) return outside(word);
      const paths = pathsIn(word);
      // Where it may be only if a change of the folder failed, the user's own things alone count.
      const places = paths.flatMap((path) => folders.map((folder) => resolve(folder, path)));
      const found = paths.map((path) => resolve(cwd, path)).find((path) => isProtected(path, limits)) ?? places.find((path) => isUsers(path, limits));
      if (found !== undefined) return outside(found);
      followed.push(...places.filter((path) => holds(limits.top, path)));
    }
  }
  // A link in the worktree may lead out of it.
  for (const path of new Set(followed.slice(0, MAX_FOLLOWED))) {
    const real = await realOf(path);
    if (real !== path && isProtected(real, limits)) return outside(path);
  }
  return undefined;
}

function gitOutside(words: readonly string[], folders: readonly string[], limits: WorktreeLimits): string | undefined {
  const place = placeOfGit(words);
  if (place?.elsewhere) return `It would use another repository. ${INSTEAD}`;
  const at = folders.map((folder) => (place?.folders ?? []).reduce((from, to) => resolve(from, to), folder));
  const away = at.find((folder) => isUsers(folder, limits));
  if (away !== undefined) return `It would run in ${away}. ${INSTEAD}`;
  // In a repository of the child's own, such as one that it cloned, nothing is shared; but that can't be told from here.
  return sharedChange(words);
}

/** Where a command line may be by now: nobody knows here which of its changes came to pass. */
function afterChange(folders: readonly string[], operands: readonly string[]): readonly string[] {
  const [target = homedir()] = operands.filter((word) => !word.startsWith('-'));
  const places = expanded(target);
  return [...new Set([...folders, ...folders.flatMap((folder) => places.map((place) => resolve(folder, place)))])].slice(0, MAX_FOLDERS);
}

/** What in a word may be a path: all of it, or what follows on an option. */
function pathsIn(word: string): readonly string[] {
  const [, behind] = /^[^=/]*=([^]+)$/.exec(word) ?? [];
  const [, joined] = /^-[A-Za-z]((?:\.{0,2}\/)[^]*)$/.exec(word) ?? [];
  return [word, behind, joined].filter((text) => text !== undefined && text !== '' && text.length < 4096).flatMap((text) => expanded(text ?? ''));
}

/** At its beginning, what only the shell knows may be the home folder. */
function expanded(word: string): readonly string[] {
  if (isLiteral(word)) return [word];
  return word.startsWith(`${UNKNOWN}/`) && isLiteral(word.slice(1)) ? [join(homedir(), word.slice(1))] : [];
}

/** True where a text names one of the user's folders, such as a script that is given to another program. */
function mentions(text: string, { top, protects }: WorktreeLimits): boolean {
  return protects.filter((folder) => folder !== '/').some((folder) => {
    for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
      const isWhole = !/^(?:[\w-]|\.\w)/.test(text.slice(at + folder.length));
      if (isWhole && !text.startsWith(top, at)) return true;
    }
    return false;
  });
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realOf(parent), relative(parent, path));
  }
}

function outside(what: string): string {
  return `${JSON.stringify(what.replaceAll(UNKNOWN, '?'))} is not in your worktree, and it can't be told that this only reads. Read there with Read, Grep and Glob. ${INSTEAD}`;
}
