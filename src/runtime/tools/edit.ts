import { AppError, errorText } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { ToolContext, ToolDefinition, ToolPreview, ToolResult } from '../domain/tools.ts';
import { displayPath, label } from './display.ts';
import { nearestHint } from './editHints.ts';
import { applyEdit, normaliseEnds } from './editText.ts';
import { inFileTurn } from '../base/fileTurn.ts';
import { requireFresh } from './freshness.ts';
import { store } from './storeChange.ts';
import { decodeText, encodeText, type TextFile } from '../base/textFile.ts';

interface EditInput {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

interface Edited {
  readonly before: TextFile;
  readonly after: string;
  readonly summary: string;
}

export const editTool: ToolDefinition = {
  name: 'Edit',
  description:
    'Replaces exact text in a file that was read in this run. old_string must stand there exactly once, white space included, without the line numbers of Read: give lines around it to make it unique, or set replace_all for all places. ' +
    'Line ends are kept.',
  inputSchema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1 },
      old_string: { type: 'string', minLength: 1 },
      new_string: { type: 'string' },
      replace_all: { type: 'boolean' },
    },
    required: ['file_path', 'old_string', 'new_string'],
    additionalProperties: false,
  },
  isReadOnly: false,
  reportsChanges: true,
  describe: (input: EditInput) => label('Editing', input.file_path),
  targets: (input: EditInput) => [{ kind: 'path', access: 'write', path: input.file_path }],
  preview,
  execute,
};

/** An edit that can't be made is shown as such: its own error is what the model should hear, from `execute`. */
async function preview(input: EditInput, context: ToolContext): Promise<ToolPreview> {
  const path = await context.resolvePath(input.file_path, 'write');
  const shown = displayPath(path, context.cwd);
  try {
    const { before, after } = edited(await readBytes(path, shown, context), shown, input);
    return { kind: 'diff', path, before: before.text, after };
  } catch (error) {
    return { kind: 'text', text: `This edit of ${shown} can't be made and will change nothing: ${errorText(error)}` };
  }
}

async function execute(input: EditInput, context: ToolContext): Promise<ToolResult> {
  const path = await context.resolvePath(input.file_path, 'write');
  return inFileTurn(path, context.signal, () => change(path, input, context));
}

async function change(path: string, input: EditInput, context: ToolContext): Promise<ToolResult> {
  const shown = displayPath(path, context.cwd);
  const old = await readBytes(path, shown, context);
  requireFresh(path, shown, old, context);
  const { before, after, summary } = edited(old, shown, input);
  const bytes = encodeText(after, before);
  return store({ path, shown, old, bytes, done: `Edited ${shown}: ${summary}.` }, context);
}

async function readBytes(path: string, shown: string, { files }: ToolContext): Promise<Uint8Array> {
  const found = await files.stat(path);
  if (!found) throw new AppError('not_found', `There is no file ${shown}. Find its path with Glob, or create it with Write.`);
  if (found.kind === 'directory') throw new AppError('invalid_input', `${shown} is a folder. Give the path of a file in it.`);
  return (await files.read(path)).bytes;
}

function edited(bytes: Uint8Array, shown: string, input: EditInput): Edited {
  const before = decodeText(bytes);
  if (!before) throw new AppError('invalid_input', `${shown} is a binary file and can't be edited as text.`);
  const oldString = normaliseEnds(input.old_string);
  const newString = normaliseEnds(input.new_string);
  if (oldString === newString) throw new AppError('invalid_input', 'old_string and new_string are the same, so there is nothing to change.');
  const outcome = applyEdit(before.text, { oldString, newString, replaceAll: input.replace_all ?? false });
  switch (outcome.kind) {
    case 'edited':
      return { before, after: outcome.text, summary: `${plural(outcome.count, 'replacement')}, the first at line ${outcome.line}` };
    case 'not_found': {
      const hint = nearestHint(normaliseEnds(before.text), oldString, newString);
      throw new AppError('not_found', `old_string was not found in ${shown}. ${hint || 'Nothing in the file resembles it: Read the file again and copy the text exactly.'}`);
    }
    case 'not_unique':
      throw new AppError('conflict', `old_string stands ${outcome.count} times in ${shown}, at line ${outcome.lines.join(', ')}${outcome.count > outcome.lines.length ? ', …' : ''}. Add lines around the one that you mean, or set replace_all.`);
  }
}
