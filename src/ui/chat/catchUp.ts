import { errorText } from '../../runtime/base/errors.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { CompletionTurn, LiteSession } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { SessionInbox } from './sessionInbox.ts';

/**
 * The turns after groups that came after the last one that the chat has shown, and that no chat will show: they
 * ended before this window listened. What the inbox saw is shown from there. A transcript that can't be read costs
 * only this: it is logged.
 */
export async function missedTurns(session: Pick<LiteSession, 'completionsAfter'>, shownTurnId: string, inbox: Pick<SessionInbox, 'has'>, log: Log): Promise<readonly CompletionTurn[]> {
  try {
    return (await session.completionsAfter(shownTurnId)).filter(({ turnId }) => !inbox.has(turnId));
  } catch (error) {
    log.warn(`chat: what came after the last turn can't be shown: ${errorText(error)}`);
    return [];
  }
}

/** A missed turn as the events that a response is written from. */
export function eventsOf({ turnId, groupId, text }: CompletionTurn, sessionId: string): readonly RuntimeEvent[] {
  const turn = { at: Date.now(), sessionId, turnId, cause: { kind: 'completion', groupId } } as const;
  return [
    { type: 'turn.started', ...turn },
    { type: 'text.delta', at: turn.at, agent: { kind: 'root', sessionId }, text },
    { type: 'turn.ended', ...turn, outcome: { status: 'completed', text } },
  ];
}
