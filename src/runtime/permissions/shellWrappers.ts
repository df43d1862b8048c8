import path from 'node:path';
import { isLiteral, programKey, UNKNOWN } from './shellText.ts';
import { hidesItsCommand, isHarmlessVariable, KNOWN_SHELLS, OTHER_SHELLS } from './shellWords.ts';

/** What a command makes run. `hidden`: something that can't be told; `asks` of the others: why the wrapper itself asks. */
export type Wrapped =
  | { readonly kind: 'commands'; readonly commands: readonly (readonly string[])[]; readonly asks?: string }
  | { readonly kind: 'script'; readonly text: string; readonly asks?: string }
  | { readonly kind: 'hidden'; readonly why: string };

/** How a wrapper is called: options without and with a value of their own, then so many words that aren't the command. */
interface WrapperForm {
  readonly flags?: RegExp;
  readonly values?: RegExp;
  /** Options with which it runs nothing. */
  readonly inert?: RegExp;
  readonly operands?: number;
  readonly assignments?: boolean;
  readonly asks?: string;
  /** It adds words that are not in the command. */
  readonly adds?: boolean;
}

const FORMS: Readonly<Record<string, WrapperForm>> = {
  time: { flags: /^-p$/ },
  command: { flags: /^-p$/, inert: /^-p?[vV]$/ },
  builtin: {},
  exec: { flags: /^-[cl]+$/, values: /^-[cl]*a$/ },
  nohup: {},
  coproc: {},
  nice: { flags: /^(?:-n?-?\d+|--adjustment=-?\d+)$/, values: /^(?:-n|--adjustment)$/ },
  ionice: { flags: /^(?:-[cn]\d+|-t|--ignore|--class=\w+|--classdata=\d+)$/, values: /^(?:-[cn]|--class|--classdata)$/ },
  timeout: { flags: /^(?:-v|--verbose|--foreground|--preserve-status|-[sk]\w+|--(?:signal|kill-after)=[\w.]+)$/, values: /^(?:-[sk]|--signal|--kill-after)$/, operands: 1 },
  stdbuf: { flags: /^(?:-[ioe]\w+|--(?:input|output|error)=\w+)$/, values: /^(?:-[ioe]|--input|--output|--error)$/ },
  setsid: { flags: /^(?:-[cfw]+|--fork|--wait|--ctty)$/ },
  env: { flags: /^(?:-[i0]*|--ignore-environment|--null|-u\w+|--unset=\w+)$/, values: /^(?:-u|--unset)$/, assignments: true },
  xargs: {
    flags: /^(?:-[0rtx]+|-[nPLIdsE]\S+|--null|--no-run-if-empty|--verbose|--exit|--(?:max-args|max-procs|max-lines|max-chars|delimiter|replace|eof)(?:=\S*)?)$/,
    values: /^-[nPLIdsE]$/,
    asks: 'only its input says with which words it runs a command',
    adds: true,
  },
  sudo: { flags: /^(?:-[nEHkSbA]+|--non-interactive|--preserve-env|--set-home|--(?:user|group)=\w+)$/, values: /^(?:-[ugp]|--user|--group|--prompt)$/, assignments: true, asks: 'it runs with the rights of another user' },
  doas: { flags: /^-n$/, values: /^-u$/, asks: 'it runs with the rights of another user' },
};

/** Where the system has tools of its own, those of GNU have a `g` before their names. */
function plainKey(program: string): string {
  return programKey(program).replace(/^g(?=(?:timeout|env|xargs|nice|nohup|stdbuf|find|time)$)/, '');
}

const NAMED = /^([A-Za-z_]\w*)=/;

/** What these words run beside the program they name; nothing for an ordinary program. The program's name is a literal. */
export function wrappedBy(words: readonly string[]): Wrapped | undefined {
  const [program = '', ...rest] = words;
  const key = plainKey(program);
  const form = Object.hasOwn(FORMS, key) ? FORMS[key] : undefined;
  if (form) return wrappedByForm(key, form, rest);
  if (key === 'eval') return scriptOf(rest, 'it runs its words as a command line');
  if (key === 'trap') return rest.length > 1 ? scriptOf(rest.slice(0, 1), 'it runs its word as a command line later') : undefined;
  if (key === 'find') return wrappedByFind(rest);
  if (KNOWN_SHELLS.has(key)) return wrappedByShell(key, rest);
  if (OTHER_SHELLS.has(key)) return rest.some((word) => /^[-+]/.test(word)) || !isScript(rest[0]) || (key === 'cmd' && rest.some((word) => word.startsWith('/'))) ? hidden(key) : undefined;
  if (hidesItsCommand(key)) return hidden(key);
  return undefined;
}

