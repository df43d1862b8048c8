import { errorText } from '../../runtime/base/errors.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteSession, OwnTurn } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { SessionTurn } from './history.ts';
import type { SessionInbox } from './sessionInbox.ts';

/**
 * The session's own turns that came after the last one that the chat has shown, and that no chat will show: they
 * ended before this window listened. What the inbox saw is shown from there. A transcript that can't be read costs
 * only this: it is logged.
 */
export async function missedTurns(session: Pick<LiteSession, 'ownTurnsAfter'>, shownTurnId: string, inbox: Pick<SessionInbox, 'has'>, log: Log): Promise<readonly OwnTurn[]> {
  try {
    return (await session.ownTurnsAfter(shownTurnId)).filter(({ turnId }) => !inbox.has(turnId));
  } catch (error) {
    log.warn(`chat: what came after the last turn can't be shown: ${errorText(error)}`);
    return [];
  }
}

/** A missed turn as the events that a response is written from. */
export function eventsOf({ turnId, cause, text }: OwnTurn, sessionId: string): readonly RuntimeEvent[] {
  const turn = { at: Date.now(), sessionId, turnId, cause } as const;
  return [
    { type: 'turn.started', ...turn },
    { type: 'text.delta', at: turn.at, agent: { kind: 'root', sessionId }, text },
    { type: 'turn.ended', ...turn, outcome: { status: 'completed', text } },
  ];
}

/** Where a response stands in its conversation; what it has shown. */
export interface ResponsePlace {
  readonly inbox: Pick<SessionInbox, 'lastTurnId'>;
  readonly missed: readonly OwnTurn[];
  readonly from: SessionTurn | undefined;
}

/** The turn that the next response goes on from: the latest that was shown, or is being shown. Empty before the first. */
export function currentTurnId({ inbox, missed, from }: ResponsePlace): string {
  return inbox.lastTurnId ?? missed.at(-1)?.turnId ?? from?.turnId ?? '';
}
