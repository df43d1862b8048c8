import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { constants as os } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { onAbort, throwIfAborted } from '../base/abort.ts';
import { deferred } from '../base/async.ts';
import { AppError, errorText } from '../base/errors.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import { endSession, signal as send, type SessionRef } from '../base/processTree.ts';
import { newRunMark } from '../base/runMark.ts';
import { oneLine } from '../base/text.ts';
import { LEADER_SCRIPT } from './shellScript.ts';

export interface ShellCommand {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** What the command gets, besides the mark of its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: it may run for ever. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Output and error output together, as they come. */
  readonly onOutput: (text: string) => void;
  /** Hears of the session's leader and of the mark of its processes; what it gives is disposed of when all of them have ended. */
  readonly onLeader?: (pid: number, mark: string) => Disposable;
}

/** How a command ended. `code` is 128 plus the signal where a signal ended it. */
export type ShellEnd = { readonly kind: 'exited'; readonly code: number } | { readonly kind: 'timeout' } | { readonly kind: 'aborted' };

/** Milliseconds for output that is still in the pipe when the command has ended. A background process may hold it open for ever. */
const OUTPUT_GRACE = 300;
/** Milliseconds for the leader and the guard to say or do what takes them a moment. */
const LEADER_GRACE = 1000;
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

/**
 * Runs a command in a session of its own and resolves when it and all that it started have ended: by themselves, at
 * the time limit, or because of the signal. If the host dies meanwhile, all of it ends too.
 * @throws `AppError` `aborted` before it started, `unavailable` when it can't be started. Once started it never rejects.
 */
export async function runShell(options: ShellCommand): Promise<ShellEnd> {
  const shell = await findShell(options.env['PATH']);
  throwIfAborted(options.signal);
  const mark = newRunMark();
  const { child, leader, stdout, host } = await start(shell, { ...options, env: { ...options.env, ...mark.env } });
  const session = { leader, mark: mark.id };
  const noted = options.onLeader?.(leader, mark.id);
  const owned = new DisposableStore();
  const ended = deferred<ShellEnd>();
  const guarded = deferred<number>();
  const exited = deferred<number>();
  readLines(host, (word, value) => (word === 'guard' ? guarded : exited).resolve(value));
  // Without a report before it only where something ended the leader itself.
  const left = once(child, 'exit').then(([code, name]: (number | string | null)[]) => exited.resolve(exitCode(code, name)));
  void exited.promise.then((code) => ended.resolve({ kind: 'exited', code }));
  const closed = forward(stdout, options.onOutput);
  if (options.timeoutMs !== undefined) owned.add(after(options.timeoutMs, () => ended.resolve({ kind: 'timeout' })));
  owned.add(onAbort(options.signal, () => ended.resolve({ kind: 'aborted' })));

  const end = await ended.promise;
  owned.dispose();
  if (end.kind === 'exited') await settled(closed, OUTPUT_GRACE);
  await endAll(session, await settled(guarded.promise, LEADER_GRACE), exited.promise);
  // Now the pipe closes as soon as it is read to its end.
  await settled(closed, LEADER_GRACE);
  host.end('end\n');
  await settled(left, LEADER_GRACE);
  await endSession(session, new Set(), false);
  stdout.destroy();
  host.destroy();
  noted?.dispose();
  return end;
}

/** Ends what the command started; the guard stays, for the case that the host dies while this waits. */
async function endAll(session: SessionRef & { readonly leader: number }, guard: number | undefined, exited: Promise<number>): Promise<void> {
  const { leader } = session;
  const spared = new Set(guard === undefined ? [leader] : [leader, guard]);
  await endSession(session, spared);
  if ((await settled(exited, OUTPUT_GRACE)) !== undefined) return;
  // Stopped so early that the leader may only now start the command.
  send(leader, 'SIGKILL');
  await endSession(session, spared, false);
}

/** Bash by one of its usual paths or on the search path, else the system's `sh`. */
async function findShell(path = ''): Promise<string> {
  const places = [...SHELLS, ...path.split(delimiter).filter(isAbsolute).map((folder) => join(folder, 'bash'))];
  for (const place of places) {
    if (await access(place, constants.X_OK).then(() => true, () => false)) return place;
  }
  return '/bin/sh';
}

interface Started {
  readonly child: ChildProcess;
  readonly leader: number;
  readonly stdout: Readable;
  /** The pipe that the guard watches. */
  readonly host: Duplex;
}

async function start(shell: string, { command, cwd, env }: ShellCommand): Promise<Started> {
  // In POSIX mode Bash reads no start-up file for the leader; the command's own Bash does as the user has set it.
  const mode = shell.endsWith('bash') ? ['--posix'] : [];
  try {
    const child = spawn(shell, [...mode, '-c', LEADER_SCRIPT, shell, command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    await once(child, 'spawn');
    const host = child.stdio[3] as Duplex;
    // A broken pipe means that the leader has gone, which its exit tells.
    host.on('error', () => undefined);
    if (child.pid === undefined || !child.stdout) throw new AppError('internal', 'The shell has no process.');
    return { child, leader: child.pid, stdout: child.stdout, host };
  } catch (error) {
    throw new AppError('unavailable', `The command could not be started in ${cwd} (${oneLine(errorText(error))}). Check that the folder exists; a very long command belongs into a script file.`, { cause: error });
  }
}

function readLines(stream: Readable, take: (word: string, value: number) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString('latin1')}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [word = '', value] = line.split(' ');
      take(word, Number(value));
    }
  });
}

/** Resolves when the stream has closed. */
function forward(stream: Readable, take: (text: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on('error', () => undefined);
  return new Promise((resolve) => {
    stream.once('close', () => {
      take(decoder.end());
      resolve();
    });
  });
}

function exitCode(code: number | string | null | undefined, name: number | string | null | undefined): number {
  if (typeof code === 'number') return code;
  return 128 + (os.signals[name as NodeJS.Signals] ?? 0);
}

function after(ms: number, act: () => void): { dispose(): void } {
  const timer = setTimeout(act, ms);
  return toDisposable(() => clearTimeout(timer));
}

/** The value of a promise that resolves in that many milliseconds, else nothing. */
async function settled<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const late = deferred<undefined>();
  const timer = after(ms, () => late.resolve(undefined));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    timer.dispose();
  }
}
