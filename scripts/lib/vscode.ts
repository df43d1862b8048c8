import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onEnd } from './cleanup.ts';
import { execOrThrow } from './exec.ts';
import { endTree, killTreeNow } from './processTree.ts';
import { serverEnv } from './serverEnv.ts';
import { quietSettings } from './settings.ts';
import { temporaryFolder } from './temporary.ts';
import { installVsCode, vscodeDir } from './vscodeInstall.ts';
import { waitFor } from './wait.ts';

export { installVsCode, vsCodeVersion } from './vscodeInstall.ts';

const startLimitMs = 60_000;

export interface ServerOptions {
  /** Holds settings, extensions, state and the log; made when missing. */
  readonly dataDir: string;
  /** A free one when not given. */
  readonly port?: number;
  /** Makes the server listen to the payload in the address: for tests in the extension host. */
  readonly smokeTestDriver?: boolean;
  /** Connection token that the address then carries; without it anyone on this machine can connect. */
  readonly token?: string;
  /** User settings, on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings with the scope `machine`: a window on a server takes them from a file of their own. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Paths of .vsix files to install. */
  readonly extensions?: readonly string[];
  /** Variables for the server and its extension host, on top of the few that pass. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface VsCodeServer {
  readonly port: number;
  /** Path of the server's log. */
  readonly log: string;
  /** Address that opens the folder; the payload reaches the workbench only with the smoke test driver. */
  url(folder: string, payload?: readonly (readonly [string, string])[]): string;
  /** Ends the server with all its children. */
  stop(): Promise<void>;
}

/** Starts VS Code's web server on the loopback address and waits until it answers. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  await installVsCode();
  const { dataDir, token } = options;
  await writeSettings(dataDir, options.settings ?? {});
  if (options.machineSettings) await writeMachineSettings(dataDir, options.machineSettings);
  await installExtensions(dataDir, options.extensions ?? []);

  const temporary = await temporaryFolder('server');
  const log = join(dataDir, 'server.log');
  const child = spawn(process.execPath, [
    join(import.meta.dirname, 'guard.ts'),
    ...serverArgs(dataDir),
    '--host', '127.0.0.1',
    '--port', String(options.port ?? 0),
    ...(token === undefined ? ['--without-connection-token'] : ['--connection-token', token]),
    ...(options.smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
  ], { env: serverEnv({ TMPDIR: temporary.path, XDG_RUNTIME_DIR: temporary.path, ...options.env }), stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
  const file = createWriteStream(log);
  let output = '';
  const keep = (text: string): void => {
    file.write(text);
    if (output.length < 100_000) output += text;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  child.stdin.on('error', () => undefined);

  const killNow = (): void => killTreeNow(child);
  process.on('exit', killNow);
  const stop = async (): Promise<void> => {
    forget();
    await endTree(child);
    process.off('exit', killNow);
    await new Promise<void>((resolve) => file.end(resolve));
    await temporary.remove();
  };
  const forget = onEnd(stop);

  try {
    const port = await waitFor('VS Code to listen', startLimitMs, () => {
      if (child.exitCode !== null) throw new Error(`VS Code's server ended with exit code ${child.exitCode}.`);
      const listening = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      return listening && output.includes('Extension host agent started') ? Number(listening) : undefined;
    });
    return { port, log, stop, url: (folder, payload) => address(port, folder, token, payload) };
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message} Its output:\n${output}`, { cause: error });
  }
}

function serverArgs(dataDir: string): string[] {
  return [join(vscodeDir, 'out', 'server-main.js'), '--server-data-dir', dataDir, '--accept-server-license-terms', '--telemetry-level', 'off'];
}

function address(port: number, folder: string, token?: string, payload?: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams({ ...(token === undefined ? {} : { tkn: token }), folder });
  if (payload) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query.toString().replaceAll('%2F', '/').replaceAll('+', '%20')}`;
}

async function writeSettings(dataDir: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const file = join(dataDir, 'data', 'User', 'settings.json');
  await mkdir(join(dataDir, 'data', 'User'), { recursive: true });
  const present = await readSettings(file);
  if (present) await writeFile(file, JSON.stringify({ ...quietSettings, ...present, ...settings }, undefined, 2));
}

async function writeMachineSettings(dataDir: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = join(dataDir, 'data', 'Machine');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings, undefined, 2));
}

/** Undefined for a file that a person has given comments: it stays as it is. */
async function readSettings(file: string): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

async function installExtensions(dataDir: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const flags = paths.flatMap((path) => ['--install-extension', path]);
  await execOrThrow(process.execPath, [...serverArgs(dataDir), ...flags, '--force'], { env: serverEnv() });
}
