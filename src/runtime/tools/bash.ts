import { constants as os } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { abortError } from '../base/abort.ts';
import { AppError } from '../base/errors.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { label } from './display.ts';
import { limitOutput } from './output.ts';
import { OutputBuffer } from './outputBuffer.ts';
import { createProgress } from './progress.ts';
import { runShell, type ShellEnd } from './shellProcess.ts';
import { worktreeEnvironment } from './worktreeEnv.ts';

interface BashInput {
  readonly command: string;
  readonly timeout_ms?: number;
}

export interface ShellOptions {
  /** The whole environment of every command. */
  readonly env: Readonly<Record<string, string>>;
}

const DEFAULT_TIMEOUT = 120_000;
const MAX_TIMEOUT = 600_000;

export function createBashTool(shell: ShellOptions): ToolDefinition {
  return {
    name: 'Bash',
    description:
      'Runs a command in a new shell in the working folder and gives its output and exit code. Keeps no variables and no folder between calls, takes no input, and sees the disk, not unsaved editor content. ' +
      'Processes left in the background end with it. To read, find or change files, prefer the file tools.',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1 },
        timeout_ms: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT, description: `Default ${DEFAULT_TIMEOUT}.` },
      },
      required: ['command'],
      additionalProperties: false,
    },
    isReadOnly: false,
    describe: (input: BashInput) => label('Running', input.command),
    targets: (input: BashInput) => [{ kind: 'command', command: input.command }],
    preview: async (input: BashInput, { cwd }: ToolContext) => ({ kind: 'command', command: input.command, cwd }),
    execute: (input: BashInput, context: ToolContext) => execute({ ...shell, env: worktreeEnvironment(shell.env, context.worktree) }, input, context),
  };
}

async function execute({ env }: ShellOptions, input: BashInput, context: ToolContext): Promise<ToolResult> {
  if (input.command.includes('\0')) throw new AppError('invalid_input', 'A command can\'t hold a NUL character. Leave it out, or write it as an escape.');
  const timeoutMs = input.timeout_ms ?? DEFAULT_TIMEOUT;
  const buffer = new OutputBuffer();
  const progress = createProgress((text) => context.progress(text));
  try {
    const end = await runShell({
      command: input.command,
      cwd: context.cwd,
      env,
      timeoutMs,
      signal: context.signal,
      onLeader: (pid) => context.noteProcess(pid),
      onOutput(text) {
        buffer.append(text);
        progress.add(text);
      },
    });
    if (end.kind === 'aborted') throw abortError();
    const output = stripVTControlCharacters(buffer.toString()).trimEnd();
    const parts = [await limitOutput(output, 'bash', context), ending(end, timeoutMs)].filter((part) => part !== '');
    return { content: [{ type: 'text', text: parts.join('\n') || '[No output.]' }], isError: end.kind !== 'exited' || end.code !== 0 };
  } finally {
    progress.dispose();
  }
}

function ending(end: Exclude<ShellEnd, { kind: 'aborted' }>, timeoutMs: number): string {
  if (end.kind === 'timeout') return `[Stopped after ${timeoutMs / 1000} seconds, the time limit. Raise timeout_ms (at most ${MAX_TIMEOUT}), or do less in one command.]`;
  if (end.code === 0) return '';
  const signal = Object.entries(os.signals).find(([, number]) => number === end.code - 128)?.[0];
  return `[Exit code ${end.code}${signal === undefined ? '' : `, ended by ${signal}`}.]`;
}
