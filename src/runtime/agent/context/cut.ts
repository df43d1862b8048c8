import type { ContentPart, Message, ToolResultPart } from '../../domain/messages.ts';
import { bytesOf, bytesPerToken, tokensOfResult } from './estimate.ts';

/** The end says more than the middle: errors and totals stand there. */
const TAIL_SHARE = 0.3;
/** What a cut result has at least; with less it says nothing. */
const SMALLEST = 60;

/**
 * The conversation with the results from that place on cut to about so many tokens together; the longest lose most, and
 * what is left says what is missing. The same one where none is too long.
 */
export function cutResults(messages: readonly Message[], from: number, tokens: number, model: string): readonly Message[] {
  const sizes = messages.slice(from).flatMap((message) => (message.role === 'tool' ? message.results.map((result) => tokensOfResult(result, model)) : []));
  const cap = Math.max(SMALLEST, capFor(sizes, tokens));
  if (sizes.every((size) => size <= cap)) return messages;
  return messages.map((message, index): Message => (message.role === 'tool' && index >= from ? { ...message, results: message.results.map((result) => cutResult(result, cap, model)) } : message));
}

/** The most that each may have so that all together have no more than the sum. */
function capFor(sizes: readonly number[], total: number): number {
  const sorted = sizes.toSorted((a, b) => a - b);
  let left = total;
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Infinity;
}

function cutResult(result: ToolResultPart, tokens: number, model: string): ToolResultPart {
  if (tokensOfResult(result, model) <= tokens) return result;
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const images = result.content.length - texts.length;
  const notes = images > 0 ? ['[An image was left out here: there is no room for it.]'] : [];
  return { ...result, content: [cutText(texts.join('\n'), tokens * bytesPerToken(model)), ...notes.map((text): ContentPart => ({ type: 'text', text }))] };
}

function cutText(text: string, maxBytes: number): ContentPart {
  const bytes = bytesOf(text);
  if (bytes <= maxBytes) return { type: 'text', text };
  const kept = Math.floor((text.length * maxBytes) / bytes);
  const tail = Math.floor(kept * TAIL_SHARE);
  const head = kept - tail;
  const note = `[… ${text.length - kept} characters left out here: the whole result is too long for the context. Ask for less of it, such as a part of the file or a narrower search. …]`;
  return { type: 'text', text: `${text.slice(0, head).toWellFormed()}\n${note}\n${text.slice(text.length - tail).toWellFormed()}` };
}
