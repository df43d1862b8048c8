import type { Publish } from '../../domain/events.ts';
import type { Compaction, Message } from '../../domain/messages.ts';
import type { ModelRef, ModelRequest } from '../../domain/models.ts';
import { addUsage, NO_USAGE } from '../../domain/usage.ts';
import { isTooLong, runModelTurn, unasked, type Fitted, type ModelTurn, type TurnOptions } from '../modelTurn.ts';
import type { ContextMeter } from './meter.ts';
import { reduce, type Reduced } from './reduce.ts';
import { answerLimit, limitAfterRefusal, roomOf } from './room.ts';

/** A request longer than its room by estimate is sent all the same where it is no longer than this: estimates are long. */
const DOUBT = 1.25;
/** What was refused once is sent again only where it is that much shorter. */
const SHORTER = 0.9;
/** What is said of a refusal that came in the middle of an answer. */
const NO_WORDS = 'The conversation no longer fits the context window of the model.';
const ADVICE = 'Give it a smaller task, or a model with a larger context window.';

/** What a run knows of its conversation. */
export interface ContextOptions {
  /** Knows how long its requests are; best one for all runs of a conversation. */
  readonly meter: ContextMeter;
  /** Messages that the model always sees, whatever else is cleared or summed up. */
  readonly task: readonly Message[];
  /** Ids of all calls so far, also of those that the model no longer sees. */
  readonly callIds: ReadonlySet<string>;
  /** Keeps the shorter conversation, and lets the run go on with it. Rejects where it can't be kept. */
  readonly replace: (view: readonly Message[], compaction: Compaction) => Promise<void>;
}

/** Sees to it that the requests of a run fit the window of its model. */
export class ContextKeeper {
  readonly #model: ModelRef;
  readonly #context: ContextOptions;
  readonly #turn: TurnOptions;
  #prefersSummary = true;
  /** What the summaries of the present turn used. */
  #summaries = NO_USAGE;
  #isUrgent = false;

  constructor(model: ModelRef, context: ContextOptions, { provider, agent, publish, timing, overBudget }: TurnOptions) {
    this.#model = model;
    this.#context = context;
    this.#turn = { provider, agent, publish, timing, model, ...(overBudget && { overBudget }) };
  }

