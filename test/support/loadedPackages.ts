import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecResult } from '../../scripts/lib/exec.ts';
import { runProgram, type InstalledPackage } from './installedPackage.ts';

export interface NotedRun extends ExecResult {
  /** The third-party packages with code in the files of the library that were loaded. */
  readonly packages: readonly string[];
}

/** The bundler writes above each part where it comes from. */
const ORIGIN = /^ *(?:\/\/ |")node_modules\/((?:@[^/\n]+\/)?[^/\n"]+)\//gmu;

/** Runs a program of the project, and tells what it made the library load. */
export async function runNoted(installed: InstalledPackage, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<NotedRun> {
  const noted = join(installed.folder, 'loaded.json');
  const result = await runProgram(installed, ['--import', join(import.meta.dirname, 'noteLoadedFiles.ts'), ...args], { LOADED_FILES: noted, ...env });
  const urls = JSON.parse(await readFile(noted, 'utf8')) as readonly string[];
  const files = urls.filter((url) => url.includes('/subagent-panel/dist/runtime/')).map((url) => fileURLToPath(url));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const packages = texts.flatMap((text) => [...text.matchAll(ORIGIN)].map(([, name]) => name ?? ''));
  return { ...result, packages: [...new Set(packages)].sort() };
}
