import type { Message, ToolResultPart } from '../../domain/messages.ts';
import type { ModelRequest } from '../../domain/models.ts';

/** A call to make, before it has an id. */
export interface PlannedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the offline model does with one turn. `waits`, in seconds, come first. */
export interface Step {
  readonly waits?: readonly number[];
  readonly text?: string;
  readonly calls?: readonly PlannedCall[];
  /** Ends the turn as a provider's failure. */
  readonly failure?: string;
}

/** A call that was made and what came of it. */
export interface DoneCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError: boolean;
  readonly isDenied: boolean;
}

/** Said once in a conversation, so that nobody takes this for a language model. */
export const DEMO_NOTE = 'This is the offline demo: a scripted text search, not an AI.';

export function offers(request: ModelRequest, tool: string): boolean {
  return request.tools.some(({ name }) => name === tool);
}

/** The place of the last message by a person or the runtime; -1 without one. What follows it is work on it. */
export function lastUserIndex(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'user' && message.source !== 'summary');
}

/** The calls made since the last user message, grouped by turn, each with its result. Calls without a result, or whose end an interruption has swallowed, are left out: they are made again. */
export function turnsSince(messages: readonly Message[], index: number): readonly (readonly DoneCall[])[] {
  const inputs = new Map<string, Readonly<Record<string, unknown>>>();
  const turns: DoneCall[][] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool_call') inputs.set(part.id, parseInput(part.arguments));
    } else if (message.role === 'tool') {
      const ended = message.results.filter(({ wasInterrupted }) => wasInterrupted !== true);
      if (ended.length > 0) turns.push(ended.map((result) => ({ name: result.name, input: inputs.get(result.callId) ?? {}, result: resultText(result), isError: result.isError, isDenied: result.isDenied === true })));
    }
  }
  return turns;
}

export function resultText(result: ToolResultPart): string {
  return result.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
}

/** A field of a call's input as text, or nothing for any other type. */
export function inputText(call: DoneCall, field: string): string | undefined {
  const value = call.input[field];
  return typeof value === 'string' ? value : undefined;
}

/** The first line that says something, cut to a readable length, between two words where there is such a place near. */
export function firstLine(text: string, max = 200): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '')?.trim() ?? '';
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1).toWellFormed();
  const space = line.slice(0, max).lastIndexOf(' ');
  return `${space > max / 2 ? cut.slice(0, space).trimEnd() : cut}…`;
}

function parseInput(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
