import type { AgentServices } from '../agent/services.ts';
import { isLatest, type TurnMark } from '../agent/conversation.ts';
import { checkRequest } from '../agent/requestChecks.ts';
import { AgentSession, type RunSetup, type SessionHistory } from '../agent/session.ts';
import { abortError, INTERRUPTION, onAbort } from '../base/abort.ts';
import { deferred, Serial } from '../base/async.ts';
import { AppError, errorText } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { completionText, type CompletionOptions } from '../delegation/completionText.ts';
import type { SettledGroup } from '../delegation/groupRun.ts';
import { GroupWait } from '../delegation/groupWait.ts';
import type { GroupResults, GroupSpec, RunOutcome, StartedGroup } from '../domain/agents.ts';
import type { TurnCause } from '../domain/events.ts';
import type { LiteSession, OwnTurn, RootOptions, TaskAuthor, TaskInput } from '../domain/liteAgent.ts';
import { textMessage } from '../domain/messages.ts';
import type { ScheduledPrompt } from '../domain/services.ts';
import type { TranscriptWriter } from '../domain/transcripts.ts';
import { resultsOf } from './handedOver.ts';
import { ownTurnsAfter } from './ownTurns.ts';
import { scheduledCause, scheduledReminder } from './scheduledTurn.ts';

export interface RootSessionOptions {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly services: AgentServices;
  readonly history: SessionHistory;
  readonly turns: readonly TurnMark[];
  /** Throws `invalid_input` for a request that makes no sense. */
  readonly check: (request: RootOptions) => void;
  /** Asked for at each turn, with what came with its message. */
  readonly setup: (request: RootOptions | undefined) => Promise<RunSetup>;
  readonly dispatch: (call: SessionCall) => Promise<GroupSpec>;
  /** False: the results of groups are kept without a turn of the root. */
  readonly answers: boolean;
}

/** What a session delegates. */
export interface SessionCall {
  readonly tasks: unknown;
  readonly by: TaskAuthor;
  readonly root?: RootOptions | undefined;
  readonly wait?: GroupWait;
}

interface Turn {
  readonly cause: TurnCause;
  readonly turnId?: string;
  readonly signal?: AbortSignal;
  /** Asked for right before it begins; false drops it. Absent: it is wanted. */
  readonly isWanted?: () => Promise<boolean>;
  /** What came with its message. */
  readonly root?: RootOptions;
}

