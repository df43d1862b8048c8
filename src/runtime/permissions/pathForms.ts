import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../base/errors.ts';

/** What the forms of paths depend on. */
export interface PathRules {
  readonly windows: boolean;
  /** The home folder, for `~`. */
  readonly home: string;
}

/** The rules of this machine. */
export const NATIVE: PathRules = { windows: process.platform === 'win32', home: homedir() };

/** Names that Windows takes for devices in any folder and with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])( *\.|$)/i;
/** How Windows abbreviates a longer name. */
const SHORT_NAME = /^[^.~]{1,6}~\d+(\.[^.]{0,3})?$/;

/**
 * The absolute path that an input means: relative to `cwd`, `~`, `~/…`, a `file:` URI or absolute, with `..` taken from
 * the text. Pure, and touches no file: on Windows, looking at a share would already tell another machine who is asking.
 * @param roots absolute workspace folders: those on shares make these shares reachable.
 * @throws AppError `denied` for an empty path, NUL bytes, URIs of other machines, and on Windows for devices, streams,
 * names that Windows would change, and shares that hold no workspace folder.
 */
export function absolutePath(given: string, cwd: string, roots: readonly string[] = [], { windows, home }: PathRules = NATIVE): string {
  if (given === '') throw denied(given, 'is empty');
  if (given.includes('\0')) throw denied(given, 'holds a NUL byte');
  const local = /^file:/i.test(given) ? fromUri(given, windows) : given;
  if (local.includes('\0')) throw denied(given, 'holds a NUL byte');
  const forms = windows ? path.win32 : path.posix;
  const isHome = local === '~' || (windows ? /^~[/\\]/ : /^~\//).test(local);
  const absolute = isHome ? forms.join(home, local.slice(1)) : forms.resolve(cwd, local);
  if (!windows) return absolute;
  const problem = problemOnWindows(isHome ? local.slice(1) : local, cwd) ?? problemOfShare(absolute, [cwd, ...roots]);
  if (problem !== undefined) throw denied(given, problem);
  return absolute;
}

/** True when the file is the folder or lies in it. Both absolute; on Windows case makes no difference. */
export function holds(folder: string, file: string, { windows }: Pick<PathRules, 'windows'> = NATIVE): boolean {
  const forms = windows ? path.win32 : path.posix;
  const between = forms.relative(folder, file);
  return between === '' || (between !== '..' && !between.startsWith(`..${forms.sep}`) && !forms.isAbsolute(between));
}

export function denied(given: string, problem: string, cause?: unknown): AppError {
  return new AppError('denied', `The path ${JSON.stringify(given)} ${problem}.`, { cause });
}

function fromUri(given: string, windows: boolean): string {
  try {
    return fileURLToPath(given, { windows });
  } catch (error) {
    throw denied(given, 'is not the URI of a file on this machine', error);
  }
}

/** What Windows would take for something else than the plain file of that name. */
function problemOnWindows(given: string, cwd: string): string | undefined {
  if (/^[\\/]{2}[.?][\\/]|^[\\/]\?\?[\\/]/.test(given)) return 'is a device or skips the checks of Windows, not a plain path';
  const parts = given.replace(/^[A-Za-z]:/, '').split(/[\\/]/).filter((part) => part !== '.' && part !== '..');
  const known = cwd.split(/[\\/]/);
  for (const part of parts) {
    if (part.includes(':')) return 'names a stream of a file, not a plain file';
    if (/[<>"|?*\u0001-\u001f]/.test(part)) return 'holds a character that no file name has on Windows';
    if (/[. ]$/.test(part)) return 'ends a name with a dot or a space, which Windows leaves out';
    if (DEVICE.test(part)) return 'is a device of Windows, not a plain file';
    if (SHORT_NAME.test(part) && !known.includes(part)) return 'may be the short form of another name; use the long one';
  }
  return undefined;
}

/** A share is reached only where a workspace folder lies on it. */
function problemOfShare(absolute: string, folders: readonly string[]): string | undefined {
  const share = shareOf(absolute);
  if (share === undefined || folders.some((folder) => shareOf(folder) === share)) return undefined;
  return 'is on another machine, where no workspace folder is';
}

function shareOf(absolute: string): string | undefined {
  return /^[\\/]{2}([^\\/]+[\\/]+[^\\/]+)/.exec(absolute)?.[1]?.replaceAll('/', '\\').toLowerCase();
}
