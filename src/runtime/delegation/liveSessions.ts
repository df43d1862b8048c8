import type { AgentSession } from '../agent/session.ts';

/** The sessions of the children that run now, so that something can be said to them and their steps stopped. */
export class LiveSessions {
  readonly #sessions = new Map<string, AgentSession>();

  add(agentId: string, session: AgentSession): void {
    this.#sessions.set(agentId, session);
  }

  /** The child doesn't run any more. */
  remove(agentId: string): void {
    this.#sessions.delete(agentId);
  }

  /** Whether a running child reads nothing more, since it is about to end. One that is just beginning will. */
  isEnding(agentId: string): boolean {
    return this.#sessions.get(agentId)?.isOver === true;
  }

  /** See `AgentSession.retryStep`. False where the child has no session now. */
  retryStep(agentId: string): boolean {
    const session = this.#sessions.get(agentId);
    if (session === undefined || session.isOver) return false;
    session.retryStep();
    return true;
  }
}
