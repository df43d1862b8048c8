import { toDisposable, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { GroupView } from '../../runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';

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
  readonly #turns: { readonly turnId: string; readonly user: boolean }[] = [];
  /** The start of the turn that runs, until it has said something. */
  #silentTurn: RuntimeEvent | undefined;
  #kept: RuntimeEvent[] = [];
  #reader: SessionReader | undefined;

  constructor(sessionId: string, groups: readonly GroupView[]) {
    this.sessionId = sessionId;
    this.#openGroups = new Set(groups.filter((group) => group.sessionId === sessionId && group.status === 'running').map((group) => group.groupId));
  }

  /** True until the completion turn of every group has ended. */
  get busy(): boolean {
    return this.#openGroups.size > 0;
  }

  get isRead(): boolean {
    return this.#reader !== undefined;
  }

  /** Whether something to read waits for a reader. */
  get hasUnread(): boolean {
    return this.#kept.some((event) => event.type === 'text.delta' || event.type === 'group.settled');
  }

  /** The latest turn that this inbox saw begin. */
  get lastTurnId(): string | undefined {
    return this.#turns.at(-1)?.turnId;
  }

  /** The given turn, or the last of the completion turns that followed it before the user's next one. */
  endOfTurn(turnId: string): string {
    let last = turnId;
    for (const turn of this.#turns.slice(this.#turns.findIndex((one) => one.turnId === turnId) + 1)) {
      if (turn.user) break;
      last = turn.turnId;
    }
    return last;
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
    this.#reader = reader;
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
        this.#turns.push({ turnId: event.turnId, user: event.cause.kind === 'user' });
        this.#silentTurn = event;
        return;
      case 'text.delta':
        if (event.agent.kind === 'root') this.#silentTurn = undefined;
        return;
      case 'group.accepted':
        this.#openGroups.add(event.group.groupId);
        return;
      case 'turn.ended':
        this.#silentTurn = undefined;
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
        // Deltas are many: one event holds what follows on.
        if (last?.type === 'text.delta') this.#kept[this.#kept.length - 1] = { ...last, text: last.text + event.text };
        else this.#kept.push(event);
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

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach((resolve) => resolve());
  }
}
