import { spawn } from 'node:child_process';
import { onEnd } from './cleanup.ts';
import { projectRoot } from './paths.ts';
import { endTree } from './processTree.ts';

export interface ExecOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Pass the output on to this process's own, too. */
  readonly stream?: boolean;
  readonly timeoutMs?: number;
}

export interface ExecResult {
  readonly code: number;
  readonly output: string;
  readonly timedOut: boolean;
}

/** Runs a program to its end in a process group of its own, and gives its exit code and output together. */
export async function exec(command: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? projectRoot,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let output = '';
  for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]] as const) {
    from.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (options.stream) to.write(text);
    });
  }
  let timedOut = false;
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => {
    timedOut = true;
    void endTree(child);
  }, options.timeoutMs);
  const forget = onEnd(() => endTree(child));
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exit) => resolve(exit ?? 1));
    });
    return { code, output, timedOut };
  } finally {
    clearTimeout(timer);
    forget();
  }
}

/** Like `exec`, but throws with the output when the program fails. */
export async function execOrThrow(command: string, args: readonly string[], options: ExecOptions = {}): Promise<string> {
  const { code, output } = await exec(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed with exit code ${code}:\n${output}`);
  return output;
}
