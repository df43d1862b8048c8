import type { GroupView } from '../../runtime/domain/agents.ts';
import type { EventOf, RuntimeEvent } from '../../runtime/domain/events.ts';
import { SessionInbox, sessionOf } from './sessionInbox.ts';

/** The inboxes of an agent's conversations: of those that the chat opened, and of those in which something goes on or ends without it. */
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

  /** Hands an event to its conversation. Returns the event where it is the end of a turn that no message of the user asked for, and no response was open. */
  receive(event: RuntimeEvent): EventOf<'turn.ended'> | undefined {
    const sessionId = sessionOf(event);
    if (sessionId === undefined) return undefined;
    const inbox = opensInbox(event) ? this.of(sessionId) : this.#inboxes.get(sessionId);
    inbox?.receive(event);
    return inbox === undefined || inbox.isRead || event.type !== 'turn.ended' || event.cause.kind === 'user' ? undefined : event;
  }
}

/** Something comes that the conversation's next response has to show, whether or not the chat has opened it in this window. */
function opensInbox(event: RuntimeEvent): boolean {
  return event.type === 'group.resumed' || event.type === 'group.settled' || (event.type === 'turn.started' && event.cause.kind !== 'user');
}
