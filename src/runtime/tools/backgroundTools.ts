import { AppError, errorText } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { BackgroundCommand, ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { limitOutput } from './output.ts';
import { withinTimeLimit } from '../base/interruptible.ts';

interface OutputInput {
  readonly id: string;
  readonly filter?: string;
}

const ID = { type: 'string', minLength: 1, description: 'As Bash gave it.' };

const bashOutput: ToolDefinition = {
  name: 'BashOutput',
  description: 'Gives what a background command has written since the last call of this, and whether it still runs. Does not wait.',
  inputSchema: {
    type: 'object',
    properties: { id: ID, filter: { type: 'string', minLength: 1, description: 'A JavaScript regular expression: only lines that match are given; the others are not given later either.' } },
    required: ['id'],
    additionalProperties: false,
  },
  comesWith: 'Bash',
  isReadOnly: true,
  actsOnRun: true,
  describe: () => 'Reading the output of a background command',
  targets: () => [],
  execute: ({ id, filter }: OutputInput, { background }: ToolContext) => readOutput(id, filter, background),
};

const killBackground: ToolDefinition = {
  name: 'KillBackground',
  description: 'Ends a background command and all that it started. What it wrote can still be read.',
  inputSchema: { type: 'object', properties: { id: ID }, required: ['id'], additionalProperties: false },
  comesWith: 'Bash',
  isReadOnly: false,
  actsOnRun: true,
  describe: () => 'Ending a background command',
  targets: () => [],
  execute: async ({ id }: Pick<OutputInput, 'id'>, { background }: ToolContext) => {
    const command = await background.kill(id);
    return { content: [{ type: 'text', text: `${id} ${statusText(command)}.` }] };
  },
};

/** What deals with commands that Bash left running. An agent is offered them once there is one. */
export const BACKGROUND_TOOLS: readonly ToolDefinition[] = [bashOutput, killBackground];

async function readOutput(id: string, filter: string | undefined, background: ToolContext['background']): Promise<ToolResult> {
  const isWanted = filter === undefined ? undefined : matcher(filter);
  const { command, text } = await background.output(id, { wholeLines: isWanted !== undefined });
  const { shown, note } = isWanted ? filtered(text, isWanted) : { shown: text, note: [] };
  const spill = async (): Promise<string> => {
    if (command.outputPath === undefined) throw new AppError('unavailable', 'the disk did not take it');
    return command.outputPath;
  };
  const output = await limitOutput(shown.trimEnd(), id, { spill });
  const parts = [output || '[No new output.]', ...note, `[${id} ${statusText(command)}.]`];
  return { content: [{ type: 'text', text: parts.join('\n') }] };
}

function matcher(filter: string): (line: string) => boolean {
  try {
    const expression = new RegExp(filter);
    return (line) => expression.test(line);
  } catch (error) {
    throw new AppError('invalid_input', `The filter can't be read as a regular expression (${errorText(error)}).`, { cause: error });
  }
}

function filtered(text: string, isWanted: (line: string) => boolean): { readonly shown: string; readonly note: readonly string[] } {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  let found: readonly string[] = [];
  try {
    withinTimeLimit(() => (found = lines.filter(isWanted)));
  } catch (error) {
    // What was taken from the command is not there a second time.
    return { shown: text, note: [`[The filter was not used: ${errorText(error)}.]`] };
  }
  return { shown: found.join('\n'), note: [`[${found.length} of ${plural(lines.length, 'new line')} match the filter.]`] };
}

function statusText({ status, exitCode }: BackgroundCommand): string {
  switch (status) {
    case 'running':
      return 'still runs';
    case 'exited':
      return `has ended with exit code ${exitCode}`;
    case 'killed':
      return 'was ended';
  }
}
