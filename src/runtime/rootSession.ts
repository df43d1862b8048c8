import type { AgentServices } from './agent/services.ts';
import { AgentSession, type RunSetup } from './agent/session.ts';
import { Serial } from './base/async.ts';
import { AppError, errorText } from './base/errors.ts';
import { randomId } from './base/ids.ts';
import type { GroupSpec, RunOutcome } from './domain/agents.ts';
import type { TurnCause } from './domain/events.ts';
import type { LiteSession, TaskInput } from './domain/liteAgent.ts';
import { textMessage, type Message, type UserMessage } from './domain/messages.ts';
import type { TranscriptWriter } from './domain/transcripts.ts';

export interface RootSessionOptions {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly services: AgentServices;
  readonly history: readonly Message[];
  /** Asked for at each turn. */
  readonly setup: () => RunSetup;
  readonly dispatch: (tasks: readonly TaskInput[]) => Promise<GroupSpec>;
}

/** One conversation of the root agent. Its turns, the user's and those after a group, run one after the other. */
export class RootSession implements LiteSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly #options: RootSessionOptions;
  readonly #transcript: TranscriptWriter;
  readonly #session: AgentSession;
  readonly #turns = new Serial();
  readonly #closing = new AbortController();

  constructor(options: RootSessionOptions) {
    this.sessionId = options.sessionId;
    this.cwd = options.cwd;
    this.#options = options;
    this.#transcript = options.services.transcripts.writer(options.sessionId);
    const agent = { kind: 'root', sessionId: options.sessionId } as const;
    this.#session = new AgentSession(agent, this.#transcript, options.services.publish, options.history);
  }

  send(prompt: string, options: { readonly signal?: AbortSignal; readonly turnId?: string } = {}): Promise<RunOutcome> {
    if (prompt.trim() === '') return Promise.reject(new AppError('invalid_input', 'The message is empty. Write what you want done.'));
    return this.#turn(textMessage(prompt), { kind: 'user' }, options.turnId ?? newTurnId(), options.signal);
  }

  /** Gives the root the turn on which it hears what a group came to. */
  async complete(groupId: string, text: string): Promise<void> {
    await this.#turn(textMessage(text, 'completion'), { kind: 'completion', groupId }, newTurnId());
  }

  async delegate(tasks: readonly TaskInput[]): Promise<GroupSpec> {
    this.#assertOpen();
    return this.#options.dispatch(tasks);
  }

  /** Stops the running turn, drops the waiting ones, and waits for both. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turns.idle();
  }

  async #turn(message: UserMessage, cause: TurnCause, turnId: string, signal?: AbortSignal): Promise<RunOutcome> {
    this.#assertOpen();
    const stop = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    return this.#turns.run(async () => {
      if (stop.aborted) return { status: 'cancelled' };
      const { publish } = this.#options.services;
      const head = { sessionId: this.sessionId, turnId, cause };
      publish({ type: 'turn.started', ...head });
      const outcome = await this.#run(message, turnId, cause, stop);
      publish({ type: 'turn.ended', ...head, outcome });
      return outcome;
    });
  }

  async #run(message: UserMessage, turnId: string, cause: TurnCause, signal: AbortSignal): Promise<RunOutcome> {
    try {
      await this.#transcript.append({ type: 'turn', at: Date.now(), turnId, cause });
      return await this.#session.run(message, this.#options.setup(), signal);
    } catch (error) {
      return { status: 'failed', reason: 'error', message: errorText(error) };
    }
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new AppError('closed', 'This agent was closed.');
  }
}

function newTurnId(): string {
  return `turn-${randomId()}`;
}
