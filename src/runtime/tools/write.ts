import { AppError } from '../base/errors.ts';
import type { ToolContext, ToolDefinition, ToolPreview, ToolResult } from '../domain/tools.ts';
import { displayPath, label } from './display.ts';
import { inFileTurn } from '../base/fileTurn.ts';
import { requireFresh } from './freshness.ts';
import { store } from './storeChange.ts';
import { decodeText } from '../base/textFile.ts';

interface WriteInput {
  readonly file_path: string;
  readonly content: string;
}

export const writeTool: ToolDefinition = {
  name: 'Write',
  description:
    'Creates a file and missing folders, or replaces all of a file that was read in this run. To change a part of one, use Edit.',
  inputSchema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1 },
      content: { type: 'string' },
    },
    required: ['file_path', 'content'],
    additionalProperties: false,
  },
  isReadOnly: false,
  reportsChanges: true,
  describe: (input: WriteInput) => label('Writing', input.file_path),
  targets: (input: WriteInput) => [{ kind: 'path', access: 'write', path: input.file_path }],
  preview,
  execute,
};

async function preview(input: WriteInput, context: ToolContext): Promise<ToolPreview> {
  const path = await context.resolvePath(input.file_path, 'write');
  const old = await present(path, displayPath(path, context.cwd), context);
  const before = old === undefined ? '' : (decodeText(old)?.text ?? `[binary content, ${old.length} bytes]`);
  return { kind: 'diff', path, before, after: input.content };
}

async function execute(input: WriteInput, context: ToolContext): Promise<ToolResult> {
  const path = await context.resolvePath(input.file_path, 'write');
  return inFileTurn(path, context.signal, () => replace(path, input, context));
}

async function replace(path: string, input: WriteInput, context: ToolContext): Promise<ToolResult> {
  const shown = displayPath(path, context.cwd);
  const old = await present(path, shown, context);
  if (old !== undefined) requireFresh(path, shown, old, context);
  return store({ path, shown, old, bytes: Buffer.from(input.content, 'utf8'), done: `${old === undefined ? 'Created' : 'Replaced'} ${shown}.` }, context);
}

/** The bytes that stand there now; nothing where no file is. */
async function present(path: string, shown: string, { files }: ToolContext): Promise<Uint8Array | undefined> {
  const found = await files.stat(path);
  if (!found) return undefined;
  if (found.kind === 'directory') throw new AppError('invalid_input', `${shown} is a folder. Give the path of a file in it.`);
  return (await files.read(path)).bytes;
}
