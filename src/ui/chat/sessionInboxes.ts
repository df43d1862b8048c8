import type { GroupView } from '../../runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { GroupLink } from './chatIds.ts';
import { SessionInbox, sessionOf } from './sessionInbox.ts';

/** The inboxes of an agent's conversations: of those that the chat opened, and of those in which a group goes on or ends without it. */
export class SessionInboxes {
  readonly #groups: () => readonly GroupView[];
  readonly #inboxes = new Map<string, SessionInbox>();

  constructor(groups: () => readonly GroupView[]) {
    this.#groups = groups;
  }

  /** The inbox of a conversation, made where there is none yet. */
  of(sessionId: string): SessionInbox {
    const known = this.#inboxes.get(sessionId);
    if (known) return known;
    const inbox = new SessionInbox(sessionId, this.#groups());
    this.#inboxes.set(sessionId, inbox);
    return inbox;
  }

  /** Hands an event to its conversation. Returns the turn after a group that ended while no response was open, if this was its end. */
  receive(event: RuntimeEvent): GroupLink | undefined {
    const sessionId = sessionOf(event);
    if (sessionId === undefined) return undefined;
    const inbox = opensInbox(event) ? this.of(sessionId) : this.#inboxes.get(sessionId);
    inbox?.receive(event);
    if (inbox === undefined || inbox.isRead || event.type !== 'turn.ended' || event.cause.kind !== 'completion') return undefined;
    return { sessionId, turnId: event.turnId, groupId: event.cause.groupId };
  }
}

/** Something comes that the conversation's next response has to show, whether or not the chat has opened it in this window. */
function opensInbox(event: RuntimeEvent): boolean {
  return event.type === 'group.resumed' || event.type === 'group.settled' || (event.type === 'turn.started' && event.cause.kind === 'completion');
}
