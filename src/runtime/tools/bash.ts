import { constants as os } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { abortError } from '../base/abort.ts';
import { AppError } from '../base/errors.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { BACKGROUND_TOOLS } from './backgroundTools.ts';
import { label } from './display.ts';
import { limitOutput } from './output.ts';
import { OutputBuffer } from './outputBuffer.ts';
import { createProgress } from './progress.ts';
import { runShell, type ShellEnd } from './shellProcess.ts';
import { worktreeEnvironment } from './worktreeEnv.ts';

interface BashInput {
  readonly command: string;
  readonly timeout_ms?: number;
  readonly run_in_background?: boolean;
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
      'Runs a command in a new shell in the working folder; gives output and exit code. No variables or folder carry over; no input; sees the disk, not unsaved edits. ' +
      'All it starts ends with it. Use file tools for files.',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1 },
        run_in_background: { type: 'boolean', description: 'For servers; ends with your run.' },
        timeout_ms: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT, description: `Default ${DEFAULT_TIMEOUT}.` },
      },
      required: ['command'],
      additionalProperties: false,
    },
    isReadOnly: false,
    describe: ({ command, run_in_background: inBackground }: BashInput) => label(inBackground === true ? 'Starting in the background:' : 'Running', command),
    action: ({ command, run_in_background: inBackground }: BashInput) => (inBackground === true ? `in the background: ${command}` : undefined),
    targets: (input: BashInput) => [{ kind: 'command', command: input.command }],
    preview: async (input: BashInput, { cwd }: ToolContext) => ({ kind: 'command', command: input.command, cwd }),
    execute: async (input: BashInput, context: ToolContext) => {
      if (input.command.includes('\0')) throw new AppError('invalid_input', 'A command can\'t hold a NUL character. Leave it out, or write it as an escape.');
      const env = worktreeEnvironment(shell.env, context.worktree);
      return input.run_in_background === true ? startInBackground({ env }, input, context) : execute({ env }, input, context);
    },
  };
}

async function execute({ env }: ShellOptions, input: BashInput, context: ToolContext): Promise<ToolResult> {
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
      onLeader: (pid, mark) => context.noteProcess(pid, mark),
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

async function startInBackground({ env }: ShellOptions, { command, timeout_ms: timeoutMs }: BashInput, { background, deferred, cwd }: ToolContext): Promise<ToolResult> {
  const { id, outputPath } = await background.start({ command, cwd, env });
  deferred.activate(BACKGROUND_TOOLS.map(({ name }) => name));
  const parts = [
    `Runs in the background as ${id}. From your next turn on BashOutput gives what it has written since you last asked, and whether it still runs; KillBackground ends it.`,
    outputPath === undefined ? '' : `All of its output is in ${outputPath}.`,
    timeoutMs === undefined ? '' : 'timeout_ms does not count in the background.',
  ];
  return { content: [{ type: 'text', text: parts.filter(Boolean).join(' ') }] };
}
