import { createHash } from 'node:crypto';
import type { Message } from '../../domain/messages.ts';
import type { StoredView } from '../../domain/transcripts.ts';

/** What a transcript keeps of a shortened conversation: of messages that stand above only which they are. */
export function storeView(view: readonly Message[], above: readonly Message[]): readonly StoredView[] {
  const known = new Set(above);
  return view.map((message) => (known.has(message) ? fingerprint(message) : message));
}

/** The shortened conversation again; nothing where a message of it doesn't stand above any more. */
export function restoreView(stored: readonly StoredView[], above: readonly Message[]): readonly Message[] | undefined {
  // Of messages that say the same each is one of its own: the task may be given again in a later round.
  const known = new Map<string, Message[]>();
  for (const message of above) {
    const print = fingerprint(message);
    known.set(print, [...(known.get(print) ?? []), message]);
  }
  const view = stored.flatMap((item) => (typeof item === 'string' ? (known.get(item)?.shift() ?? []) : item));
  return view.length === stored.length && view.length > 0 ? view : undefined;
}

/**
 * Tells a message by what it says, not by its place: places change where a crash, or another window, has left something
 * out or put something in between.
 */
function fingerprint(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 20);
}
