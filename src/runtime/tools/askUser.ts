import { abortable } from '../base/abort.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { oneLine, plural, visibleText } from '../base/text.ts';
import type { UserAnswer, UserQuestion } from '../domain/services.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { label } from './display.ts';

/** Longer ones nobody reads before answering. */
const MAX_QUESTION = 4000;
const MAX_OPTIONS = 20;
/** Characters of a label, so that lists show the whole of it. */
const MAX_LABEL = 200;
const MAX_DESCRIPTION = 500;

const GO_ON = 'decide yourself, or say in your answer what is open.';

/** The tool with which an agent asks its user, by the host's service. Calls of one turn ask one after the other. */
export const askUserTool: ToolDefinition = {
  name: 'AskUser',
  description: `Asks the user a question and waits for the answer. Only for what you can't find out and shouldn't decide yourself: everything stands still until they answer. Give options where the answers are few; they can always write another.`,
  inputSchema: {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, maxLength: MAX_QUESTION, description: 'Whole: they may know nothing of your task.' },
      options: {
        type: 'array',
        maxItems: MAX_OPTIONS,
        items: {
          type: 'object',
          properties: { label: { type: 'string', minLength: 1, maxLength: MAX_LABEL }, description: { type: 'string', maxLength: MAX_DESCRIPTION } },
          required: ['label'],
          additionalProperties: false,
        },
      },
      multiple: { type: 'boolean', description: 'Several options may be chosen.' },
    },
    required: ['question'],
    additionalProperties: false,
  },
  isReadOnly: false,
  actsOnRun: true,
  asksPerson: true,
  isDeferred: true,
  describe: ({ question }: UserQuestion) => label('Asking:', question),
  targets: () => [],
  execute: async (question: UserQuestion, context: ToolContext) => resultOf(await ask(question, context)),
};

async function ask(question: UserQuestion, { services: { askUser }, agent, callId, signal }: ToolContext): Promise<UserAnswer> {
  assertAnswerable(question);
  try {
    if (!askUser) throw new AppError('unavailable', 'There is nobody to ask.');
    return answerIn(await abortable(askUser(question, { agent, callId }, signal), signal));
  } catch (error) {
    throw isAppError(error, 'unavailable') ? new AppError('unavailable', `Nobody is there to answer: ${GO_ON}`) : error;
  }
}

/** Throws `invalid_input` for a question of which nothing shows, and for options that nobody can see or tell apart. */
function assertAnswerable({ question, options = [] }: UserQuestion): void {
  if (oneLine(question) === '') throw new AppError('invalid_input', 'The question is empty. Ask it in words.');
  const labels = options.map(({ label: text }) => visibleText(text));
  if (labels.includes('')) throw new AppError('invalid_input', 'There are options without a label that can be seen. Give each one in words.');
  const repeated = [...new Set(labels.filter((text, index) => labels.indexOf(text) !== index))];
  if (repeated.length > 0) throw new AppError('invalid_input', `${plural(repeated.length, 'option')} stand${repeated.length === 1 ? 's' : ''} there more than once: ${repeated.join(', ')}. Give each its own label.`);
}

/** Hosts are written by many hands. */
function answerIn(answer: unknown): UserAnswer {
  if (typeof answer === 'object' && answer !== null && 'kind' in answer) {
    if (answer.kind === 'answered' && 'text' in answer && typeof answer.text === 'string') return { kind: 'answered', text: answer.text };
    if (answer.kind === 'declined') return { kind: 'declined', ...('message' in answer && typeof answer.message === 'string' && { message: answer.message }) };
  }
  throw new AppError('internal', `The question was put, but what came back is no answer: ${GO_ON}`);
}

/** The user's own words, and nothing around them. That there are none is an error, so that it isn't taken for an answer. */
function resultOf(answer: UserAnswer): ToolResult {
  switch (answer.kind) {
    case 'answered':
      return { content: [{ type: 'text', text: answer.text }] };
    case 'declined':
      return { isError: true, content: [{ type: 'text', text: declinedText(answer.message?.trim()) }] };
  }
}

function declinedText(message = ''): string {
  return message === '' ? `The user gave no answer: ${GO_ON}` : `The user gave no answer and said: "${message}". If that leaves something open, ${GO_ON}`;
}
