import { characterName, UNKNOWN } from './shellText.ts';

/** A part of the source that only the shell can evaluate. */
export interface Hole {
  readonly start: number;
  readonly end: number;
}

/** A word of the source as the shell takes it, unquoted, with `UNKNOWN` for what it doesn't show. `end`: just after it. */
export interface Word {
  readonly text: string;
  readonly end: number;
}

/** Thrown for a command line, or a part of it, that isn't understood for certain. The message ends a sentence after a colon. */
export class UnclearShell extends Error {}

const ENDS_WORD = /[\s;&|<>()]/;
/** What can't be seen, or looks like something else, has no place in a command. */
const INVISIBLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \t\n]/u;
/** Behind `$`. A line end behind a backslash vanishes before the shell looks, and what follows it comes next to the `$`. */
const STARTS_EXPANSION = /^(?:[A-Za-z0-9_{([@*#?$!-]|\\\n)/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v', '\\': '\\', '"': '"', '?': '?' };

/**
 * Reads one word by the quoting rules of bash. The grammar's tree only says where its expansions are (`holes`, in
 * order, from this word on), so that a tree that puts the borders of a word elsewhere than the shell does is found out.
 * @throws UnclearShell for quoting that isn't closed, characters that can't be seen, and expansions that aren't holes
 */
export function readWord(source: string, start: number, holes: readonly Hole[]): Word {
  return new WordReader(source, start, holes).read();
}

class WordReader {
  readonly #source: string;
  readonly #start: number;
  readonly #holes: readonly Hole[];
  #at: number;
  #nextHole = 0;
  #text = '';

  constructor(source: string, start: number, holes: readonly Hole[]) {
    this.#source = source;
    this.#start = start;
    this.#at = start;
    this.#holes = holes;
  }

  read(): Word {
    while (this.#at < this.#source.length) {
      if (this.#skipHole()) continue;
      const character = this.#peek();
      if (ENDS_WORD.test(character)) break;
      this.#plain(character);
    }
    if ((this.#holes[this.#nextHole]?.start ?? this.#at) < this.#at) throw new UnclearShell('an expansion is not understood');
    return { text: this.#text, end: this.#at };
  }

  #plain(character: string): void {
    switch (character) {
      case "'":
        return this.#singleQuoted();
      case '"':
        return this.#doubleQuoted();
      case '\\':
        return this.#backslash();
      case '$':
        return this.#dollar();
      case '`':
        throw new UnclearShell('a command substitution is not understood');
      case '~':
        // Also after `:` and `=`, where some shells look for it.
        return this.#take(1, this.#at === this.#start || /[:=]/.test(this.#source[this.#at - 1] ?? '') ? UNKNOWN : '~');
      case '*':
      case '?':
        return this.#take(1, UNKNOWN);
      case '[':
        return this.#bracket();
      case '{':
        return this.#brace();
      default:
        if (INVISIBLE.test(character)) throw new UnclearShell(`it holds ${characterName(character)}`);
        return this.#take(character.length, character);
    }
  }

  /** Only as a word of its own, as the name of a test, is it no pattern. */
  #bracket(): void {
    const name = ['[[', '['].find((each) => this.#isAlone(each));
    this.#take(name?.length ?? 1, name ?? UNKNOWN);
  }

  /** Braces without a comma or a range in them are plain text, as in `HEAD@{1}` and `{}`. */
  #brace(): void {
    const plain = /^\{(?:[\w-]*|(?:\w+\.)+\w+)\}/.exec(this.#source.slice(this.#at, this.#at + 100))?.[0];
    if (plain === undefined && !this.#isAlone('{')) return this.#take(1, UNKNOWN);
    this.#take((plain ?? '{').length, plain ?? '{');
  }

  #singleQuoted(): void {
    const end = this.#source.indexOf("'", this.#at + 1);
    if (end < 0) throw new UnclearShell('a quotation is not closed');
    const inner = this.#source.slice(this.#at + 1, end);
    this.#take(end + 1 - this.#at, visible(inner));
  }

  #doubleQuoted(): void {
    this.#at++;
    for (;;) {
      if (this.#at >= this.#source.length) throw new UnclearShell('a quotation is not closed');
      if (this.#skipHole()) continue;
      const character = this.#peek();
      const next = this.#source[this.#at + 1] ?? '';
      if (character === '"') return this.#take(1, '');
      if (character === '\\' && next === '\n') this.#take(2, '');
      else if (character === '\\' && /[$`"\\]/.test(next)) this.#take(2, next);
      else if (character === '`' || (character === '$' && this.#startsExpansion())) throw new UnclearShell('an expansion is not understood');
      else this.#take(character.length, visible(character));
    }
  }

  #backslash(): void {
    const next = String.fromCodePoint(this.#source.codePointAt(this.#at + 1) ?? 0);
    if (this.#at + 1 >= this.#source.length) throw new UnclearShell('it ends in a backslash');
    this.#take(1 + next.length, next === '\n' ? '' : visible(next));
  }

  #dollar(): void {
    const next = this.#source[this.#at + 1] ?? '';
    if (next === "'") return this.#ansiQuoted();
    if (next === '"') return this.#take(1, '');
    if (this.#startsExpansion()) throw new UnclearShell('an expansion is not understood');
    this.#take(1, '$');
  }

  #ansiQuoted(): void {
    const raw = /^\$'((?:[^'\\]|\\[^])*)'/.exec(this.#source.slice(this.#at))?.[0];
    if (raw === undefined) throw new UnclearShell('a quotation is not closed');
    // A shell that doesn't know this quoting would end it here and run the rest.
    if (raw.includes("\\'")) throw new UnclearShell("it holds \\' in a $'…' quotation");
    this.#take(raw.length, visible(raw.slice(2, -1).replace(/\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|[^])/g, (_, code: string) => decodeEscape(code))));
  }

  #startsExpansion(): boolean {
    return STARTS_EXPANSION.test(this.#source.slice(this.#at + 1, this.#at + 3));
  }

  #isAlone(text: string): boolean {
    const after = this.#source[this.#at + text.length];
    return this.#at === this.#start && this.#source.startsWith(text, this.#at) && (after === undefined || ENDS_WORD.test(after));
  }

  /** At a hole: goes behind it. A hole that was passed within a quotation isn't one to the shell. */
  #skipHole(): boolean {
    const hole = this.#holes[this.#nextHole];
    if (hole === undefined || hole.start > this.#at) return false;
    if (hole.start < this.#at) throw new UnclearShell('an expansion is not understood');
    this.#at = hole.end;
    this.#nextHole++;
    this.#text += UNKNOWN;
    return true;
  }

  #peek(): string {
    return String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
  }

  #take(length: number, text: string): void {
    this.#at += length;
    this.#text += text;
  }
}

function decodeEscape(code: string): string {
  const number = /^[xuU][0-9A-Fa-f]/.test(code) ? parseInt(code.slice(1), 16) : /^[0-7]/.test(code) ? parseInt(code, 8) : undefined;
  if (number === undefined) {
    const known = Object.hasOwn(ESCAPES, code) ? ESCAPES[code] : undefined;
    if (known === undefined) throw new UnclearShell(`the escape \\${code} is not understood`);
    return known;
  }
  // A byte above these is a part of a character, and a zero ends the text.
  const isByte = !/^[uU]/.test(code);
  if (number === 0 || number > (isByte ? 0x7f : 0xffff) || (number >= 0xd800 && number <= 0xdfff)) throw new UnclearShell(`the escape \\${code} is not understood`);
  return String.fromCodePoint(number);
}

/** The text itself, if all of it can be seen. */
function visible(text: string): string {
  const found = INVISIBLE.exec(text)?.[0];
  if (found !== undefined) throw new UnclearShell(`it holds ${characterName(found)}`);
  return text;
}
