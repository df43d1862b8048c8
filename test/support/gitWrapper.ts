import { execFileSync } from 'node:child_process';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from './toolContext.ts';

/** A git of the tests' own. */
export interface WrappedGit extends AsyncDisposable {
  /** With this git on the `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From now on the scripts run with every call. */
  activate(): Promise<void>;
  deactivate(): Promise<void>;
  /** How often the scripts have run. */
  calls(): Promise<number>;
}

/** Runs shell scripts before and after git itself, in its folder and with its arguments. */
export async function wrapGit(before: string, after = ''): Promise<WrappedGit> {
  const folder = await temporaryFolder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const [program, mark, log] = [join(folder.path, 'git'), join(folder.path, 'active'), join(folder.path, 'log')];
  await writeFile(program, `#!/bin/sh\n[ -e '${mark}' ] || exec '${real}' "$@"\necho called >> '${log}'\n${before}\n'${real}' "$@"\ncode=$?\n${after}\nexit $code\n`);
  await chmod(program, 0o755);
  return {
    env: { ...process.env, PATH: `${folder.path}${delimiter}${process.env['PATH'] ?? ''}` },
    activate: () => writeFile(mark, ''),
    deactivate: () => rm(mark),
    calls: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').length - 1,
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
