import { basename, dirname } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { displayPath, label } from './display.ts';
import { fileNameGlob, pathMatcher } from './globPattern.ts';
import { recordReader, type OutputMode } from './grepOutput.ts';
import { limitOutput } from './output.ts';
import { pathFilter, search } from './search.ts';

interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly output_mode?: OutputMode;
  readonly case_insensitive?: boolean;
  readonly context?: number;
  readonly multiline?: boolean;
  readonly head_limit?: number;
}

const DEFAULT_LIMIT = 250;
const MAX_LIMIT = 5000;
/** Characters of a line that are shown. */
const MAX_COLUMNS = 1000;

/** @param ripgrep absolute path of the binary. */
export function createGrepTool(ripgrep: string): ToolDefinition {
  return {
    name: 'Grep',
    description:
      'Searches files on disk with a ripgrep regular expression. Leaves out binary files, what .gitignore names, what permission rules keep back, and links.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1 },
        path: { type: 'string', minLength: 1, description: 'Folder or file; default the working folder.' },
        glob: { type: 'string', minLength: 1, description: 'Only these files, such as "*.ts"; "!" before it: all others.' },
        output_mode: { enum: ['content', 'files', 'count'], description: 'content (default): lines with path and number. files: paths. count: lines of each file.' },
        case_insensitive: { type: 'boolean' },
        context: { type: 'integer', minimum: 0, maximum: 20, description: 'Lines around each match.' },
        multiline: { type: 'boolean', description: 'A match may span lines; "." matches line ends.' },
        head_limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: `Most lines or files; default ${DEFAULT_LIMIT}.` },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    isReadOnly: true,
    describe: (input: GrepInput) => label('Searching for', `"${input.pattern}"`),
    targets: (input: GrepInput) => [{ kind: 'path', access: 'read', path: input.path ?? '.' }],
    execute: (input: GrepInput, context: ToolContext) => execute(ripgrep, input, context),
  };
}

async function execute(ripgrep: string, input: GrepInput, context: ToolContext): Promise<ToolResult> {
  const target = await context.resolvePath(input.path ?? '.', 'read');
  const shown = displayPath(target, context.cwd);
  const found = await context.files.stat(target);
  if (!found) throw new AppError('not_found', `There is no file or folder ${shown}. Find the path with Glob.`);
  if (found.kind === 'other') throw new AppError('invalid_input', `${shown} is neither a regular file nor a folder.`);

  const isFolder = found.kind === 'directory';
  const folder = isFolder ? target : dirname(target);
  const limit = input.head_limit ?? DEFAULT_LIMIT;
  const matches = input.glob === undefined ? () => true : await pathMatcher(input.glob);
  const reader = recordReader({ mode: input.output_mode ?? 'content', folder, cwd: context.cwd, limit, isShown: pathFilter(folder, matches, context) });
  const end = await search({
    ripgrep,
    cwd: folder,
    args: [...flags(input), '--', isFolder ? './' : `./${basename(target)}`],
    separator: reader.separator,
    signal: context.signal,
    onRecord: reader.take,
  });
  const notes = [
    ...(reader.lines.length === 0 ? ['No matches.'] : []),
    ...(end === 'enough' ? [`Stopped after ${limit}; there is more. Narrow the search by pattern, path or glob, or raise head_limit.`] : []),
    ...(end === 'timeout' ? ['The search took too long and was stopped: there may be more. Search a smaller folder.'] : []),
  ];
  const text = [...reader.lines, ...notes.map((note) => `[${note}]`)].join('\n');
  return { content: [{ type: 'text', text: await limitOutput(text, 'grep', context) }] };
}

/** Each value is one word with its flag, so that no pattern can become a flag of its own. */
function flags(input: GrepInput): string[] {
  const name = input.glob === undefined ? undefined : fileNameGlob(input.glob);
  return [
    ...modeFlags(input),
    ...(name === undefined ? [] : [`--type-add=wanted:${name}`, '--type=wanted']),
    ...(input.case_insensitive ? ['--ignore-case'] : []),
    ...(input.multiline ? ['--multiline', '--multiline-dotall'] : []),
    '--null',
    '--with-filename',
    '--crlf',
    `--regexp=${input.pattern}`,
  ];
}

function modeFlags({ output_mode = 'content', context = 0 }: GrepInput): string[] {
  switch (output_mode) {
    case 'content':
      return ['--no-heading', '--line-number', `--context=${context}`, `--max-columns=${MAX_COLUMNS}`, '--max-columns-preview'];
    case 'files':
      return ['--files-with-matches'];
    case 'count':
      return ['--count'];
  }
}
