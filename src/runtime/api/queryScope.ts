import { deferred } from '../base/async.ts';
import type { AgentRef, RunOutcome } from '../domain/agents.ts';
import type { EventOf, RuntimeEvent, TurnCause } from '../domain/events.ts';

/** Follows one request through the events of its agent: which of them are its own, and when all that it started is over. */
export class QueryScope {
  readonly #sessionId: string;
  readonly #turnId: string;
  readonly #groups = new Set<string>();
  /** Those whose results the conversation hasn't dealt with yet. */
  readonly #open = new Set<string>();
  readonly #over = deferred<void>();
  /** Why the turn is taken that runs now, where it is one of its own. */
  #turn: TurnCause | undefined;
  #outcome: RunOutcome | undefined;
  #isAnswered = false;
  #hasStarted = false;

  /** @param turnId of the request's first turn */
  constructor(sessionId: string, turnId: string) {
    this.#sessionId = sessionId;
    this.#turnId = turnId;
  }

  /** Resolves when its turn has ended, and the completion turns of all groups that it or one of those started. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** How its last turn ended so far. */
  get outcome(): RunOutcome | undefined {
    return this.#outcome;
  }

  /** Its groups whose results the conversation hasn't dealt with yet. */
  get openGroups(): readonly string[] {
    return [...this.#open];
  }

  /** Takes note of an event of the agent. True where it is the request's own, or nobody's in particular. */
  take(event: RuntimeEvent): boolean {
    switch (event.type) {
      case 'turn.started':
        return this.#started(event);
      case 'turn.ended':
        return this.#ended(event);
      case 'group.accepted':
        return this.#accepted(event);
      case 'group.delivered':
        return this.#delivered(event.groupId);
      case 'child.queued':
      case 'child.started':
      case 'child.noted':
      case 'child.settled':
      case 'child.interrupted':
      case 'worktree.created':
      case 'worktree.applied':
      case 'worktree.removed':
      case 'worktree.kept':
      case 'group.settled':
      case 'group.interrupted':
      case 'group.resumed':
      case 'group.refreshed':
        return this.#groups.has(event.groupId);
      case 'text.delta':
      case 'thinking.delta':
      case 'text.discarded':
      case 'context.compacted':
      case 'retry.scheduled':
      case 'model.ended':
      case 'tool.called':
      case 'tool.progress':
      case 'tool.ended':
      case 'message.sent':
      case 'message.delivered':
      case 'files.changed':
      case 'commands.changed':
      case 'permission.denied':
      case 'permission.granted':
      case 'permission.dry_run':
        return this.#isOwn(event.agent);
      case 'approval.wanted':
      case 'approval.decided':
      case 'approval.withdrawn':
        return this.#isOwn(event.request.agent);
      case 'definitions.refused':
        return this.#isTurnOf(event.sessionId);
      // What persons make of changes comes when it comes.
      case 'review.decided':
      case 'review.requested':
        return false;
      case 'task.changed':
      case 'cooldown.started':
      case 'definitions.reloaded':
      case 'skills.reloaded':
      case 'connection.changed':
      case 'problem':
        return true;
    }
  }

  #started({ turnId, cause }: EventOf<'turn.started'>): boolean {
    if (!this.#isOwnTurn(turnId, cause)) return false;
    this.#hasStarted = true;
    this.#turn = cause;
    return true;
  }

  #ended({ turnId, cause, outcome }: EventOf<'turn.ended'>): boolean {
    if (!this.#isOwnTurn(turnId, cause)) return false;
    this.#turn = undefined;
    this.#outcome = outcome;
    if (cause.kind === 'completion') this.#open.delete(cause.groupId);
    else this.#isAnswered = true;
    this.#endIfOver();
    return true;
  }

  #accepted({ group: { groupId, sessionId } }: EventOf<'group.accepted'>): boolean {
    if (!this.#isTurnOf(sessionId)) return false;
    this.#groups.add(groupId);
    this.#open.add(groupId);
    return true;
  }

  /** A group that a call waited for has no turn of its own; any other is dealt with in the turn that runs. */
  #delivered(groupId: string): boolean {
    if (this.#turn?.kind !== 'completion' || this.#turn.groupId !== groupId) this.#open.delete(groupId);
    this.#endIfOver();
    return this.#groups.has(groupId);
  }

  #endIfOver(): void {
    if (this.#isAnswered && this.#turn === undefined && this.#open.size === 0) this.#over.resolve();
  }

  #isOwnTurn(turnId: string, cause: TurnCause): boolean {
    switch (cause.kind) {
      case 'user':
        return turnId === this.#turnId;
      case 'completion':
        return this.#groups.has(cause.groupId);
      // It would have been sent without the request, too.
      case 'scheduled':
        return false;
    }
  }

  #isOwn(agent: AgentRef): boolean {
    return agent.kind === 'root' ? this.#isTurnOf(agent.sessionId) : this.#groups.has(agent.groupId);
  }

  /** Turns of one conversation run one after the other, so what happens in it now is of the turn that runs. */
  #isTurnOf(sessionId: string): boolean {
    return this.#turn !== undefined && sessionId === this.#sessionId;
  }
}