/** One conversation of the root agent. Its turns, the user's and its own, run one after the other. */
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
  /** What counts for the turns on the results of groups instead of the agent's options. */
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

  async send(prompt: string, { root, ...turn }: NonNullable<Parameters<LiteSession['send']>[1]> = {}): Promise<RunOutcome> {
    if (typeof prompt !== 'string' || prompt.trim() === '') throw new AppError('invalid_input', 'The message is empty. Write what you want done.');
    this.#check(root);
    return this.#turn({ cause: { kind: 'user' }, ...turn, ...(root && { root }) }, (stop) => this.#answer((setup) => this.#session.run(textMessage(prompt), setup, stop), root));
  }

  /**
   * Gives the root the turn on which it hears what a group came to. Resolves, before the root answers, once the message
   * is kept; rejects where it can't be, or with `closed`.
   */
  complete(groupId: string, text: string): Promise<void> {
    const kept = deferred<void>();
    const turn = this.#turn({ cause: { kind: 'completion', groupId } }, async (stop) => {
      await this.#session.add(textMessage(text, 'completion'));
      kept.resolve();
      if (!this.#options.answers) return { status: 'completed', text: '' };
      const request = this.#remembered.get(groupId);
      this.#remembered.delete(groupId);
      return this.#answer((setup) => this.#session.resume(setup, stop), request);
    });
    // A turn that ended without keeping it was dropped because the session closes.
    void turn.then(() => kept.reject(closedError()), (error: unknown) => kept.reject(error));
    return kept.promise;
  }

  /**
   * Takes a turn on a scheduled prompt. Resolves, before the root answers, once the prompt is kept, or where it isn't
   * wanted any more when its turn comes; rejects where it can't be kept, or with `closed`.
   */
  scheduled(prompt: ScheduledPrompt, isWanted: () => Promise<boolean>): Promise<void> {
    const kept = deferred<void>();
    const message = textMessage(prompt.prompt);
    const stillWanted = async (): Promise<boolean> => {
      if (await isWanted()) return true;
      kept.resolve();
      return false;
    };
    const turn = this.#turn({ cause: scheduledCause(prompt), isWanted: stillWanted }, async (stop) => {
      await this.#session.add(message);
      kept.resolve();
      return this.#answer((setup) => this.#session.resume({ ...setup, task: [message], reminder: () => scheduledReminder(prompt, setup.reminder?.()) }, stop));
    });
    // A turn that ended without keeping it was dropped because the session closes.
    void turn.then(() => kept.reject(closedError()), (error: unknown) => kept.reject(error));
    return kept.promise;
  }

  async delegate(tasks: readonly TaskInput[], { root, ...turn }: NonNullable<Parameters<LiteSession['delegate']>[1]> = {}): Promise<GroupSpec> {
    this.#check(root);
    let group: GroupSpec | undefined;
    await this.#turn({ cause: { kind: 'user' }, ...turn, ...(root && { root }) }, async () => {
      group = await this.#options.dispatch({ tasks, by: 'person', root });
      return this.#note(delegatedText(group));
    });
    if (!group) throw abortError();
    return group;
  }

  async start(tasks: unknown, { by = 'person' }: { readonly by?: TaskAuthor } = {}): Promise<StartedGroup> {
    this.#assertOpen();
    const wait = new GroupWait();
    const listening = onAbort(this.#closing.signal, () => wait.giveUp());
    try {
      const group = await this.#options.dispatch({ tasks, by, wait });
      const results = this.#handOver(wait).finally(() => listening.dispose());
      // Not everybody who starts a group waits for it.
      results.catch(() => undefined);
      return { group, results };
    } catch (error) {
      listening.dispose();
      throw error;
    }
  }

  /** Keeps what was asked for a turn that started a group, for the turn on its results; but for the model, which is the conversation's. Forgotten with this process. */
  remember(groupId: string, { rootModel: _, ...request }: RootOptions): void {
    this.#remembered.set(groupId, request);
  }

  /** Whether a message that follows that turn goes on with this conversation. */
  isAt(turnId: string): boolean {
    return isLatest(this.#marks, turnId);
  }

  stop(): void {
    this.#running?.abort();
  }

  async ownTurnsAfter(turnId: string): Promise<readonly OwnTurn[]> {
    // What is being said is no part of it yet.
    return ownTurnsAfter(await this.#options.services.transcripts.read(this.sessionId), turnId);
  }

  /** Stops the running turn, drops the waiting ones, and waits for both. */
  async close(): Promise<void> {
    this.#closing.abort(INTERRUPTION);
    await this.#turns.idle();
  }

  async #handOver(wait: GroupWait): Promise<GroupResults> {
    const settled = await wait.results;
    if (!settled) throw closedError();
    const { transcripts, publish } = this.#options.services;
    const options: CompletionOptions = { transcriptPath: (agentId) => transcripts.pathOf(agentId) };
    const { sessionId, groupId } = settled;
    try {
      await this.#keep(settled, completionText(settled, options));
      publish({ type: 'group.delivered', sessionId, groupId });
    } catch (error) {
      publish({ type: 'problem', message: `The results of ${groupId} could not be kept in their conversation: ${errorText(error)}` });
    }
    return resultsOf(settled, options);
  }

  /** As a completion's turn in which nobody answers, and of which nobody has to hear: the results are with whoever waited. */
  async #keep({ groupId }: SettledGroup, text: string): Promise<void> {
    await this.#turns.run(async () => {
      const mark: TurnMark = { turnId: newTurnId(), cause: { kind: 'completion', groupId } };
      this.#marks.push(mark);
      await this.#transcript.append({ type: 'turn', at: Date.now(), ...mark });
      await this.#session.add(textMessage(text, 'completion'));
    });
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
    try {
      return await run(await this.#options.setup(request));
    } catch (error) {
      return failedTurn(error);
    }
  }

  /** Waits for its place, marks the turn in the transcript, and tells of its start and end. What the work throws is thrown on. */
  async #turn({ cause, turnId = newTurnId(), signal, isWanted, root }: Turn, work: (stop: AbortSignal) => Promise<RunOutcome>): Promise<RunOutcome> {
    this.#assertOpen();
    return this.#turns.run(async () => {
      const running = new AbortController();
      const stop = AbortSignal.any([running.signal, this.#closing.signal, ...(signal ? [signal] : [])]);
      if ((isWanted && !stop.aborted && !(await isWanted())) || stop.aborted) return { status: 'cancelled' };
      const { publish } = this.#options.services;
      const head = { sessionId: this.sessionId, turnId, cause };
      this.#running = running;
      this.#marks.push({ turnId, cause });
      publish({ type: 'turn.started', ...head });
      let outcome: RunOutcome | undefined;
      try {
        await this.#transcript.append({ type: 'turn', at: Date.now(), turnId, cause, ...(root?.rootModel !== undefined && { rootModel: root.rootModel }) });
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

  /** Throws `invalid_input` for what makes no sense in a request. */
  #check(request: RootOptions | undefined): void {
    if (!request) return;
    checkRequest(request);
    this.#options.check(request);
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
