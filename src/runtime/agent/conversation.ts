import type { TurnCause } from '../domain/events.ts';
import type { RootOptions } from '../domain/liteAgent.ts';
import { textOf, toolCallsOf, type Message, type ToolMessage } from '../domain/messages.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';
import { restoreView } from './context/storedView.ts';
import { interruptedResult } from './stoppedCall.ts';

/** A conversation as far as a turn, and whether the user said nothing after it. */
export interface History {
  readonly messages: readonly Message[];
  /** See `viewOf`. */
  readonly view: readonly Message[];
  readonly entries: readonly TranscriptEntry[];
  readonly isLast: boolean;
}

/** A turn of a root session, the user's or one of its own. */
export interface TurnMark {
  readonly turnId: string;
  readonly cause: TurnCause;
}

export function turnsOf(entries: readonly TranscriptEntry[]): TurnMark[] {
  return entries.flatMap((entry) => (entry.type === 'turn' ? [{ turnId: entry.turnId, cause: entry.cause }] : []));
}

/** The model that a message named last for a conversation. */
export function rootModelIn(entries: readonly TranscriptEntry[]): RootOptions['rootModel'] {
  return entries.flatMap((entry) => (entry.type === 'turn' ? (entry.rootModel ?? []) : [])).at(-1);
}

/** Whether the user said nothing after that turn. The session's own turns belong to the user's turn before them. False for an unknown turn. */
export function isLatest(turns: readonly TurnMark[], turnId: string): boolean {
  const at = turns.findIndex((turn) => turn.turnId === turnId);
  return at >= 0 && turns.slice(at + 1).every(({ cause }) => cause.kind !== 'user');
}

/**
 * The part of a root session's transcript that ends with the turn, together with the session's own turns that
 * followed it. Nothing when the turn isn't in it.
 */
export function historyUpTo(entries: readonly TranscriptEntry[], turnId: string): History | undefined {
  const start = entries.findIndex((entry) => entry.type === 'turn' && entry.turnId === turnId);
  if (start < 0) return undefined;
  const next = entries.findIndex((entry, index) => index > start && entry.type === 'turn' && entry.cause.kind === 'user');
  const kept = next < 0 ? entries : entries.slice(0, next);
  return { messages: wellFormed(messagesOf(kept)), view: viewOf(kept), entries: kept, isLast: next < 0 };
}

/** A root session's whole transcript. */
export function wholeHistory(entries: readonly TranscriptEntry[]): History {
  return { messages: wellFormed(messagesOf(entries)), view: viewOf(entries), entries, isLast: true };
}

export function messagesOf(entries: readonly TranscriptEntry[]): Message[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
}

/** What the model sees of a conversation: what it was last shortened to, and all that was said since; without that, all of it. */
export function viewOf(entries: readonly TranscriptEntry[]): Message[] {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.type !== 'compacted') continue;
    // One that isn't whole any more counts for nothing: what came before it can be shortened again.
    const view = restoreView(entry.view, wellFormed(messagesOf(entries.slice(0, index))));
    if (view) return wellFormed([...view, ...messagesOf(entries.slice(index + 1))]);
  }
  return wellFormed(messagesOf(entries));
}

/**
 * Gives each call that a crash left without its result one that says so; providers refuse a conversation with open
 * calls, and one with results that follow no call, as two windows writing at the same time leave them.
 */
export function wellFormed(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, index): Message[] => {
    if (message.role === 'tool' && !openResults(messages[index - 1])) return [];
    const results = messages[index + 1]?.role === 'tool' ? undefined : openResults(message);
    return results ? [message, results] : [message];
  });
}

/** The results that a message's calls get when it is not known what became of them; nothing for a message without calls. */
export function openResults(message: Message | undefined): ToolMessage | undefined {
  const calls = message?.role === 'assistant' ? toolCallsOf(message) : [];
  if (calls.length === 0) return undefined;
  return { role: 'tool', results: calls.map((call) => interruptedResult(call, 'unknown')) };
}

/** The text of a message that ends a run as a success; nothing for any other. */
export function finalAnswer(message: Message | undefined): string | undefined {
  if (message?.role !== 'assistant' || (message.stop !== 'stop' && message.stop !== 'tool_calls') || toolCallsOf(message).length > 0) return undefined;
  return textOf(message.content).trim() || undefined;
}
