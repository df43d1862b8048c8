import type { ProcessMark } from '../store/processMark.ts';
import type { ClaimEnd } from './claimEnds.ts';
import type { ScheduleOf } from './knownTimes.ts';
import { dueAt, type StoredPrompt } from './storedPrompt.ts';

/** How far ahead of the clock a prompt may be counted from: further, the clock was set back, and it would wait for all that time again. */
const SET_BACK_MS = 60 * 60_000;

export interface LookOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly scheduleOf: ScheduleOf;
  /** Whether a prompt that is due, and whose conversation is free, is this process's to send. */
  readonly takes: (prompt: StoredPrompt, due: number) => boolean;
  /** How many may be claimed. */
  readonly room: number;
  /** A claim's id that nobody else uses. */
  readonly claimId: () => string;
  readonly mark: ProcessMark;
  /** Ends of this process's claims that aren't stored yet, by the claim's id. */
  readonly ends: ReadonlyMap<string, ClaimEnd>;
  /** Ids of claims whose processes are gone. */
  readonly orphans: ReadonlySet<string>;
}

export interface Looked {
  /** The very list that was looked at where nothing is to be changed in it. */
  readonly items: readonly StoredPrompt[];
  /** Those to be sent once the list is stored. */
  readonly claimed: readonly StoredPrompt[];
  /** Those of which nobody knows whether they were sent. */
  readonly lost: readonly StoredPrompt[];
}

/** What a look at the stored prompts leads to: of a session one is sent at a time, and what was due first comes first. Pure. */
export function lookAt(items: readonly StoredPrompt[], options: LookOptions): Looked {
  const gone = new Set([...options.ends.values()].flatMap(({ kind, prompt }) => (kind === 'session_gone' ? [prompt.sessionId] : [])));
  const kept = items.filter(({ sessionId }) => !gone.has(sessionId));
  const lost = kept.filter(({ sending }) => sending && options.orphans.has(sending.id));
  const open = kept.flatMap((item) => ended(item, options) ?? []).map((item) => recounted(item, options.now));
  const claims = claimsOf(open, options);
  const after = open.map((item) => claims.get(item) ?? item);
  const isSame = after.length === items.length && after.every((item, index) => item === items[index]);
  return { items: isSame ? items : after, claimed: [...claims.values()], lost };
}

/** Sessions that a prompt is being sent to. */
export function busySessions(items: readonly StoredPrompt[]): Set<string> {
  return new Set(items.flatMap(({ sessionId, sending }) => (sending ? [sessionId] : [])));
}

/** The prompt once its claim is over, where that is so; nothing where it was its last. */
function ended(item: StoredPrompt, { ends, orphans, scheduleOf }: LookOptions): StoredPrompt | undefined {
  const { sending, ...rest } = item;
  if (!sending) return item;
  const end = ends.get(sending.id)?.kind;
  // It may have come to another session since.
  if (end === 'given_back' || end === 'session_gone') return { ...rest, countedFrom: sending.from };
  if (end === undefined && !orphans.has(sending.id)) return item;
  return item.once || dueAt(rest, scheduleOf(item.schedule)) === undefined ? undefined : rest;
}

function recounted(item: StoredPrompt, now: number): StoredPrompt {
  return item.countedFrom > now + SET_BACK_MS ? { ...item, countedFrom: now } : item;
}

/** What is claimed now, as it was before. Times that were missed count as one: the next is counted from now. */
function claimsOf(items: readonly StoredPrompt[], { now, scheduleOf, takes, room, claimId, mark }: LookOptions): ReadonlyMap<StoredPrompt, StoredPrompt> {
  const claims = new Map<StoredPrompt, StoredPrompt>();
  const busy = busySessions(items);
  for (const { item, due } of dueBy(items, now, scheduleOf)) {
    if (claims.size >= room) break;
    if (busy.has(item.sessionId) || !takes(item, due)) continue;
    busy.add(item.sessionId);
    claims.set(item, { ...item, countedFrom: now, sending: { id: claimId(), at: now, from: item.countedFrom, by: mark } });
  }
  return claims;
}

/** Those that wait to be sent, longest first. */
function dueBy(items: readonly StoredPrompt[], now: number, scheduleOf: ScheduleOf): readonly { readonly item: StoredPrompt; readonly due: number }[] {
  const waiting = items.flatMap((item) => {
    const due = item.sending ? undefined : dueAt(item, scheduleOf(item.schedule));
    return due === undefined || due > now ? [] : [{ item, due }];
  });
  return waiting.sort((a, b) => a.due - b.due);
}
