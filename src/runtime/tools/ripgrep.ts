import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

export interface RipgrepPlaces {
  /** VS Code's own folder, as its API names it. */
  readonly appRoot?: string;
  /** A search path, as `PATH` holds it. Relative entries are passed over: they would name a program of the workspace. */
  readonly path?: string;
}

const BINARY = process.platform === 'win32' ? 'rg.exe' : 'rg';

/**
 * Finds a ripgrep: VS Code's own, then one on the search path, then the package `@vscode/ripgrep` if it is installed.
 * @returns an absolute path of an executable file, or nothing. Never rejects.
 */
export async function findRipgrep({ appRoot, path }: RipgrepPlaces = {}): Promise<string | undefined> {
  const places = [...(appRoot === undefined ? [] : placesUnder(appRoot)), ...(path ?? '').split(delimiter).filter(isAbsolute).map((folder) => join(folder, BINARY))];
  for (const place of places) {
    if (await isProgram(place)) return place;
  }
  const packaged = await fromPackage();
  return packaged !== undefined && (await isProgram(packaged)) ? packaged : undefined;
}

/** Newer versions first: one package for all platforms, then one for each. */
function placesUnder(appRoot: string): string[] {
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    join(appRoot, modules, '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, BINARY),
    join(appRoot, modules, '@vscode', 'ripgrep', 'bin', BINARY),
  ]);
}

async function fromPackage(): Promise<string | undefined> {
  // A computed name, so that bundlers leave the optional package out.
  const name = ['@vscode', 'ripgrep'].join('/');
  try {
    const found: unknown = await import(name);
    return typeof found === 'object' && found !== null && 'rgPath' in found && typeof found.rgPath === 'string' ? found.rgPath : undefined;
  } catch {
    return undefined;
  }
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
