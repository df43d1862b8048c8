import type { OwnTurnCause } from '../domain/events.ts';
import type { OwnTurn } from '../domain/liteAgent.ts';
import { textOf, type Message } from '../domain/messages.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';

/** A turn of a root session's transcript with what was said in it. */
interface StoredTurn {
  readonly turnId: string;
  /** Absent for the user's. */
  readonly cause?: OwnTurnCause;
  readonly messages: Message[];
}

/** The session's own turns that followed a turn, up to the user's next; none for an unknown turn. */
export function ownTurnsAfter(entries: readonly TranscriptEntry[], turnId: string): readonly OwnTurn[] {
  const turns = storedTurns(entries);
  const at = turns.findIndex((turn) => turn.turnId === turnId);
  if (at < 0) return [];
  const after = turns.slice(at + 1);
  const next = after.findIndex(({ cause }) => cause === undefined);
  return (next < 0 ? after : after.slice(0, next)).flatMap((turn) => ownTurn(turn) ?? []);
}

/** The session's own turn with that id; nothing where there is none. */
export function ownTurnOf(entries: readonly TranscriptEntry[], turnId: string): OwnTurn | undefined {
  const turn = storedTurns(entries).find((each) => each.turnId === turnId);
  return turn && ownTurn(turn);
}

function ownTurn(turn: StoredTurn): OwnTurn | undefined {
  // Before it is kept, a crash leaves a turn without its message; then another turn has it.
  if (turn.cause === undefined || !holdsReason(turn)) return undefined;
  return { turnId: turn.turnId, cause: turn.cause, text: saidIn(turn) };
}

/** Whether the conversation was told what the group came to: in a message of its own, or by the call that waited for it. */
export function hasCompletion(entries: readonly TranscriptEntry[], groupId: string): boolean {
  return storedTurns(entries).some((turn) => (turn.cause?.kind === 'completion' && turn.cause.groupId === groupId && holdsReason(turn)) || turn.messages.some((message) => delivers(message, groupId)));
}

function storedTurns(entries: readonly TranscriptEntry[]): readonly StoredTurn[] {
  const turns: StoredTurn[] = [];
  for (const entry of entries) {
    if (entry.type === 'turn') turns.push({ turnId: entry.turnId, messages: [], ...(entry.cause.kind !== 'user' && { cause: entry.cause }) });
    if (entry.type === 'message') turns.at(-1)?.messages.push(entry.message);
  }
  return turns;
}

/** Whether what it was taken for stands in it: the results of a group, or a prompt. */
function holdsReason({ cause, messages }: StoredTurn): boolean {
  const source = cause?.kind === 'completion' ? 'completion' : 'user';
  return messages.some((message) => message.role === 'user' && message.source === source);
}

function delivers(message: Message, groupId: string): boolean {
  return message.role === 'tool' && message.results.some((result) => result.delivers === groupId);
}

/** All that the root said, tool calls in between left out. */
function saidIn({ messages }: StoredTurn): string {
  return messages.flatMap((message) => (message.role === 'assistant' ? [textOf(message.content).trim()] : [])).filter((text) => text !== '').join('\n\n');
}
