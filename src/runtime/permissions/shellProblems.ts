import { problemOfGit } from './shellGit.ts';
import { isLiteral, programKey } from './shellText.ts';
import { ASKING_BUILTINS, isHarmlessVariable, isOwnVariable, RESERVED_WORDS } from './shellWords.ts';

/** A file that shows the environment with which a process was started, secrets included. */
const ENVIRONMENT_FILE = /(?:^|[^\w.-])environ(?![\w./-])/;
const ARITHMETIC = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

/** Why a command asks whatever is allowed, although its words are known; nothing for most. */
export function problemOf(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words;
  if (program === '') return 'the name of the command is empty';
  if (!isLiteral(program)) return 'only the shell knows which program it runs';
  // Behind the word `time` it is an assignment.
  if (/^\w+\+?=/.test(program)) return 'it may set a variable';
  if (program.includes('{}')) return 'only another program knows which program it runs';
  const key = programKey(program);
  if (RESERVED_WORDS.has(program)) return `"${program}" is a word of the shell's own grammar`;
  if (ASKING_BUILTINS.has(key)) return `"${key}" changes what the shell does`;
  return problemOfWords(key, rest) ?? (words.every(isLiteral) ? undefined : 'only the shell knows all of its words');
}

/** True when the words name a file that shows the environment of a process. */
export function readsEnvironment(words: readonly string[]): boolean {
  return words.some((word) => ENVIRONMENT_FILE.test(word));
}

function problemOfWords(key: string, words: readonly string[]): string | undefined {
  const unless = (fine: boolean, why: string): string | undefined => (fine ? undefined : why);
  switch (key) {
    case 'export':
      return unless(words.every((word) => isHarmlessVariable(word.replace(/=[^]*/, ''))), 'it sets a variable for other commands');
    case 'read':
      return unless(words.every((word) => word === '-r' || isOwnVariable(word)), 'it sets a variable');
    case 'printf':
      return unless(!/^-v/.test(words[0] ?? ''), 'it sets a variable');
    case 'hash':
      return unless(!words.some((word) => /^-\w*p/.test(word)), 'it says where the shell finds a program');
    case 'set':
      return unless(words.every((word) => /^(?:[-+][euxo]+|pipefail|errexit|nounset|xtrace)$/.test(word)), 'it changes what the shell does');
    case 'wait':
    case 'jobs':
      return unless(!words.some((word) => /^-\w*[px]/.test(word)), 'it sets a variable or runs a command');
    case 'test':
    case '[':
      return unless(!words.some((word) => word === '-v' || word === '-R'), 'it may evaluate a word');
    case '[[':
      return unless(!words.some((word) => word === '-v' || word === '-R' || ARITHMETIC.has(word)), 'it may evaluate a word');
    case 'git':
      return problemOfGit(words);
    default:
      return undefined;
  }
}
