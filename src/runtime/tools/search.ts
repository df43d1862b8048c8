import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { abortError, onAbort } from '../base/abort.ts';
import { AppError, errorText } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { ToolContext } from '../domain/tools.ts';

export interface Search {
  readonly ripgrep: string;
  /** Absolute; the search runs in it. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** What ends a record of the output. */
  readonly separator: '\n' | '\0';
  readonly signal: AbortSignal;
  /** Takes the records in order, one at a time; false ends the search. */
  onRecord(record: string): boolean | Promise<boolean>;
}

/** `enough`: the taker ended it. `timeout`: there may be more that wasn't reached. */
export type SearchEnd = 'complete' | 'enough' | 'timeout';

/**
 * Given to every search. No configuration file: it could make ripgrep run a program or follow links. Hidden files are
 * searched, Git's own are not. Files are taken in order of their paths, so that the same search gives the same answer.
 */
const COMMON = ['--no-config', '--no-messages', '--color=never', '--hidden', '--glob=!.git', '--no-require-git', '--no-follow', '--sort=path'];
const TIME_LIMIT = 60_000;
/** A record that never ends isn't held in memory. */
const MAX_RECORD = 1_000_000;
const MAX_STDERR = 4000;

/**
 * Runs ripgrep and waits until it is gone.
 * @throws `aborted` with the signal, `invalid_input` for a pattern that it refuses, `unavailable` when it can't be started,
 * `conflict` when its folder leads elsewhere by now.
 */
export async function search(options: Search): Promise<SearchEnd> {
  const folder = await holdFolder(options.cwd);
  try {
    return await searchHeld({ ...options, cwd: folder.path });
  } finally {
    await folder.release();
  }
}

async function searchHeld(options: Search): Promise<SearchEnd> {
  const child = await start(options);
  const exited = once(child, 'close') as Promise<[number | null]>;
  // Watched from the start; its failure is met below.
  exited.catch(() => undefined);
  let end: SearchEnd = 'complete';
  const stop = (): void => void child.kill('SIGKILL');
  const listening = onAbort(options.signal, stop);
  const timer = setTimeout(() => {
    end = 'timeout';
    stop();
  }, TIME_LIMIT);
  const stderr = collect(child.stderr);
  try {
    for await (const record of records(child.stdout, options.separator)) {
      if (await options.onRecord(record)) continue;
      end = 'enough';
      break;
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    stop();
    clearTimeout(timer);
    listening.dispose();
    await exited;
  }
  if (options.signal.aborted) throw abortError();
  const [code] = await exited;
  if (end === 'complete' && code === 2 && stderr.text !== '') throw new AppError('invalid_input', `The search failed: ${truncate(stderr.text.trim(), 1000)}`);
  return end;
}

async function start({ ripgrep, cwd, args, signal }: Search): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  if (signal.aborted) throw abortError();
  try {
    // Nothing of the host's environment: ripgrep needs none of it, and some of it changes what it does.
    const env = process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {};
    const child = spawn(ripgrep, [...COMMON, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    throw new AppError('unavailable', `The search could not be started (${oneLine(errorText(error))}). Try a shorter pattern or another folder.`, { cause: error });
  }
}

/**
 * The folder to start in, so that swapping a link on its path can't lead the search elsewhere: on Linux the open folder
 * itself. Elsewhere Node offers no such thing, and its path is looked at once more.
 */
async function holdFolder(folder: string): Promise<{ readonly path: string; release(): Promise<void> }> {
  const swapped = (): AppError => new AppError('conflict', `${folder} leads to another place than when it was checked. Look at the folder again.`);
  if (process.platform !== 'linux') {
    if ((await realpath(folder)).toLowerCase() !== folder.toLowerCase()) throw swapped();
    return { path: folder, release: async () => undefined };
  }
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const path = `/proc/self/fd/${handle.fd}`;
  if ((await readlink(path)) === folder) return { path, release: () => handle.close() };
  await handle.close();
  throw swapped();
}

async function* records(stream: Readable, separator: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const parts = `${rest}${decoder.write(chunk)}`.split(separator);
    rest = (parts.pop() ?? '').slice(0, MAX_RECORD);
    yield* parts;
  }
  if (rest !== '') yield rest;
}

function collect(stream: Readable): { readonly text: string } {
  const collected = { text: '' };
  stream.on('data', (chunk: Buffer) => {
    if (collected.text.length < MAX_STDERR) collected.text += chunk.toString('utf8');
  });
  return collected;
}

/** Decides for each path that ripgrep gives, relative to the folder searched, whether it is shown; remembers its answers. */
export function pathFilter(folder: string, matches: (path: string) => boolean, { mayRead }: ToolContext): (path: string) => Promise<boolean> {
  let last: { readonly path: string; readonly shown: Promise<boolean> } | undefined;
  return (path) => {
    // Matches of one file come together, so one answer is memory enough.
    if (last?.path !== path) last = { path, shown: decide(path) };
    return last.shown;
  };
  async function decide(path: string): Promise<boolean> {
    const file = join(folder, path);
    return matches(path) && mayRead(file) && (await isItself(file));
  }
}

/** False for a file that is reached through a link by now: ripgrep follows none, but a folder may have become one meanwhile. */
async function isItself(file: string): Promise<boolean> {
  return realpath(file).then((real) => real === file, () => false);
}

/** A path as ripgrep prints it, with `/` and without the leading `./`. */
export function plainPath(path: string): string {
  return (process.platform === 'win32' ? path.replaceAll('\\', '/') : path).replace(/^\.\//, '');
}
