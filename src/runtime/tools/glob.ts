import { join } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { displayPath, label } from './display.ts';
import { pathMatcher } from './globPattern.ts';
import { limitOutput } from './output.ts';
import { pathFilter, plainPath, search } from './search.ts';

interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
  readonly head_limit?: number;
}

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 5000;

/** @param ripgrep absolute path of the binary. */
export function createGlobTool(ripgrep: string): ToolDefinition {
  return {
    name: 'Glob',
    description:
      'Finds files on disk by name. Leaves out what .gitignore names, what permission rules keep back, and links.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, description: 'Such as "src/**/test_*.py", relative to path, or "*.ts", at any depth.' },
        path: { type: 'string', minLength: 1, description: 'Default: the working folder.' },
        head_limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: `Most paths; default ${DEFAULT_LIMIT}.` },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    isReadOnly: true,
    describe: (input: GlobInput) => label('Finding', `"${input.pattern}"`),
    targets: (input: GlobInput) => [{ kind: 'path', access: 'read', path: input.path ?? '.' }],
    execute: (input: GlobInput, context: ToolContext) => execute(ripgrep, input, context),
  };
}

async function execute(ripgrep: string, input: GlobInput, context: ToolContext): Promise<ToolResult> {
  const folder = await context.resolvePath(input.path ?? '.', 'read');
  const shown = displayPath(folder, context.cwd);
  const found = await context.files.stat(folder);
  if (!found) throw new AppError('not_found', `There is no folder ${shown}.`);
  if (found.kind !== 'directory') throw new AppError('invalid_input', `${shown} is a file, not a folder. Read it, or give the folder that it is in.`);

  const limit = input.head_limit ?? DEFAULT_LIMIT;
  const isShown = pathFilter(folder, await pathMatcher(input.pattern), context);
  const paths: string[] = [];
  const end = await search({
    ripgrep,
    cwd: folder,
    args: ['--files', '--null', '--', './'],
    separator: '\0',
    signal: context.signal,
    onRecord: async (record) => {
      const path = plainPath(record);
      if (await isShown(path)) paths.push(displayPath(join(folder, path), context.cwd));
      return paths.length <= limit;
    },
  });
  return { content: [{ type: 'text', text: await limitOutput(report(paths, limit, end === 'timeout', input.pattern), 'glob', context) }] };
}

function report(paths: readonly string[], limit: number, timedOut: boolean, pattern: string): string {
  const notes = [
    ...(paths.length === 0 ? [`No file matches ${JSON.stringify(pattern)}.`] : []),
    ...(paths.length > limit ? [`More than ${limit} files match; these are the first. Use a narrower pattern or folder.`] : []),
    ...(timedOut ? ['The search took too long and was stopped: there may be more. Search a smaller folder.'] : []),
  ];
  return [...paths.slice(0, limit), ...notes.map((note) => `[${note}]`)].join('\n');
}
