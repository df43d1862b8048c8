import type { ShellNode } from './shellGrammar.ts';
import { readWord, UnclearShell, type Hole } from './shellWord.ts';

/** The words of `[ … ]` or `[[ … ]]` from its source: the grammar knows less of them than the shell. Throws `UnclearShell`. */
export function readTest(source: string, node: ShellNode, holes: readonly Hole[]): readonly string[] {
  const open = source.startsWith('[[', node.start) ? '[[' : '[';
  const words = [open];
  let at = node.start + open.length;
  while (at < node.end) {
    const blank = /^[ \t]+/.exec(source.slice(at, node.end))?.[0].length ?? 0;
    if (blank === 0) throw unclear();
    at += blank;
    const operator = /^(?:&&|\|\|)(?=[ \t])/.exec(source.slice(at, node.end))?.[0];
    if (operator !== undefined && open === '[[') {
      words.push(operator);
      at += operator.length;
      continue;
    }
    const from = at;
    const word = readWord(source, from, holes.filter(({ start }) => start >= from));
    if (word.end === from) throw unclear();
    words.push(word.text);
    at = word.end;
  }
  if (at !== node.end || words.at(-1) !== (open === '[' ? ']' : ']]')) throw unclear();
  return words;
}

function unclear(): UnclearShell {
  return new UnclearShell('a test is not understood');
}
