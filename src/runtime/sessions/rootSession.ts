import type { AgentServices } from '../agent/services.ts';
import { isLatest, type TurnMark } from '../agent/conversation.ts';
import { checkRequest } from '../agent/requestChecks.ts';
import { AgentSession, type RunSetup } from '../agent/session.ts';
import { abortError, INTERRUPTION } from '../base/abort.ts';
import { deferred, Serial } from '../base/async.ts';
import { AppError, errorText } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { GroupSpec, RunOutcome } from '../domain/agents.ts';
import type { TurnCause } from '../domain/events.ts';
import type { CompletionTurn, LiteSession, RootOptions, TaskInput } from '../domain/liteAgent.ts';
import { textMessage, type Message } from '../domain/messages.ts';
import type { TranscriptWriter } from '../domain/transcripts.ts';
import { completionsAfter } from './completions.ts';

export interface RootSessionOptions {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly services: AgentServices;
  readonly history: readonly Message[];
  readonly turns: readonly TurnMark[];
  /** Asked for at each turn, with what counts for it alone. */
  readonly setup: (request: RootOptions | undefined) => Promise<RunSetup>;
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
  readonly #marks: TurnMark[];
  #running: AbortController | undefined;
  /** What counts for the turn that runs now instead of the agent's options. */
  #request: RootOptions | undefined;
  /** The same, for the turns on the results of groups. */
  readonly #remembered = new Map<string, RootOptions>();

  constructor(options: RootSessionOptions) {
    this.sessionId = options.sessionId;
    this.cwd = options.cwd;
    this.#marks = [...options.turns];
    this.#options = options;
    this.#transcript = options.services.transcripts.writer(options.sessionId);
    const agent = { kind: 'root', sessionId: options.sessionId } as const;
    this.#session = new AgentSession(agent, this.#transcript, options.services.publish, options.history);
  }

  async send(prompt: string, { signal, turnId, root }: NonNullable<Parameters<LiteSession['send']>[1]> = {}): Promise<RunOutcome> {
    if (typeof prompt !== 'string' || prompt.trim() === '') throw new AppError('invalid_input', 'The message is empty. Write what you want done.');
    if (root) checkRequest(root);
    return this.#turn({ kind: 'user' }, turnId, signal, (stop) => this.#answer((setup) => this.#session.run(textMessage(prompt), setup, stop), root));
  }

  /**
   * Gives the root the turn on which it hears what a group came to. Resolves, before the root answers, once the message
   * is kept; rejects where it can't be, or with `closed`.
   */
  complete(groupId: string, text: string): Promise<void> {
    const kept = deferred<void>();
    const turn = this.#turn({ kind: 'completion', groupId }, undefined, undefined, async (stop) => {
      await this.#session.add(textMessage(text, 'completion'));
      kept.resolve();
      const request = this.#remembered.get(groupId);
      this.#remembered.delete(groupId);
      return this.#answer((setup) => this.#session.resume(setup, stop), request);
    });
    // A turn that ended without keeping it was dropped because the session closes.
    void turn.then(() => kept.reject(closedError()), (error: unknown) => kept.reject(error));
    return kept.promise;
  }

  async delegate(tasks: readonly TaskInput[], { turnId }: { readonly turnId?: string } = {}): Promise<GroupSpec> {
    let group: GroupSpec | undefined;
    await this.#turn({ kind: 'user' }, turnId, undefined, async () => {
      group = await this.#options.dispatch(tasks);
      return this.#note(delegatedText(group));
    });
    if (!group) throw abortError();
    return group;
  }

  /** What was asked for the turn that runs now. */
  get request(): RootOptions | undefined {
    return this.#request;
  }

  /** Keeps what was asked for a turn that started a group, for the turn on its results. Forgotten with this process. */
  remember(groupId: string, request: RootOptions): void {
    this.#remembered.set(groupId, request);
  }

  /** Whether a message that follows that turn goes on with this conversation. */
  isAt(turnId: string): boolean {
    return isLatest(this.#marks, turnId);
  }

  stop(): void {
    this.#running?.abort();
  }

  async completionsAfter(turnId: string): Promise<readonly CompletionTurn[]> {
    // What is being said is no part of it yet.
    return completionsAfter(await this.#options.services.transcripts.read(this.sessionId), turnId);
  }

  /** Stops the running turn, drops the waiting ones, and waits for both. */
  async close(): Promise<void> {
    this.#closing.abort(INTERRUPTION);
    await this.#turns.idle();
  }

  /** The group runs by now: that the conversation can't be told of it is no reason to say that it doesn't. */
  async #note(text: string): Promise<RunOutcome> {
    try {
      await this.#session.add(textMessage(text));
    } catch (error) {
      this.#options.services.publish({ type: 'problem', message: `The conversation could not be told of a group: ${errorText(error)}` });
    }
    return { status: 'completed', text };
  }

  /** A turn of the model. What keeps it from running at all is its failure. */
  async #answer(run: (setup: RunSetup) => Promise<RunOutcome>, request?: RootOptions): Promise<RunOutcome> {
    this.#request = request;
    try {
      return await run(await this.#options.setup(request));
    } catch (error) {
      return failedTurn(error);
    } finally {
      this.#request = undefined;
    }
  }

  /** Waits for its place, marks the turn in the transcript, and tells of its start and end. What the work throws is thrown on. */
  async #turn(cause: TurnCause, turnId = newTurnId(), signal: AbortSignal | undefined, work: (stop: AbortSignal) => Promise<RunOutcome>): Promise<RunOutcome> {
    this.#assertOpen();
    return this.#turns.run(async () => {
      const running = new AbortController();
      const stop = AbortSignal.any([running.signal, this.#closing.signal, ...(signal ? [signal] : [])]);
      if (stop.aborted) return { status: 'cancelled' };
      const { publish } = this.#options.services;
      const head = { sessionId: this.sessionId, turnId, cause };
      this.#running = running;
      this.#marks.push({ turnId, cause });
      publish({ type: 'turn.started', ...head });
      let outcome: RunOutcome | undefined;
      try {
        await this.#transcript.append({ type: 'turn', at: Date.now(), turnId, cause });
        outcome = await work(stop);
        return outcome;
      } catch (error) {
        outcome = failedTurn(error);
        throw error;
      } finally {
        this.#running = undefined;
        publish({ type: 'turn.ended', ...head, outcome: outcome ?? { status: 'cancelled' } });
      }
    });
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw closedError();
  }
}

/** How the conversation tells of a group that the user started past the model. */
function delegatedText({ groupId, children }: GroupSpec): string {
  return `I started a group of subagents myself (${groupId}): ${children.map(({ displayName }) => displayName).join(', ')}. Its results come as a message of their own.`;
}

function failedTurn(error: unknown): RunOutcome {
  return { status: 'failed', reason: 'error', message: errorText(error) };
}

function closedError(): AppError {
  return new AppError('closed', 'This agent was closed.');
}

function newTurnId(): string {
  return `turn-${randomId()}`;
}
