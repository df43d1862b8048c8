import { AppError } from '../base/errors.ts';
import { imageType } from '../base/image.ts';
import { throwIfAborted } from '../base/abort.ts';
import type { ContentPart } from '../domain/messages.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { displayPath, label } from './display.ts';
import { contentHash, decodeText, splitLines, type TextFile } from '../base/textFile.ts';

interface ReadInput {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
}

const DEFAULT_LINES = 2000;
const MAX_LINE = 2000;
/** Characters of one answer, whatever the number of lines. */
const MAX_TEXT = 100_000;
const MAX_IMAGE = 5 * 1024 * 1024;

export const readTool: ToolDefinition = {
  name: 'Read',
  description:
    'Reads a file, unsaved editor content included: text as lines with number and tab before them, which are not part of the file, or an image (png, jpg, gif, webp).',
  inputSchema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1, description: 'Absolute, or relative to the working folder.' },
      offset: { type: 'integer', minimum: 1, description: 'First line; default 1.' },
      limit: { type: 'integer', minimum: 1, description: `Number of lines; default ${DEFAULT_LINES}.` },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
  isReadOnly: true,
  // A file is read on with offset and limit; a copy of what was left out would be no help.
  outputLimit: MAX_TEXT,
  describe: (input: ReadInput) => label('Reading', input.file_path),
  targets: (input: ReadInput) => [{ kind: 'path', access: 'read', path: input.file_path }],
  execute,
};

async function execute(input: ReadInput, context: ToolContext): Promise<ToolResult> {
  const path = await context.resolvePath(input.file_path, 'read');
  const shown = displayPath(path, context.cwd);
  await requireFile(path, shown, context);
  const { bytes, unsaved } = await context.files.read(path);
  throwIfAborted(context.signal);
  const content = contentOf(bytes, shown, input);
  // Only now: what the model wasn't shown, it doesn't know.
  context.reads.seen(path, contentHash(bytes));
  if (unsaved) content.push({ type: 'text', text: '[This is unsaved editor content; the file on disk differs.]' });
  return { content };
}

async function requireFile(path: string, shown: string, { files }: ToolContext): Promise<void> {
  const found = await files.stat(path);
  if (!found) throw new AppError('not_found', `There is no file ${shown}. Find its path with Glob.`);
  if (found.kind === 'directory') throw new AppError('invalid_input', `${shown} is a folder. List what is in it with Glob, pattern "*" and path "${shown}".`);
}

function contentOf(bytes: Uint8Array, shown: string, input: ReadInput): ContentPart[] {
  const mimeType = imageType(bytes);
  if (mimeType !== undefined) {
    if (bytes.length > MAX_IMAGE) throw new AppError('invalid_input', `${shown} is an image of ${megabytes(bytes)} MB; at most ${MAX_IMAGE / 1024 / 1024} MB can be looked at. Make a smaller copy of it first.`);
    return [{ type: 'image', mimeType, data: Buffer.from(bytes).toString('base64') }];
  }
  const file = decodeText(bytes);
  if (!file) throw new AppError('invalid_input', `${shown} is a binary file (${bytes.length} bytes) and can't be shown as text. Use a shell command that understands its format.`);
  return [{ type: 'text', text: numberedLines(file, shown, input) }];
}

function numberedLines(file: TextFile, shown: string, { offset = 1, limit = DEFAULT_LINES }: ReadInput): string {
  const lines = splitLines(file.text);
  if (lines.length === 0) return `[${shown} is empty.]`;
  if (offset > lines.length) throw new AppError('invalid_input', `${shown} has only ${lines.length} lines; offset ${offset} is past its end.`);
  const given: string[] = [];
  let room = MAX_TEXT;
  for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const numbered = `${offset + index}\t${cutLine(line)}`;
    room -= numbered.length + 1;
    if (room < 0) break;
    given.push(numbered);
  }
  const last = offset + given.length - 1;
  const notes = [
    ...(last < lines.length ? [`Lines ${offset} to ${last} of ${lines.length}. Go on with offset ${last + 1}.`] : []),
    ...(file.encoding === 'bytes' ? ['The file is not UTF-8: characters beyond ASCII may be shown wrongly.'] : []),
  ];
  return [...given, ...notes.map((note) => `[${note}]`)].join('\n').toWellFormed();
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line;
  return `${line.slice(0, MAX_LINE)}… [${line.length - MAX_LINE} more characters in this line; search them with Grep]`;
}

function megabytes(bytes: Uint8Array): string {
  return (bytes.length / 1024 / 1024).toFixed(1);
}