function hidden(program: string): Wrapped {
  return { kind: 'hidden', why: `"${program}" runs another command` };
}

function wrappedByForm(program: string, form: WrapperForm, words: readonly string[]): Wrapped {
  const unknown: Wrapped = { kind: 'hidden', why: `"${program}" runs another command, with options that are not known` };
  const { asks } = form;
  let at = 0;
  for (; words[at]?.startsWith('-'); at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (form.inert?.test(word)) return { kind: 'commands', commands: [] };
    if (form.values?.test(word) && isLiteral(words[at + 1] ?? UNKNOWN)) at++;
    else if (!form.flags?.test(word)) return unknown;
  }
  for (; form.assignments && NAMED.test(words[at] ?? ''); at++) {
    const name = NAMED.exec(words[at] ?? '')?.[1] ?? '';
    if (!isHarmlessVariable(name)) return { kind: 'hidden', why: `"${program}" sets the variable ${name}` };
  }
  const operands = words.slice(at, at + (form.operands ?? 0));
  if (!operands.every(isLiteral)) return unknown;
  const inner = words.slice(at + operands.length);
  if (inner.length === 0) return { kind: 'commands', commands: [], ...(asks === undefined ? {} : { asks }) };
  return { kind: 'commands', commands: [form.adds ? [...inner, UNKNOWN] : inner], ...(asks === undefined ? {} : { asks }) };
}

function wrappedByShell(shell: string, words: readonly string[]): Wrapped | undefined {
  const [first = '', second] = words;
  if (/^-[eulx]*c$/.test(first)) return second === undefined || /^[-+]/.test(second) ? hidden(shell) : scriptOf([second]);
  const script = /^-[eux]+$/.test(first) ? second : first;
  // Without a script it reads commands from its input.
  return isScript(script) ? undefined : hidden(shell);
}

/** False for what may be the shell's own input, by whatever way the name goes there. */
function isScript(script: string | undefined): boolean {
  if (script === undefined || !isLiteral(script) || script.split('/').includes('..')) return false;
  return !/^(?:[-+]|$|\/+(?:dev|proc)(?:\/|$))/.test(path.posix.normalize(script)) && script !== '';
}

/** The script that a shell is given; nothing for all other commands. */
export function scriptOfShell([program = '', ...words]: readonly string[]): string | undefined {
  const key = programKey(program);
  if (!KNOWN_SHELLS.has(key) && !OTHER_SHELLS.has(key)) return undefined;
  return words.some((word) => /^-[eulx]*c$/.test(word)) ? undefined : words.find((word) => !/^[-+]/.test(word));
}

function scriptOf(words: readonly string[], asks?: string): Wrapped {
  if (!words.every(isLiteral)) return { kind: 'hidden', why: 'the text that it runs is known only to the shell' };
  return { kind: 'script', text: words.join(' '), ...(asks === undefined ? {} : { asks }) };
}

const FIND_ACTION = /^-(?:exec|execdir|ok|okdir)$/;
/** Before an action these take no value that could be mistaken for it. */
const FIND_FLAGS = /^-(?:a|and|o|or|not|print0?|ls|prune|quit|delete|depth|d|empty|true|false|follow|mount|xdev|daystart|noleaf|executable|readable|writable|nouser|nogroup|noignore_readdir_race|ignore_readdir_race|warn|nowarn|[HLPEXsx]+|O\d?)$/;

/** True where the word may be the value of the test before it. */
function isFindValue(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? '';
  return (before.startsWith('-') && !FIND_FLAGS.test(before)) || words[at - 2] === '-fprintf';
}

function wrappedByFind(words: readonly string[]): Wrapped | undefined {
  const commands: (readonly string[])[] = [];
  let asks: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const action = words[at] ?? '';
    if (!FIND_ACTION.test(action)) continue;
    const length = words.slice(at + 1).findIndex((word, index, all) => word === ';' || (word === '+' && all[index - 1] === '{}'));
    const inner = words.slice(at + 1, at + 1 + length);
    if (length < 1 || isFindValue(words, at) || inner.some((word, index) => FIND_ACTION.test(word) || (index === 0 && /^(?:-|[!(),]$)/.test(word)))) return hidden('find');
    // A file's name must not become the program, a part of a word, or of a command line.
    if (inner.some((word, index) => word.includes('{}') && (word !== '{}' || index === 0)) || (inner.includes('{}') && wrappedBy(inner) !== undefined)) asks ??= 'the names that it finds say what it runs';
    if (/dir$/.test(action)) asks ??= 'it runs a command in other folders';
    commands.push(inner);
    at += length;
  }
  return commands.length === 0 ? undefined : { kind: 'commands', commands, ...(asks === undefined ? {} : { asks }) };
}

