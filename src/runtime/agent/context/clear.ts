import type { Message, ToolResultPart } from '../../domain/messages.ts';
import { tokensOfResult } from './estimate.ts';

/** Results with fewer tokens than this stay: what stands in their place would be as long. */
const TINY = 100;
const CLEARED = 'This result was cleared to make room. If you still need it, make the call again.';

export interface ClearOptions {
  readonly model: string;
  /** Only results before this place. */
  readonly until: number;
  /** How many tokens are to be saved; the oldest results go first. */
  readonly tokens: number;
  /** Also errors, and results of groups, which no call brings back. */
  readonly all?: boolean;
}

/** The conversation with old results cleared; the same one where there is none to clear. Everything keeps its place. */
export function clearResults(messages: readonly Message[], { model, until, tokens, all = false }: ClearOptions): readonly Message[] {
  let left = tokens;
  const shorter = messages.map((message, index): Message => {
    if (message.role !== 'tool' || index >= until || left <= 0) return message;
    const results = message.results.map((result) => {
      const size = tokensOfResult(result, model);
      const stays = size < TINY || left <= 0 || (!all && (result.isError || result.delivers !== undefined));
      if (stays) return result;
      const cleared: ToolResultPart = { ...result, content: [{ type: 'text', text: CLEARED }] };
      left -= size - tokensOfResult(cleared, model);
      return cleared;
    });
    return results.every((result, at) => result === message.results[at]) ? message : { ...message, results };
  });
  return left < tokens ? shorter : messages;
}
