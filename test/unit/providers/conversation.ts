import type { AssistantPart, Message, ToolResultPart } from '../../../src/runtime/domain/messages.ts';
import { textMessage } from '../../../src/runtime/domain/messages.ts';
import type { ModelEvent, ToolSchema } from '../../../src/runtime/domain/models.ts';
import { createOfflineProvider } from '../../../src/runtime/providers/offline/client.ts';
import { assertWellFormed, collect } from '../../contracts/providerContract.ts';

export interface Call {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** What a fake tool answers: text, or `{ error }`. */
export type Answer = string | { readonly error: string };

export interface Ran {
  /** All text of the last turn. */
  readonly text: string;
  readonly turns: readonly (readonly Call[])[];
  readonly calls: readonly Call[];
  readonly messages: readonly Message[];
  readonly end: ModelEvent | undefined;
}

export const toolsNamed = (...names: string[]): ToolSchema[] => names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));

/** Plays a whole run: streams turns and answers calls until the model makes none. */
export async function play(start: string | readonly Message[], tools: readonly string[], answer: (call: Call) => Answer = () => '', signal = new AbortController().signal): Promise<Ran> {
  const provider = createOfflineProvider();
  const messages: Message[] = typeof start === 'string' ? [textMessage(start)] : [...start];
  const turns: Call[][] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const request = { model: 'offline', system: 'System.', messages: [...messages], tools: toolsNamed(...tools) };
    const events = await collect(provider.stream({ ...request, signal }));
    assertWellFormed(events, request);
    const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    const made = events.filter((event) => event.type === 'tool_call');
    const end = events.at(-1);
    const content: AssistantPart[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...made];
    messages.push({ role: 'assistant', content, stop: end?.type === 'end' ? end.stop : 'error' });
    if (made.length === 0) return { text, turns, calls: turns.flat(), messages, end };
    const calls = made.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) as Record<string, unknown> }));
    turns.push(calls);
    const results = calls.map((call, index): ToolResultPart => {
      const given = tools.includes(call.name) ? answer(call) : { error: `unknown tool ${call.name}` };
      const isError = typeof given !== 'string';
      return { callId: made[index]!.id, name: call.name, isError, content: [{ type: 'text', text: isError ? given.error : given }] };
    });
    messages.push({ role: 'tool', results });
  }
  throw new Error('the model never stopped calling tools');
}

/** The calls of one turn. */
export async function stepOf(messages: readonly Message[], tools: readonly string[]): Promise<readonly Call[]> {
  const request = { model: 'offline', system: 'System.', messages, tools: toolsNamed(...tools), signal: new AbortController().signal };
  const events = await collect(createOfflineProvider().stream(request));
  return events.flatMap((event) => (event.type === 'tool_call' ? [{ name: event.name, input: JSON.parse(event.arguments) as Call['input'] }] : []));
}

/** The conversation after a turn that made one call. */
export function answered(messages: readonly Message[], { name, input }: Call, text: string): readonly Message[] {
  const id = `call-${messages.length}`;
  return [
    ...messages,
    { role: 'assistant', stop: 'tool_calls', content: [{ type: 'tool_call', id, name, arguments: JSON.stringify(input) }] },
    { role: 'tool', results: [{ callId: id, name, isError: false, content: [{ type: 'text', text }] }] },
  ];
}
