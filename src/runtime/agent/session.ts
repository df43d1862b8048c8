import { AppError } from '../base/errors.ts';
import type { AgentRef, RunOutcome, UnreadMessage } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import { textMessage, type Compaction, type Message, type ToolCallPart, type ToolResultPart, type UserMessage } from '../domain/messages.ts';
import type { ModelProvider, ModelRef, ToolSchema } from '../domain/models.ts';
import type { TranscriptWriter } from '../domain/transcripts.ts';
import type { OverBudget, Usage } from '../domain/usage.ts';
import type { AnswerForm } from './answerForm.ts';
import { ContextMeter } from './context/meter.ts';
import { storeView } from './context/storedView.ts';
import { finalAnswer, openResults } from './conversation.ts';
import { runLoop } from './loop.ts';
import { callIds } from './modelStream.ts';
import { RunClock } from './runClock.ts';
import { StepClock, type CallClock } from './stepClock.ts';
import { Steps } from './steps.ts';
import type { RunTiming } from './timing.ts';

/** What one run of a session works with; asked for anew at each run, so that settings count from the next one on. */
export interface RunSetup {
  readonly provider: ModelProvider;
  readonly model: ModelRef;
  readonly system: string;
  /** Asked for at each model turn. */
  readonly tools: () => readonly ToolSchema[];
  readonly maxTurns: number;
  /** Model turns that an interrupted run has had before it goes on; default 0. */
  readonly turnsTaken?: number;
  readonly timing: RunTiming;
  /** Messages of the conversation that the model always sees, besides the one that it is run with. */
  readonly task?: readonly Message[];
  /** What the answer must be; absent: any text. One for each run. */
  readonly form?: AnswerForm;
  /** See `ModelRequest.reminder`; asked for at each model turn. */
  readonly reminder?: () => string | undefined;
  /** See `LoopOptions`. */
  readonly overBudget?: OverBudget;
  readonly runTools: (calls: readonly ToolCallPart[], clock: CallClock) => Promise<readonly ToolResultPart[]>;
}

/** A conversation from which a session goes on. */
export interface SessionHistory {
  readonly messages: readonly Message[];
  /** What the model sees of it. */
  readonly view: readonly Message[];
}

/**
 * The conversation of one agent, root or child, and its transcript. One run at a time: its owner sees to that.
 */
export class AgentSession {
  readonly agent: AgentRef;
  /** Everything that was said. */
  readonly #messages: Message[];
  /** What the model sees of it: all, until that grows too long. */
  readonly #view: Message[];
  readonly #callIds: Set<string>;
  readonly #meter = new ContextMeter();
  readonly #transcript: TranscriptWriter;
  readonly #publish: Publish;
  readonly #unread: () => readonly UnreadMessage[];
  /** Of the run that is under way. */
  #steps: Steps | undefined;
  #isOver = false;

  /** `unread`: what was said to it and not told as delivered yet, oldest first; default nothing, ever. */
  constructor(agent: AgentRef, transcript: TranscriptWriter, publish: Publish, history: SessionHistory = { messages: [], view: [] }, unread: () => readonly UnreadMessage[] = () => []) {
    this.agent = agent;
    this.#transcript = transcript;
    this.#publish = publish;
    this.#unread = unread;
    this.#messages = [...history.messages];
    this.#view = [...history.view];
    this.#callIds = new Set(callIds(history.messages));
  }

  /**
   * Adds the message and runs the loop to its end. Rejects only when the transcript can't be written: what isn't
   * kept must not be acted on.
   */
  async run(message: UserMessage, setup: RunSetup, signal: AbortSignal): Promise<RunOutcome> {
    // What it was told in an earlier run, and didn't come to read, was said before this.
    if (this.#messages.length > 0 && this.#unread().length > 0) {
      await this.#close();
      await this.#deliver();
    }
    await this.add(message);
    return this.#loop({ ...setup, task: [...(setup.task ?? []), message] }, signal);
  }

  /**
   * Goes on with a run that was interrupted, from wherever its conversation stops: calls without results get theirs,
   * and one that had only its end left to tell doesn't ask the model. Rejects as `run`, and with
   * `invalid_input` for a conversation without any message.
   */
  async resume(setup: RunSetup, signal: AbortSignal): Promise<RunOutcome> {
    const last = this.#view.at(-1);
    if (!last) throw new AppError('invalid_input', 'There is nothing to go on with: the conversation is empty. Run it with its prompt.');
    const missing = openResults(last);
    if (missing) await this.#append(missing);
    else if (isCutOff(last)) await this.#append(textMessage(GO_ON, 'steering'));
    return this.#loop(setup, signal);
  }

