import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { throwIfAborted } from '../base/abort.ts';
import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';

/** What is passed on of the host's environment: nothing that steers git, and no secret. */
const PASSED = ['PATH', 'Path', 'HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
const OWN: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
};
/** Whatever a repository is set to: git runs no other program, keeps no caches, and trusts a folder of another owner, from which it runs nothing. */
const SETTINGS = [
  'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.untrackedCache=false', 'core.splitIndex=false',
  'safe.directory=*', 'safe.bareRepository=explicit', 'gc.auto=0', 'maintenance.auto=false', 'core.bigFileThreshold=20m',
].flatMap((setting) => ['-c', setting]);
/** Characters of what git says of a failure. */
const COMPLAINT = 300;

export interface GitCall {
  /** Absolute: where it runs. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array;
  /** An exit code besides 0 that is no failure. */
  readonly accepts?: number;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/** Runs git and gives all that it prints. Rejects with `unavailable` and git's own words where it fails, with the abort error on the signal. */
export type Git = (args: readonly string[], call: GitCall) => Promise<Buffer>;

/** The git on the search path; nothing where there is none. No other folder is looked into, least of all one of a project. */
export async function findGit(env: Readonly<Record<string, string | undefined>>): Promise<Git | undefined> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute)) {
    const program = join(folder, name);
    if (await access(program, constants.X_OK).then(() => true, () => false)) return createGit(program, env);
  }
  return undefined;
}

function createGit(program: string, hostEnv: Readonly<Record<string, string | undefined>>): Git {
  const passed = Object.fromEntries(PASSED.flatMap((name) => (hostEnv[name] === undefined ? [] : [[name, hostEnv[name]]])));
  return async (args, { cwd, env, input, accepts = 0, signal }) => {
    throwIfAborted(signal);
    // Its pipes close with the host, which ends what reads or writes much; nothing of it runs long.
    const child = spawn(program, [...SETTINGS, ...args], { cwd, env: { ...passed, ...OWN, ...env }, stdio: 'pipe', windowsHide: true, signal, killSignal: 'SIGKILL' });
    const closed = once(child, 'close') as Promise<[number | null, string | null]>;
    const output: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (complaint = truncate(complaint + chunk.toString(), COMPLAINT)));
    // One that ends without reading all of it says why by itself.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const [code, killedBy] = await closed;
    if (code === 0 || code === accepts) return Buffer.concat(output);
    throw new AppError('unavailable', oneLine(complaint) || `git ended with ${code ?? killedBy ?? 'an error'}.`);
  };
}