  /**
   * One model turn on the conversation, which is shortened before where it nears the window, and once more where the
   * provider finds it too long. One that can't be shortened ends as `context`. Rejects as `replace` does.
   * @param isUrgent see `TurnOptions`
   */
  async ask(request: ModelRequest, isUrgent = false): Promise<ModelTurn> {
    const { meter, callIds } = this.#context;
    const maxOutputTokens = answerLimit(this.#model);
    this.#summaries = NO_USAGE;
    this.#isUrgent = isUrgent;
    const fitted = await this.#fit({ ...request, ...(maxOutputTokens !== undefined && { maxOutputTokens }) });
    if (fitted.kind === 'end') return this.#complete(unasked(request, fitted.end));
    const answer = await runModelTurn(fitted.request, { ...this.#turn, isUrgent, usedIds: callIds, shorten: (refused, words) => this.#shorten(refused, words) });
    meter.heard(answer.request, answer.lastUsage);
    return this.#complete(answer);
  }

  /** The turn with what its summaries used, and with the budget as its end where that kept one from being asked for. */
  #complete(turn: ModelTurn): ModelTurn {
    const wasStopped = turn.message.stop === 'aborted' && !turn.request.signal.aborted;
    const overBudget = turn.overBudget ?? (wasStopped ? this.#turn.overBudget?.() : undefined);
    return { ...advised(turn), usage: addUsage(turn.usage, this.#summaries), ...(overBudget !== undefined && { overBudget }) };
  }

  async #fit(request: ModelRequest): Promise<Fitted> {
    const { meter } = this.#context;
    const { window, answer, limit } = roomOf(this.#model);
    const learned = meter.limitOf(this.#model);
    if (meter.estimate(request) <= Math.min(limit, learned)) return { kind: 'request', request };
    return this.#reduce(request, Math.min(limit, learned), Math.min((window - answer) * DOUBT, learned * DOUBT));
  }

  async #shorten(request: ModelRequest, words: string): Promise<Fitted> {
    const { meter } = this.#context;
    const size = meter.estimate(request);
    meter.limit(this.#model, limitAfterRefusal(words, size, this.#model));
    const limit = meter.limitOf(this.#model);
    const shorter = await this.#reduce(request, limit, Math.max(limit, size * SHORTER));
    // What the provider counted is no estimate.
    return shorter.kind === 'end' && shorter.end.stop === 'context' ? { kind: 'end', end: { ...shorter.end, error: { failure: 'context', message: `${words || NO_WORDS} It can't be made short enough.` } } } : shorter;
  }

  async #reduce(request: ModelRequest, limit: number, most: number): Promise<Fitted> {
    const { meter, task, replace } = this.#context;
    const { agent, publish } = this.#turn;
    const reduced = await reduce(request, { meter, task, limit, most, prefersSummary: this.#prefersSummary, ask: (asked) => this.#askForSummary(asked) });
    if (reduced.kind !== 'aborted' && reduced.failure) this.#prefersSummary = false;
    if (reduced.kind === 'shorter' && reduced.how === 'summarised') this.#prefersSummary = true;
    switch (reduced.kind) {
      case 'aborted':
        return { kind: 'end', end: { type: 'end', stop: 'aborted' } };
      case 'too_long':
        return { kind: 'end', end: this.#endOf(reduced, most) };
      case 'shorter': {
        const { view, how, tokensBefore, tokensAfter } = reduced;
        if (view === request.messages) return { kind: 'request', request };
        await replace(view, { how, tokensBefore, tokensAfter });
        publish({ type: 'context.compacted', agent, how, tokensBefore, tokensAfter });
        return { kind: 'request', request: { ...request, messages: view } };
      }
    }
  }

  async #askForSummary(request: ModelRequest): Promise<ModelTurn> {
    const summary = await runModelTurn(request, { ...this.#turn, isUrgent: this.#isUrgent, publish: quiet(this.#turn.publish) });
    this.#summaries = addUsage(this.#summaries, summary.usage);
    return summary;
  }

  #endOf({ what, tokens, failure }: Extract<Reduced, { kind: 'too_long' }>, most: number): Extract<Fitted, { kind: 'end' }>['end'] {
    const { displayName, model } = this.#model;
    const size = `about ${round(tokens)} tokens, where ${displayName ?? model} takes about ${round(most)}`;
    // What kept it from being summed up is what its reader can do something about.
    if (failure?.error && failure.error.failure !== 'context') return { type: 'end', stop: 'error', error: { ...failure.error, message: `The conversation grew too long and could not be summed up. ${failure.error.message}` } };
    return { type: 'end', stop: 'context', error: { failure: 'context', message: TOO_LONG[what](size) } };
  }
}

const TOO_LONG: Readonly<Record<Extract<Reduced, { kind: 'too_long' }>['what'], (size: string) => string>> = {
  frame: (size) => `The system prompt and the tools alone are too long for the model's context window: ${size}. Offer fewer tools.`,
  prompt: (size) => `The prompt is too long for the model's context window: ${size}. Shorten it, and name files instead of quoting them.`,
  conversation: (size) => `The conversation no longer fits the context window of the model, and can't be made short enough: ${size}.`,
};

/** The turn with what its reader can do where it was too long. */
function advised(turn: ModelTurn): ModelTurn {
  if (!turn.error || !isTooLong(turn.message.stop, turn.error)) return turn;
  return { ...turn, error: { ...turn.error, message: `${turn.error.message} ${ADVICE}` } };
}

function round(tokens: number): string {
  return Math.round(tokens).toLocaleString('en');
}

/** What a summary says is no text of the agent, and its end none of its turns. */
function quiet(publish: Publish): Publish {
  return (event) => {
    if (event.type === 'text.delta' || event.type === 'thinking.delta' || event.type === 'text.discarded') return;
    publish(event.type === 'model.ended' ? { ...event, isSummary: true } : event);
  };
}
