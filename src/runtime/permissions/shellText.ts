/** Stands in a word for what only the shell will know: a variable, the output of a command, file names that match. */
export const UNKNOWN = '\0';

/** A word that bash takes as it stands, and that its grammar here doesn't take for a number with a base, or for an operator. */
const PLAIN = /^(?:\[|\[\[|(?!.*[:=]~)(?!.*\d#)(?!=)[\p{L}\p{N}_\-./:=,@%+^\]][\p{L}\p{N}_\-./:=,@%+^\]~#!]*)$/u;

/** True when the word is known in full. */
export function isLiteral(word: string): boolean {
  return !word.includes(UNKNOWN);
}

/** The words as one text, quoted only where they must be: what a plainly written command looks like. */
export function commandText(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** The name of a program without its folder. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** A program by the name that tables know it by. */
export function programKey(word: string): string {
  return programName(word).toLowerCase().replace(/\.exe$/, '');
}

/** How many words at the start may be options or their values. */
export function leadingOptions(words: readonly string[]): number {
  const isOption = (at: number): boolean => words[at]?.startsWith('-') === true;
  let count = 0;
  while (count < words.length && (isOption(count) || isOption(count - 1))) count++;
  return count;
}

/** A character as people can read it: itself, or its number where it can't be seen. */
export function characterName(character: string): string {
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return `the character ${character}`;
  return `the character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
