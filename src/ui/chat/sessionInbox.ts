import { toDisposable, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { GroupView } from '../../runtime/domain/agents.ts';
import type { OwnTurnCause, RuntimeEvent } from '../../runtime/domain/events.ts';

/** Takes a session's events; `replayed` for those that came while nobody read. */
export type SessionReader = (event: RuntimeEvent, replayed: boolean) => void;

/** The session that an event belongs to; nothing for those of no session. */
export function sessionOf(event: RuntimeEvent): string | undefined {
  if ('sessionId' in event) return event.sessionId;
  if ('agent' in event) return event.agent.sessionId;
  if ('request' in event) return event.request.agent.sessionId;
  return 'group' in event ? event.group.sessionId : undefined;
}

/**
 * Hands a session's events to the response that is open, and keeps what the next one has to show while none is.
 * Each event is given out once.
 */
export class SessionInbox {
  readonly sessionId: string;
  readonly #openGroups: Set<string>;
  readonly #waiting = new Set<() => void>();
  readonly #turnIds: string[] = [];
  /** The start of the turn that runs, until it has said something. */
  #silentTurn: RuntimeEvent | undefined;
  /** Why the turn is taken that runs, where no message of the user asks for it. */
  #ownCause: OwnTurnCause | undefined;
  #kept: RuntimeEvent[] = [];
  /** How many characters at the end of the kept text the model may still take back: it asks anew when an answer breaks off. */
  #revocable = 0;
  #reader: SessionReader | undefined;
  #isNew = true;

  constructor(sessionId: string, groups: readonly GroupView[]) {
    this.sessionId = sessionId;
    this.#openGroups = new Set(groups.filter((group) => group.sessionId === sessionId && isAtWork(group)).map((group) => group.groupId));
  }

  /** True until the completion turn of every group has ended, and while a scheduled prompt is answered. */
  get busy(): boolean {
    return this.#openGroups.size > 0 || this.#ownCause?.kind === 'scheduled';
  }

  get isRead(): boolean {
    return this.#reader !== undefined;
  }

  /** True until the first response of this window reads it. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Whether something to read waits for a reader. */
  get hasUnread(): boolean {
    return this.#kept.some((event) => event.type === 'text.delta' || event.type === 'group.settled');
  }

  /** The latest turn that this inbox saw begin. */
  get lastTurnId(): string | undefined {
    return this.#turnIds.at(-1);
  }

  /** Whether this inbox saw the turn begin, so that a reader gets or got it from here. */
  has(turnId: string): boolean {
    return this.#turnIds.includes(turnId);
  }

  receive(event: RuntimeEvent): void {
    this.#track(event);
    if (this.#reader) this.#reader(event, false);
    else this.#keep(event);
    if (!this.busy) this.#wake();
  }

  /** Replays what was kept to the reader, then gives it what comes. There is one reader at a time: a new one takes over. */
  read(reader: SessionReader): Disposable {
    const kept = this.#kept;
    this.#kept = [];
    this.#revocable = 0;
    this.#reader = reader;
    this.#isNew = false;
    kept.forEach((event) => reader(event, true));
    return toDisposable(() => {
      if (this.#reader !== reader) return;
      this.#reader = undefined;
      // The next reader has to know whose text it is that comes.
      if (this.#silentTurn) this.#kept.push(this.#silentTurn);
    });
  }

  /** Resolves when nothing of the session is under way. */
  async whenIdle(): Promise<void> {
    if (this.busy) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #track(event: RuntimeEvent): void {
    switch (event.type) {
      case 'turn.started':
        this.#turnIds.push(event.turnId);
        this.#silentTurn = event;
        this.#revocable = 0;
        this.#ownCause = event.cause.kind === 'user' ? undefined : event.cause;
        if (event.cause.kind === 'completion') this.#openGroups.add(event.cause.groupId);
        return;
      case 'model.ended':
        if (event.agent.kind === 'root' && !event.isSummary) this.#revocable = 0;
        return;
      case 'text.delta':
        if (event.agent.kind === 'root') this.#silentTurn = undefined;
        return;
      case 'group.accepted':
        this.#openGroups.add(event.group.groupId);
        return;
      case 'group.resumed':
        this.#openGroups.add(event.groupId);
        return;
      case 'group.interrupted':
        this.#openGroups.delete(event.groupId);
        return;
      case 'group.delivered':
        // Where the call that started it waited for its results, no turn of its own follows.
        if (this.#ownCause?.kind !== 'completion' || event.groupId !== this.#ownCause.groupId) this.#openGroups.delete(event.groupId);
        return;
      case 'turn.ended':
        this.#silentTurn = undefined;
        this.#ownCause = undefined;
        if (event.cause.kind === 'completion') this.#openGroups.delete(event.cause.groupId);
        return;
      default:
    }
  }

  #keep(event: RuntimeEvent): void {
    const last = this.#kept.at(-1);
    switch (event.type) {
      case 'text.delta':
        if (event.agent.kind !== 'root') return;
        this.#revocable += event.text.length;
        // Deltas are many: one event holds what follows on.
        if (last?.type === 'text.delta') this.#kept[this.#kept.length - 1] = { ...last, text: last.text + event.text };
        else this.#kept.push(event);
        return;
      case 'text.discarded':
        if (event.agent.kind === 'root') this.#takeBack();
        return;
      case 'turn.started':
      case 'turn.ended':
      case 'group.accepted':
      case 'group.settled':
        this.#kept.push(event);
        return;
      default:
    }
  }

  /** Nobody has seen this text yet, so it can still be as if it had never been said. */
  #takeBack(): void {
    for (let index = this.#kept.length - 1; index >= 0 && this.#revocable > 0; index--) {
      const event = this.#kept[index];
      if (event?.type !== 'text.delta') continue;
      const text = event.text.slice(0, Math.max(0, event.text.length - this.#revocable));
      this.#revocable -= event.text.length - text.length;
      if (text === '') this.#kept.splice(index, 1);
      else this.#kept[index] = { ...event, text };
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach((resolve) => resolve());
  }
}

/** Whether this window owes its completion turn: not so a group that shows as running because a child of it goes on in a later round. */
function isAtWork({ groupId, children, isElsewhere }: GroupView): boolean {
  return !isElsewhere && children.some(({ status, roundGroupId }) => roundGroupId === groupId && (status === 'queued' || status === 'running'));
}
