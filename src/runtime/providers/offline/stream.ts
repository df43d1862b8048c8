import { isAbort, sleep } from '../../base/abort.ts';
import { errorText } from '../../base/errors.ts';
import type { AssistantPart, ContentPart } from '../../domain/messages.ts';
import type { ModelEvent, ModelRequest } from '../../domain/models.ts';
import { NO_USAGE } from '../../domain/usage.ts';
import { childStep } from './child.ts';
import { rootStep } from './root.ts';
import { offers, type Step } from './step.ts';

const CHARACTERS_PER_TOKEN = 4;
const WORDS_PER_CHUNK = 3;

/** The agent that may delegate is the root; every other one does the work itself. A conversation that is to be summed up is no work. */
function plan(request: ModelRequest): Step {
  const last = request.messages.at(-1);
  if (last?.role === 'user' && last.source === 'summary') return { text: 'The offline demo can not sum up what was done. It goes on from the task.' };
  return offers(request, 'Agent') ? rootStep(request) : childStep(request);
}

/** One turn of the offline demo. */
export async function* offlineStream(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = request;
  try {
    for await (const event of turn(request)) {
      if (signal.aborted) break;
      yield event;
      if (event.type === 'end') return;
    }
    yield { type: 'end', stop: 'aborted' };
  } catch (error) {
    if (signal.aborted || isAbort(error)) yield { type: 'end', stop: 'aborted' };
    else yield failure(`The offline demo failed: ${errorText(error)}`);
  }
}

async function* turn(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const step = plan(request);
  for (const seconds of step.waits ?? []) await sleep(seconds * 1000, request.signal);
  for (const text of chunks(step.text ?? '')) {
    // A pause as long as one round of the event loop, so that whoever reads can show it, or abort.
    await sleep(0, request.signal);
    yield { type: 'text', text };
  }
  const calls = withIds(request, step);
  for (const call of calls) yield { type: 'tool_call', ...call };
  yield { type: 'usage', usage: { ...NO_USAGE, input: tokens(inputLength(request)), output: tokens((step.text ?? '').length + JSON.stringify(calls).length) } };
  if (step.failure !== undefined) yield failure(step.failure);
  else yield { type: 'end', stop: calls.length > 0 ? 'tool_calls' : 'stop' };
}

function failure(message: string): ModelEvent {
  return { type: 'end', stop: 'error', error: { failure: 'error', message } };
}

/** Whole words with the white space behind them, a few at a time; a very long word is one chunk. */
function chunks(text: string): readonly string[] {
  const words = text.match(/\s*\S+\s*/gu) ?? [];
  return Array.from({ length: Math.ceil(words.length / WORDS_PER_CHUNK) }, (_, i) => words.slice(i * WORDS_PER_CHUNK, (i + 1) * WORDS_PER_CHUNK).join(''));
}

interface CallWithId {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Ids that no call of the conversation has: they count on from the number of messages. */
function withIds(request: ModelRequest, step: Step): readonly CallWithId[] {
  const used = new Set(request.messages.flatMap((message) => (message.role === 'assistant' ? message.content.map((part) => (part.type === 'tool_call' ? part.id : '')) : [])));
  let turnNumber = request.messages.length;
  while (used.has(`offline_${turnNumber}_0`)) turnNumber += 1;
  return (step.calls ?? []).map(({ name, input }, index) => ({ id: `offline_${turnNumber}_${index}`, name, arguments: JSON.stringify(input) }));
}

function inputLength({ system, messages, tools }: ModelRequest): number {
  const inMessages = messages.reduce((sum, message) => {
    const parts = message.role === 'tool' ? message.results.flatMap((result) => result.content) : message.content;
    return sum + parts.reduce((length, part) => length + partLength(part), 0);
  }, 0);
  return system.length + inMessages + JSON.stringify(tools).length;
}

function partLength(part: ContentPart | AssistantPart): number {
  return part.type === 'tool_call' ? part.arguments.length : part.type === 'image' ? part.data.length : part.text.length;
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
