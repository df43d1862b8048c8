import { problemOf, readsEnvironment } from './shellProblems.ts';
import { commandText, isLiteral, leadingOptions, programKey, UNKNOWN } from './shellText.ts';
import type { ShellFacts, SimpleCommand } from './shellTree.ts';
import { FOLDER_CHANGERS, isHarmlessVariable, isOwnVariable, mayPlaceLinks } from './shellWords.ts';
import { scriptOfShell, wrappedBy } from './shellWrappers.ts';

/**
 * The smallest part of a command line that rules look at. `command`: a program with its words, all known. `unclear`:
 * one that always asks; `words` may hold `UNKNOWN`, and without any `text` is all that limits can look at.
 * `file`: one that the shell itself opens, relative to the folder it runs in.
 */
export type ShellPart =
  | { readonly kind: 'command'; readonly words: readonly string[] }
  | { readonly kind: 'unclear'; readonly words: readonly string[]; readonly text: string; readonly why: string }
  | { readonly kind: 'file'; readonly access: 'read' | 'write'; readonly path: string };

/** Reads a command line that is given to another shell. Throws `UnclearShell`. */
export type ReadFacts = (script: string) => ShellFacts;

const MAX_DEPTH = 8;
const NOTHING: ShellPart = { kind: 'unclear', words: [], text: '', why: 'it names no command' };
const ENVIRONMENT = 'it may read the environment of a process, with its secrets';
/** A limit looks at the command without the first, the first two, … of its options: more would take the square of their time. */
const MAX_OPTIONS = 200;

/** All parts of a command line, with what its commands make run. At least one is not a file. */
export function partsOf(facts: ShellFacts, readFacts: ReadFacts): readonly ShellPart[] {
  const parts = partsOfFacts(facts, readFacts, 0);
  const moved = movedBy(parts);
  const checked = parts.map((part): ShellPart => {
    switch (part.kind) {
      case 'unclear':
        return part;
      case 'command': {
        const script = scriptOfShell(part.words);
        const why = script === undefined ? undefined : moved(script);
        return why === undefined ? part : { kind: 'unclear', words: part.words, text: commandText(part.words), why };
      }
      case 'file': {
        const why = problemOfPath(part.path) ?? moved(part.path);
        return why === undefined ? part : { kind: 'unclear', words: [], text: part.path.replaceAll(UNKNOWN, '?'), why };
      }
    }
  });
  if (checked.some((part) => part.kind !== 'file')) return checked;
  return [...checked, NOTHING];
}

/** Says of a path why it may mean another file once these parts have run. */
function movedBy(parts: readonly ShellPart[]): (path: string) => string | undefined {
  const programs = parts.flatMap((part) => (part.kind === 'file' ? [] : [{ key: programKey(part.words[0] ?? ''), words: part.words.slice(1) }]));
  const movesAbout = programs.some(({ key }) => FOLDER_CHANGERS.has(key));
  const placesLinks = programs.some(({ key, words }) => mayPlaceLinks(key, words));
  return (path) => {
    if (placesLinks) return 'it opens a file where it may have put a link';
    return movesAbout && !path.startsWith('/') ? 'it opens a file after it changed the folder' : undefined;
  };
}

function partsOfFacts({ commands, files }: ShellFacts, readFacts: ReadFacts, depth: number): readonly ShellPart[] {
  return [...commands.flatMap((command) => partsOfCommand(command, readFacts, depth)), ...files.map((file) => ({ kind: 'file', ...file }) as const)];
}

function partsOfCommand({ assignments, words }: SimpleCommand, readFacts: ReadFacts, depth: number): readonly ShellPart[] {
  if (words.length === 0 && assignments.length === 0) return [NOTHING];
  // Before a command a variable is passed on; alone it stays in the shell, unless it had been passed on before.
  const isFine = words.length === 0 ? isOwnVariable : isHarmlessVariable;
  const setting = assignments.find(({ name, value }) => !isFine(name) || (words.length > 0 && !isLiteral(value)));
  const why = setting && `it sets the variable ${setting.name}`;
  if (words.length > 0) return partsOfWords(words, why, readFacts, depth);
  return why === undefined ? [] : [{ kind: 'unclear', words: [], text: assignments.map(({ name, value }) => `${name}=${value.replaceAll(UNKNOWN, '?')}`).join(' '), why }];
}

function partsOfWords(words: readonly string[], known: string | undefined, readFacts: ReadFacts, depth: number): readonly ShellPart[] {
  const text = commandText(words);
  const unclear = (seen: readonly string[], why: string): ShellPart => ({ kind: 'unclear', words: seen, text, why });
  if (!isLiteral(words[0] ?? UNKNOWN)) return [unclear([], problemOf(words) ?? '')];
  if (leadingOptions(words.slice(1)) > MAX_OPTIONS) return [unclear([], 'it has too many options before its first argument')];
  const wrapped = wrappedBy(words);
  if (wrapped?.kind === 'hidden' || (wrapped && depth >= MAX_DEPTH)) return [unclear([], wrapped.kind === 'hidden' ? wrapped.why : 'too many commands run each other')];
  const why = known ?? wrapped?.asks ?? problemOf(words) ?? (readsEnvironment(words) ? ENVIRONMENT : undefined);
  const own: ShellPart = why === undefined ? { kind: 'command', words } : unclear(words, why);
  switch (wrapped?.kind) {
    case undefined:
      return [own];
    case 'commands':
      return [own, ...wrapped.commands.flatMap((inner) => partsOfWords(inner, undefined, readFacts, depth + 1))];
    case 'script':
      return [own, ...partsOfFacts(readFacts(wrapped.text), readFacts, depth + 1)];
  }
}

/** Why it can't be told which file the shell will open. */
function problemOfPath(path: string): string | undefined {
  if (!isLiteral(path)) return 'only the shell knows which file it opens';
  if (/^\/+dev\/+(?:tcp|udp)(?:\/|$)/.test(path)) return 'it opens a connection';
  if (path === '') return 'the name of a file is empty';
  // The system follows a link before it goes up.
  if (path.split('/').includes('..')) return 'it opens a file by way of ".."';
  return readsEnvironment([path]) ? ENVIRONMENT : undefined;
}
