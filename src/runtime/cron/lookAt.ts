import type { ProcessMark } from '../store/processMark.ts';
import type { Schedule } from './schedule.ts';
import { dueAt, type StoredPrompt } from './storedPrompt.ts';

/** How far ahead of the clock a prompt may be counted from: further, the clock was set back, and it would wait for all that time again. */
const SET_BACK_MS = 60 * 60_000;

/** What came of a claim. `given_back`: it was not sent, and is due as before. `session_gone`: no prompt of its session can be sent. */
export type ClaimEnd = 'sent' | 'given_back' | 'session_gone';

export interface LookOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Nothing for a text that is no schedule. */
  readonly scheduleOf: (text: string) => Schedule | undefined;
  /** Whether a prompt that is due is this process's to send. */
  readonly takes: (prompt: StoredPrompt, due: number) => boolean;
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

/** What a look at the stored prompts leads to. Pure. */
export function lookAt(items: readonly StoredPrompt[], options: LookOptions): Looked {
  const claimed: StoredPrompt[] = [];
  const lost: StoredPrompt[] = [];
  const gone = new Set(items.flatMap(({ sessionId, sending }) => (sending && options.ends.get(sending.id) === 'session_gone' ? [sessionId] : [])));
  const kept = items.filter(({ sessionId }) => !gone.has(sessionId)).flatMap((item): readonly StoredPrompt[] => {
    if (item.sending && options.orphans.has(item.sending.id)) lost.push(item);
    const open = ended(item, options);
    if (open === undefined) return [];
    const after = claimedIfDue(recounted(open, options.now), options);
    if (after.sending && after.sending !== open.sending) claimed.push(after);
    return [after];
  });
  const isSame = kept.length === items.length && kept.every((item, index) => item === items[index]);
  return { items: isSame ? items : kept, claimed, lost };
}

/** The prompt once its claim is over, where that is so; nothing where it was its last. */
function ended(item: StoredPrompt, { ends, orphans, scheduleOf }: LookOptions): StoredPrompt | undefined {
  const { sending, ...rest } = item;
  if (!sending) return item;
  if (ends.get(sending.id) === 'given_back') return { ...rest, countedFrom: sending.from };
  if (!ends.has(sending.id) && !orphans.has(sending.id)) return item;
  return item.once || dueAt(rest, scheduleOf(item.schedule)) === undefined ? undefined : rest;
}

function recounted(item: StoredPrompt, now: number): StoredPrompt {
  return item.countedFrom > now + SET_BACK_MS ? { ...item, countedFrom: now } : item;
}

/** Times that were missed count as one: the next is counted from now. */
function claimedIfDue(item: StoredPrompt, { now, scheduleOf, takes, claimId, mark }: LookOptions): StoredPrompt {
  if (item.sending) return item;
  const due = dueAt(item, scheduleOf(item.schedule));
  if (due === undefined || due > now || !takes(item, due)) return item;
  return { ...item, countedFrom: now, sending: { id: claimId(), at: now, from: item.countedFrom, by: mark } };
}
