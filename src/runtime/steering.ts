import { AppError } from './base/errors.ts';
import { randomId } from './base/ids.ts';
import type { LiveSessions } from './delegation/liveSessions.ts';
import { assertHere, type RunArchive } from './delegation/resumable.ts';
import type { ChildView } from './domain/agents.ts';
import type { Publish } from './domain/events.ts';

/** UTF-16 units of one message to a running subagent. */
export const MAX_MESSAGE = 50_000;

export interface SteeringDeps {
  readonly archive: Pick<RunArchive, 'child' | 'group'>;
  readonly sessions: Pick<LiveSessions, 'isEnding' | 'retryStep'>;
  readonly publish: Publish;
  /** Resolves when all that was published about the group so far is stored. Never rejects. */
  readonly stored: (groupId: string) => Promise<void>;
}

/** What a person does to a child at work, without ending it. */
export class Steering {
  readonly #deps: SteeringDeps;

  constructor(deps: SteeringDeps) {
    this.#deps = deps;
  }

  /** See `LiteAgent.tellChild`. */
  async tell(agentId: string, text: string): Promise<void> {
    const { sessions } = this.#deps;
    const said = text.trim();
    if (said === '') throw new AppError('invalid_input', 'A message needs some text.');
    if (said.length > MAX_MESSAGE) throw new AppError('invalid_input', `A message can have ${MAX_MESSAGE.toLocaleString('en')} characters, and this one has ${said.length.toLocaleString('en')}. Put the rest into a file and name it.`);
    const child = this.#childHere(agentId);
    if (child.status === 'running' && sessions.isEnding(agentId)) throw new AppError('conflict', 'This subagent is just ending and reads nothing more. Resume it with these words in a moment.');
    // One that waits for its turn reads it as it begins.
    if (child.status !== 'queued' && child.status !== 'running') throw new AppError('conflict', 'This subagent does not run any more. Resume it with these words instead.');
    const { sessionId, roundGroupId: groupId, displayName } = child;
    this.#deps.publish({ type: 'message.sent', agent: { kind: 'child', sessionId, groupId, agentId, displayName }, id: `msg-${randomId()}`, text: said });
    // What is said to have been sent must not be lost.
    await this.#deps.stored(groupId);
  }

  /** See `LiteAgent.retryTurn`. */
  async retry(agentId: string): Promise<void> {
    const { status } = this.#childHere(agentId);
    if (status === 'queued') throw new AppError('conflict', 'This subagent waits for its turn: it does nothing yet that could be tried again.');
    if (status !== 'running') throw new AppError('conflict', 'This subagent does not run any more. Resume it instead.');
    if (!this.#deps.sessions.retryStep(agentId)) throw new AppError('conflict', 'This subagent is just starting or ending. Try again in a moment.');
  }

  #childHere(agentId: string): ChildView {
    const { archive } = this.#deps;
    const child = archive.child(agentId);
    if (child === undefined) throw new AppError('not_found', `There is no subagent ${agentId}.`);
    assertHere(archive, child.roundGroupId);
    return child;
  }
}
