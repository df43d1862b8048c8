import { SHELLS, SHELL_WORDS, WRAPPERS } from './shellWords.ts';

/** The simple commands of a command line as unquoted words, or why they can't be told. Never empty when `ok`. */
export type ShellReading =
  | { readonly ok: true; readonly commands: readonly (readonly string[])[] }
  | { readonly ok: false; readonly why: string };

/** Reads a command line for judging. May be replaced by one that knows more of the shell's grammar. */
export type ReadCommand = (command: string) => ShellReading | Promise<ShellReading>;

/** A word that every shell takes as it stands. */
const PLAIN = /^[A-Za-z0-9_\-./:=,@%+]+$/;
const TOKEN = /[ \t]+|&&|\|\||[;|]|'[^'\p{Cc}]*'|[A-Za-z0-9_\-./:=,@%+]+/uy;
/** A limit looks at the command without the first, the first two, … of them: more would take the square of their time. */
const MAX_OPTIONS = 200;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/**
 * Splits a command line that consists of nothing but literal words (plain ones and whole words in single quotes)
 * joined by `&&`, `||`, `;` and `|`. Anything else isn't `ok`: expansion, redirection, substitution, globs,
 * double quotes, backslashes, comments, several lines, assignments, and programs that run other commands.
 * Arguments that look like paths aren't judged: rules for commands see their text only.
 */
export function simpleCommands(command: string): ShellReading {
  const commands: string[][] = [[]];
  let glued = false;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < command.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(command)?.[0];
    if (token === undefined) return unclear(`it holds ${nameOf(command.codePointAt(at) ?? 0)}`);
    if (isSpace(token)) glued = false;
    else if (isOperator(token)) {
      commands.push([]);
      glued = false;
    } else if (glued) return unclear('a word is partly quoted');
    else {
      commands.at(-1)?.push(token.startsWith("'") ? token.slice(1, -1) : token);
      glued = true;
    }
  }
  for (const words of commands) {
    const why = problemOf(words);
    if (why !== undefined) return unclear(why);
  }
  return { ok: true, commands };
}

/** The words as one text, quoted only where they must be: what a plainly written command looks like. */
export function commandText(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word}'`)).join(' ');
}

/** The name of a program without its folder. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** How many words at the start may be options or their values. */
export function leadingOptions(words: readonly string[]): number {
  const isOption = (at: number): boolean => words[at]?.startsWith('-') === true;
  let count = 0;
  while (count < words.length && (isOption(count) || isOption(count - 1))) count++;
  return count;
}

function unclear(why: string): ShellReading {
  return { ok: false, why };
}

function isSpace(token: string): boolean {
  return token.startsWith(' ') || token.startsWith('\t');
}

function isOperator(token: string): boolean {
  return token === '&&' || token === '||' || token === ';' || token === '|';
}

/** Why a list of literal words still doesn't tell what runs. */
function problemOf(words: readonly string[]): string | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return 'a command is missing';
  if (first === '') return 'the name of the command is empty';
  if (ASSIGNMENT.test(first)) return 'it sets a variable for the command';
  const program = programName(first).toLowerCase();
  if (SHELL_WORDS.has(first)) return `"${first}" is a word of the shell's own grammar`;
  if (WRAPPERS.has(program)) return `"${program}" runs another command`;
  if (SHELLS.has(program) && (rest.length === 0 || rest.some((word) => /^[-+]/.test(word)))) return `"${program}" runs another command`;
  if (leadingOptions(rest) > MAX_OPTIONS) return 'it has too many options before its first argument';
  if (program === 'find' && rest.some((word) => /^-(exec|execdir|ok|okdir)$/.test(word))) return '"find" runs another command';
  return undefined;
}

/** A character as people can read it: itself, or its number where it can't be seen. */
function nameOf(point: number): string {
  const text = String.fromCodePoint(point);
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(text) ? `the character ${text}` : `the character U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
