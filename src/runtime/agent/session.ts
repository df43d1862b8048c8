import type { AgentRef, RunOutcome } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { Message, ToolCallPart, ToolResultPart, UserMessage } from '../domain/messages.ts';
import type { ModelProvider } from '../domain/models.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import type { TranscriptWriter } from '../domain/transcripts.ts';
import { finalAnswer, openResults } from './conversation.ts';
import { runLoop } from './loop.ts';

/** What one run of a session works with; asked for anew at each run, so that settings count from the next one on. */
export interface RunSetup {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly maxTurns: number;
  /** Model turns of this run that came before an interruption; they count towards `maxTurns`. Default 0. */
  readonly turnsTaken?: number;
  /** See `ModelRequest.reminder`; asked for at each model turn. */
  readonly reminder?: () => string | undefined;
  readonly runTools: (calls: readonly ToolCallPart[], signal: AbortSignal) => Promise<readonly ToolResultPart[]>;
}

/**
 * The conversation of one agent, root or child, and its transcript. One run at a time: its owner sees to that.
 */
export class AgentSession {
  readonly agent: AgentRef;
  readonly #messages: Message[];
  readonly #transcript: TranscriptWriter;
  readonly #publish: Publish;

  constructor(agent: AgentRef, transcript: TranscriptWriter, publish: Publish, history: readonly Message[] = []) {
    this.agent = agent;
    this.#transcript = transcript;
    this.#publish = publish;
    this.#messages = [...history];
  }

  /**
   * Adds the message and runs the loop to its end. Rejects only when the transcript can't be written: what isn't
   * kept must not be acted on.
   */
  async run(message: UserMessage, setup: RunSetup, signal: AbortSignal): Promise<RunOutcome> {
    await this.add(message);
    return this.#loop(setup, signal);
  }

  /**
   * Runs the loop on the conversation as it stands: open calls get their results first, as interrupted; a final answer
   * that is already there is the outcome, without a model call. Rejects as `run`.
   */
  async resume(setup: RunSetup, signal: AbortSignal): Promise<RunOutcome> {
    const last = this.#messages.at(-1);
    const answer = finalAnswer(last);
    if (answer !== undefined) return { status: 'completed', text: answer };
    const missing = openResults(last);
    if (missing) await this.#append(missing);
    return this.#loop(setup, signal);
  }

  #loop(setup: RunSetup, signal: AbortSignal): Promise<RunOutcome> {
    return runLoop(this.#messages, {
      agent: this.agent,
      provider: setup.provider,
      model: setup.model,
      system: setup.system,
      tools: setup.tools,
      maxTurns: setup.maxTurns,
      turnsTaken: setup.turnsTaken ?? 0,
      ...(setup.reminder && { reminder: setup.reminder }),
      signal,
      publish: this.#publish,
      runTools: (calls) => setup.runTools(calls, signal),
      append: (next) => this.#append(next),
    });
  }

  /** Adds a message without a run; the next one reads it. */
  async add(message: UserMessage): Promise<void> {
    // Where the results of the last calls could not be kept, the run ended right there.
    const missing = openResults(this.#messages.at(-1));
    if (missing) await this.#append(missing);
    await this.#append(message);
  }

  async #append(message: Message): Promise<void> {
    await this.#transcript.append({ type: 'message', at: Date.now(), message });
    this.#messages.push(message);
  }
}
