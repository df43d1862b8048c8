import { join } from 'node:path';
import { isLiteral, UNKNOWN } from './shellText.ts';

/** Longer ones are no paths to any system. */
const LONGEST_PATH = 4096;
/** What the shell makes of something else: parameters, and the place of a name that another program puts in. */
const EXPANSIONS = /\$\{[^}]*\}|\$[\w@*#?!-]+|\{\}/g;
const BORDERS = /[\s;&|<>()'"`{},=:\\$]+/;
const PATTERN = new RegExp(`[*?[${UNKNOWN}]`);
/** From what only the shell knows it goes up, or from what a command prints. */
const GOES_UP = new RegExp(`${UNKNOWN}\\S*/\\.\\.(?:/|$)|^/+\\.\\.(?:/|$)`);
/** How git tells where the user's repository is. */
const TELLS_PLACES = /--(?:git-common-dir|git-dir|absolute-git-dir|git-path)\b|\bworktree\s+list\b/;

/** What in a word may be a path: all of it, or what follows on an option. Of what only the shell knows, the folder that it begins with. */
export function pathsIn(word: string, home: string): readonly string[] {
  const [, behind] = /^[^=/]*=([^]+)$/.exec(word) ?? [];
  const [, joined] = /^-[A-Za-z](\.{1,2}|\.{0,2}\/[^]+|\.{1,2}\/)$/.exec(word) ?? [];
  return [word, behind, joined].filter((text) => text !== undefined && text.length < LONGEST_PATH).flatMap((text) => {
    const known = isLiteral(text ?? '') ? text : (homePath(text ?? '', home) ?? folderBefore(text ?? ''));
    return known === undefined || known === '' ? [] : [known];
  });
}

/** At its beginning, what only the shell knows may be the home folder. */
function homePath(word: string, home: string): string | undefined {
  return word.startsWith(`${UNKNOWN}/`) && isLiteral(word.slice(1)) ? join(home, word.slice(1)) : undefined;
}

/** True for a word that leads up from somewhere that only the shell knows. */
export function goesUpUnseen(word: string): boolean {
  return GOES_UP.test(word);
}

/**
 * What of a command line may be paths where it isn't known in full, wherever in it they stand: a variable may bring
 * each of them anywhere. `unseen`: what may be any path.
 */
export function pathsInText(text: string, home: string): { readonly paths: readonly string[]; readonly unseen?: string } {
  const [told] = TELLS_PLACES.exec(text) ?? [];
  if (told !== undefined) return { paths: [], unseen: told };
  const pieces = text.replaceAll(EXPANSIONS, UNKNOWN).split(BORDERS).filter((piece) => piece.length < LONGEST_PATH);
  const unseen = pieces.find(goesUpUnseen);
  const paths = pieces.flatMap((piece) => {
    const whole = /^~(?:\/|$)/.test(piece) ? join(home, piece.slice(1)) : piece;
    const known = PATTERN.test(whole) ? folderBefore(whole) : whole;
    // Slashes alone stand in much that is no path.
    return /^\/*$/.test(known) ? [] : [known];
  });
  return { paths, ...(unseen !== undefined && { unseen }) };
}

function folderBefore(word: string): string {
  const [start = ''] = word.split(PATTERN);
  return start.slice(0, start.lastIndexOf('/') + 1);
}
