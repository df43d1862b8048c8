import type { Compaction, Message } from '../../domain/messages.ts';
import type { ModelError, ModelRequest } from '../../domain/models.ts';
import type { ModelTurn } from '../modelTurn.ts';
import { clearResults } from './clear.ts';
import { cutResults } from './cut.ts';
import { tokensOfResult } from './estimate.ts';
import { keptBeside, layoutOf } from './layout.ts';
import type { ContextMeter } from './meter.ts';
import { summarise } from './summary.ts';

/** Shares of what messages may have beside system prompt and tools: to what they are brought down, and what parts of them may have. */
const TARGET = 0.6;
const RECENT = 0.3;
const SUMMARY = 0.12;
const BESIDE = 0.1;
/** Older turns with less than this aren't worth a summary. */
const WORTHWHILE = 0.15;
/** Tries at cutting open results to what fits. */
const CUTS = 4;

export interface ReduceOptions {
  readonly meter: ContextMeter;
  /** Messages that the model always sees. */
  readonly task: readonly Message[];
  /** Tokens up to which a request fits. */
  readonly limit: number;
  /** Tokens up to which it is sent although it may not fit; at least `limit`. */
  readonly most: number;
  /** False where a summary was tried and failed: then everything else comes first. */
  readonly prefersSummary: boolean;
  /** Has the model answer a request that is no turn of the agent. */
  readonly ask: (request: ModelRequest) => Promise<ModelTurn>;
}

export type Reduced =
  | ({ readonly kind: 'shorter'; readonly view: readonly Message[]; readonly failure?: SummaryFailure } & Compaction)
  /** `what` doesn't fit, and `tokens` is how long it is. */
  | { readonly kind: 'too_long'; readonly what: 'frame' | 'prompt' | 'conversation'; readonly tokens: number; readonly failure?: SummaryFailure }
  | { readonly kind: 'aborted' };

/** Why there is no summary. `error`: absent where the model answered, but with nothing that can be used. */
export interface SummaryFailure {
  readonly error?: ModelError;
}

/**
 * Makes a conversation shorter until its request fits, or nearly: results that the model was just given are cut where
 * they alone are too long, then old results are cleared, then older turns are summed up. The task, the latest turns and
 * each call with its result stay.
 */
export async function reduce(request: ModelRequest, options: ReduceOptions): Promise<Reduced> {
  const { meter, task, most, prefersSummary, ask } = options;
  const { model, messages } = request;
  const sizeOf = (view: readonly Message[]): number => meter.estimate({ ...request, messages: view });
  const factor = meter.factor(model);
  const frame = sizeOf([]);
  const limit = frame < options.limit ? options.limit : most;
  const space = limit - frame;
  if (space <= 0) return { kind: 'too_long', what: 'frame', tokens: frame };

  const { recent, open } = layoutOf(messages, (space * RECENT) / factor, model);
  const beside = keptBeside(messages.slice(0, recent), task, (space * BESIDE) / factor, model);
  const target = frame + space * TARGET;
  const neededOf = (view: readonly Message[]): number => sizeOf([...beside, ...view.slice(open)]);
  const whole = cutOpen(messages, open, model, neededOf, { limit, target });
  const needed = neededOf(whole);
  if (needed > most) return { kind: 'too_long', what: messages.some(({ role }) => role === 'assistant') ? 'conversation' : 'prompt', tokens: needed };

  const clearAll = (shown: readonly Message[]): readonly Message[] => clearUntil(shown, target, sizeOf, { model, until: layoutOf(shown, 0, model).open, all: true });
  let view = clearUntil(whole, target, sizeOf, { model, until: recent });
  if (!prefersSummary && sizeOf(view) > limit) view = clearAll(view);
  // What is summed up is what the results said, not what is left of them.
  const older = whole.slice(0, recent).filter((message) => !beside.includes(message));
  const isWanted = sizeOf(view) > (prefersSummary ? target : limit) && sizeOf(older) - frame > space * WORTHWHILE;
  const summary = isWanted ? await summarise(older, { request, limit, tokens: Math.floor((space * SUMMARY) / factor), factor, beside, ask }) : undefined;
  if (summary?.kind === 'aborted') return summary;
  const summed = summary?.kind === 'summary' ? [...beside, summary.message, ...view.slice(recent)] : view;
  const how = sizeOf(summed) < sizeOf(view) ? 'summarised' : 'cleared';
  if (how === 'summarised') view = summed;
  if (sizeOf(view) > limit) view = clearAll(view);

  const failure = summary?.kind === 'failed' && { failure: { ...(summary.error && { error: summary.error }) } };
  const tokensAfter = sizeOf(view);
  if (tokensAfter > most) return { kind: 'too_long', what: 'conversation', tokens: tokensAfter, ...failure };
  return { kind: 'shorter', view, how, tokensBefore: sizeOf(messages), tokensAfter, ...failure };
}

type SizeOf = (view: readonly Message[]) => number;

function cutOpen(messages: readonly Message[], open: number, model: string, neededOf: SizeOf, { limit, target }: { readonly limit: number; readonly target: number }): readonly Message[] {
  let view = messages;
  for (let round = 0; round < CUTS && neededOf(view) > limit; round += 1) {
    const results = view.slice(open).reduce((sum, message) => sum + (message.role === 'tool' ? message.results.reduce((all, result) => all + tokensOfResult(result, model), 0) : 0), 0);
    view = cutResults(view, open, results - (neededOf(view) - target), model);
  }
  return view;
}

function clearUntil(messages: readonly Message[], goal: number, sizeOf: SizeOf, options: { readonly model: string; readonly until: number; readonly all?: boolean }): readonly Message[] {
  let view = messages;
  for (let size = sizeOf(view); size > goal; size = sizeOf(view)) {
    const shorter = clearResults(view, { ...options, tokens: size - goal });
    if (shorter === view) break;
    view = shorter;
  }
  return view;
}
