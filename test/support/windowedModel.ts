import { textOf, type Message } from '../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import type { Script, ScriptedTurn } from './scriptedModel.ts';

export interface WindowOptions {
  /** Tokens of request and answer together. */
  readonly window: number;
  /** Tokens of the longest answer; default 500. */
  readonly answer?: number;
  /** Default 3.5. */
  readonly bytesPerToken?: number;
  /** How a request that is too long is refused; default as Anthropic does. */
  readonly words?: (tokens: number, window: number) => string;
  /** What comes of a request for a summary. */
  readonly summary?: (request: ModelRequest) => ScriptedTurn;
}

/** How many tokens a request has for a model that counts honestly, each image being 1,000. */
export function countTokens({ system, messages, tools, reminder = '' }: ModelRequest, bytesPerToken = 3.5): number {
  let images = 0;
  const text = JSON.stringify({ system, messages, tools, reminder }, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('mimeType' in value)) return value;
    images += 1;
    return '';
  });
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken) + images * 1000;
}

/** A script for a model with a small window: it refuses what is too long, tells what each request had, and sums up when asked to. */
export function windowed(script: (request: ModelRequest) => ScriptedTurn, { window, answer = 500, bytesPerToken, words = asAnthropic, summary = () => ({ text: 'Much was read.' }) }: WindowOptions): Script {
  return (request) => {
    const tokens = countTokens(request, bytesPerToken);
    if (tokens + answer > window) return { stop: 'error', error: { failure: 'context', message: words(tokens, window) }, usage: { input: 0, output: 0 } };
    const turn = isSummaryRequest(request) ? summary(request) : script(request);
    return { ...turn, usage: { input: tokens, output: 20, ...turn.usage } };
  };
}

/** Whether the model is to sum up a conversation. */
export function isSummaryRequest({ messages }: ModelRequest): boolean {
  const last = messages.at(-1);
  return messages.length === 1 && last?.role === 'user' && last.source === 'summary';
}

/** The texts of the results in a conversation. */
export function resultTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ content }) => textOf(content)) : []));
}

function asAnthropic(tokens: number, window: number): string {
  return `anthropic (m) 400: prompt is too long: ${tokens} tokens > ${window} maximum`;
}
