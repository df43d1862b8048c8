import { errorText } from '../base/errors.ts';
import { loadGrammar, type ParseShell } from './shellGrammar.ts';
import { partsOf, type ShellPart } from './shellParts.ts';
import { characterName } from './shellText.ts';
import { readTree } from './shellTree.ts';
import { UnclearShell } from './shellWord.ts';

/** The parts of a command line, at least one of them not a file, or why they can't be told. */
export type ShellReading =
  | { readonly ok: true; readonly parts: readonly ShellPart[] }
  | { readonly ok: false; readonly why: string };

/** Reads a command line for judging. */
export type ReadCommand = (command: string) => Promise<ShellReading>;

const MAX_LENGTH = 64_000;
/** Of these the parser needs time and memory by the square where the text isn't complete, without looking at its time limit. */
const COSTLY: readonly (readonly [RegExp, number])[] = [[/\|/g, 500], [/`/g, 200]];
/** Control characters, which may move the cursor of a terminal or end a line only for some. */
const CONTROL = /[^\P{Cc}\t\n]/u;

/**
 * Reads command lines by the grammar of bash, which it loads for the first one. Where that can't be loaded, nothing
 * can be told of any command. What it returns never rejects.
 */
export function createReadCommand(load: () => Promise<ParseShell> = loadGrammar): ReadCommand {
  let loading: Promise<ParseShell> | undefined;
  return async (command) => {
    try {
      return readWith(await (loading ??= load()), command);
    } catch (error) {
      // The next command gets a new parser: this one's memory can't be trusted any more.
      loading = undefined;
      return { ok: false, why: `the shell's grammar can't be used (${errorText(error)})` };
    }
  };
}

/** The reader that all gates share. */
export const readCommand: ReadCommand = createReadCommand();

/** Reads a command line by a grammar that is there. Throws only what the parser throws. */
export function readWith(parse: ParseShell, command: string): ShellReading {
  const readFacts = (text: string): ReturnType<typeof readTree> => {
    checkText(text);
    return readTree(text, parse(text));
  };
  try {
    return { ok: true, parts: partsOf(readFacts(command), readFacts) };
  } catch (error) {
    if (error instanceof UnclearShell) return { ok: false, why: error.message };
    throw error;
  }
}

function checkText(text: string): void {
  if (text.length > MAX_LENGTH) throw new UnclearShell(`it is longer than ${MAX_LENGTH} characters`);
  if (COSTLY.some(([sign, most]) => (text.match(sign)?.length ?? 0) > most)) throw new UnclearShell('it has too many pipes or backticks');
  const control = CONTROL.exec(text)?.[0];
  if (control !== undefined) throw new UnclearShell(`it holds ${characterName(control)}`);
}