  async #loop(setup: RunSetup, signal: AbortSignal): Promise<RunOutcome> {
    const clock = new RunClock(setup.timing, signal);
    const steps = new Steps(clock.signal);
    this.#steps = steps;
    this.#isOver = false;
    try {
      return await runLoop(this.#view, {
        agent: this.agent,
        provider: setup.provider,
        timing: setup.timing,
        model: setup.model,
        system: setup.system,
        tools: setup.tools,
        maxTurns: setup.maxTurns,
        ...(setup.turnsTaken !== undefined && { turnsTaken: setup.turnsTaken }),
        ...(setup.form && { form: setup.form }),
        ...(setup.reminder && { reminder: setup.reminder }),
        ...(setup.overBudget && { overBudget: setup.overBudget }),
        signal: clock.signal,
        publish: this.#publish,
        runTools: (calls) => steps.take((stepSignal) => setup.runTools(calls, new StepClock(clock, stepSignal))),
        step: (work) => steps.take(work),
        deliver: (isLast) => this.#deliver(isLast),
        append: (next, usage) => this.#append(next, usage),
        context: { meter: this.#meter, task: setup.task ?? [], callIds: this.#callIds, replace: (view, compaction) => this.#replace(view, compaction) },
      });
    } finally {
      this.#isOver = true;
      this.#steps = undefined;
      clock.dispose();
    }
  }

  /** Adds a message without a run; the next one reads it. */
  async add(message: UserMessage): Promise<void> {
    await this.#close();
    await this.#append(message);
  }

  /** Whether its run has ended, or is about to, and reads nothing more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Stops the model call or the tool calls that are under way, and lets the run go on without them. Does nothing where none is. */
  retryStep(): void {
    this.#steps?.retry();
  }

  /** Where the results of the last calls could not be kept, the run ended right there. */
  async #close(): Promise<void> {
    const missing = openResults(this.#view.at(-1));
    if (missing) await this.#append(missing);
  }

  /** Between finding nothing and being over, nothing can be said to it. */
  async #deliver(isLast = false): Promise<boolean> {
    const unread = this.#unread();
    if (unread.length === 0) {
      this.#isOver = isLast;
      return false;
    }
    for (const { id, text } of unread) {
      // Its host may have died after it was kept, and before that was told.
      if (!this.#hasHeard(id)) await this.#append({ ...textMessage(text, 'steering'), messageId: id });
      this.#publish({ type: 'message.delivered', agent: this.agent, id, text });
    }
    return true;
  }

  #hasHeard(id: string): boolean {
    return this.#messages.some((message) => message.role === 'user' && message.messageId === id);
  }

  async #append(message: Message, usage?: Usage): Promise<void> {
    await this.#transcript.append({ type: 'message', at: Date.now(), message, ...(usage && { usage }) });
    this.#messages.push(message);
    this.#view.push(message);
    for (const id of callIds([message])) this.#callIds.add(id);
    this.#tellDelivered(message);
  }

  async #replace(view: readonly Message[], compaction: Compaction): Promise<void> {
    await this.#transcript.append({ type: 'compacted', at: Date.now(), ...compaction, view: storeView(view, this.#messages) });
    // Not spread into one call: of very many messages that overflows the stack.
    this.#view.length = 0;
    for (const message of view) this.#view.push(message);
  }

  /** Results of a group that a call waited for stand in the conversation now: no message of their own follows. */
  #tellDelivered(message: Message): void {
    if (message.role !== 'tool') return;
    const { sessionId } = this.agent;
    for (const { delivers } of message.results) {
      if (delivers !== undefined) this.#publish({ type: 'group.delivered', sessionId, groupId: delivers });
    }
  }
}

/** Not every provider takes a conversation that ends with half an answer, but for one that paused. */
function isCutOff(message: Message): boolean {
  return message.role === 'assistant' && message.stop !== 'paused' && finalAnswer(message) === undefined;
}

const GO_ON = 'You were interrupted here. Go on from where you stopped.';
