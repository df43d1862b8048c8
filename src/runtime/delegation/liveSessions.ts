import type { AgentSession } from '../agent/session.ts';

/** The sessions of the children that run now, so that something can be said to them. */
export class LiveSessions {
  readonly #sessions = new Map<string, AgentSession>();

  add(agentId: string, session: AgentSession): void {
    this.#sessions.set(agentId, session);
  }

  remove(agentId: string): void {
    this.#sessions.delete(agentId);
  }

  /** See `AgentSession.tell`. False where the child has no session now. */
  tell(agentId: string, text: string): boolean {
    const session = this.#sessions.get(agentId);
    session?.tell(text);
    return session !== undefined;
  }
}
