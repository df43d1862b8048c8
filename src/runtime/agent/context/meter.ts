import type { Message } from '../../domain/messages.ts';
import { isSameEndpoint, type ModelRef, type ModelRequest } from '../../domain/models.ts';
import { totalTokens, type Usage } from '../../domain/usage.ts';
import { tokensOfFrame, tokensOfMessage } from './estimate.ts';

/** The parts of a request that a model counts. */
export type Measured = Pick<ModelRequest, 'model' | 'system' | 'tools' | 'reminder' | 'messages'>;

/** The last request whose size its provider told. */
interface Sample {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly known: ReadonlySet<Message>;
  /** Tokens of its frame, estimated. */
  readonly frame: number;
  /** Tokens of the whole, as the provider counted. */
  readonly counted: number;
  /** How many tokens the provider counts for an estimated one. */
  readonly ratio: number;
}

/** Counts outside of these say nothing: some servers report none, or only what wasn't cached. */
const CREDIBLE = { min: 0.4, max: 4 };
/** What is left of a request may be denser than what went. */
const CAUTION = 1.1;

/**
 * How long the requests of one conversation are, in tokens: estimated, and corrected by what the provider counted for
 * the last one. Errs on the long side. Costs next to nothing where only the end of the conversation is new.
 */
export class ContextMeter {
  #sample: Sample | undefined;
  #refused: { readonly model: ModelRef; readonly limit: number } | undefined;

  estimate(request: Measured): number {
    const { model, messages } = request;
    const frame = tokensOfFrame(request);
    const sample = this.#sample?.model === model ? this.#sample : undefined;
    if (!sample) return frame + sum(messages, model);
    if (beginsWith(messages, sample.messages)) {
      const added = sum(messages.slice(sample.messages.length), model) + Math.max(0, frame - sample.frame);
      return Math.ceil(sample.counted + added * this.factor(model));
    }
    const old = frame + sum(messages.filter((message) => sample.known.has(message)), model);
    const added = sum(messages.filter((message) => !sample.known.has(message)), model);
    return Math.ceil(old * sample.ratio * CAUTION + added * this.factor(model));
  }

  /** How many tokens, rather too many, the model counts for an estimated one of text that it wasn't sent yet; at least 1. */
  factor(model: string): number {
    return this.#sample?.model === model ? Math.max(1, this.#sample.ratio * CAUTION) : 1;
  }

  /** Takes note of what the provider counted for a request that it answered. */
  heard(request: Measured, usage: Usage): void {
    const counted = totalTokens(usage) - usage.output;
    const frame = tokensOfFrame(request);
    const ratio = counted / (frame + sum(request.messages, request.model));
    if (!(ratio >= CREDIBLE.min && ratio <= CREDIBLE.max)) return;
    const messages = [...request.messages];
    this.#sample = { model: request.model, messages, known: new Set(messages), frame, counted, ratio };
  }

  /** Remembers that requests to the model must stay under that many tokens from now on. */
  limit(model: ModelRef, limit: number): void {
    this.#refused = { model, limit: Math.min(limit, this.limitOf(model)) };
  }

  /** What was learned of the model's limit; `Infinity` for nothing. */
  limitOf(model: ModelRef): number {
    return this.#refused && isSameModel(this.#refused.model, model) ? this.#refused.limit : Infinity;
  }
}

/** Servers give models of one name windows of their own. */
function isSameModel(a: ModelRef, b: ModelRef): boolean {
  return isSameEndpoint(a, b) && a.model === b.model;
}

function sum(messages: readonly Message[], model: string): number {
  return messages.reduce((total, message) => total + tokensOfMessage(message, model), 0);
}

function beginsWith(messages: readonly Message[], start: readonly Message[]): boolean {
  return messages.length >= start.length && start.every((message, index) => messages[index] === message);
}
