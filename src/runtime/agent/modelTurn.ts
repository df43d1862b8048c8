import { isRetry } from '../base/abort.ts';
import { waitFor } from '../base/clock.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { AssistantMessage, StopReason } from '../domain/messages.ts';
import type { ModelError, ModelProvider, ModelRef, ModelRequest } from '../domain/models.ts';
import { addUsage, NO_USAGE, totalTokens, type OverBudget, type Usage } from '../domain/usage.ts';
import { costOf } from './cost.ts';
import { streamAnswer, type Answer, type SpokenDelta, type StreamEnd } from './modelStream.ts';
import { isPassing, judgeFailure } from './retryPolicy.ts';
import { nextWait, type FailedTry, type Wait } from './retryWait.ts';
import type { RunTiming } from './timing.ts';

export interface TurnOptions {
  readonly provider: ModelProvider;
  readonly agent: AgentRef;
  readonly publish: Publish;
  readonly timing: RunTiming;
  /** Whose tokens they are. Without a price there is no cost. */
  readonly model?: Pick<ModelRef, 'price'>;
  /** See `LoopOptions`; asked before each try. */
  readonly overBudget?: OverBudget;
  /** Ids of calls that a new one must not have, besides those in the request. */
  readonly usedIds?: ReadonlySet<string>;
  /** A person wants the first try at once, whatever the provider has asked for. Default false. */
  readonly isUrgent?: boolean;
  /** Called once with a request that is too long for the model, and with the provider's words. Absent: that ends the turn. */
  readonly shorten?: (request: ModelRequest, words: string) => Promise<Fitted>;
}

/** A request that fits the model's window, or how the turn ends without one. */
export type Fitted = { readonly kind: 'request'; readonly request: ModelRequest } | { readonly kind: 'end'; readonly end: StreamEnd };

export interface ModelTurn {
  /** What the model said, as far as it came. */
  readonly message: AssistantMessage;
  /** Of all tries together. */
  readonly usage: Usage;
  /** Why the model wasn't asked any more: the budget is used up. */
  readonly overBudget?: string;
  /** Present when `message.stop` is `error`, and where more is known of a `context`. */
  readonly error?: ModelError;
  /** What was sent last, and what that alone used. */
  readonly request: ModelRequest;
  readonly lastUsage: Usage;
}

const NO_ANSWER: Pick<Answer, 'parts' | 'usage'> = { parts: [], usage: NO_USAGE };

/** A turn that ended before anything was sent. */
export function unasked(request: ModelRequest, { stop, error }: StreamEnd): ModelTurn {
  return { message: { role: 'assistant', content: [], stop }, ...(error && { error }), request, usage: NO_USAGE, lastUsage: NO_USAGE };
}

/** Whether a person stopped the turn so that the model is asked again. An answer that was whole by then counts. */
export function isRetried({ message, request }: Pick<ModelTurn, 'message' | 'request'>): boolean {
  return message.stop === 'aborted' && isRetry(request.signal);
}

/** Whether a turn ended because its request, or request and answer together, are longer than the model's window. */
export function isTooLong(stop: StopReason, error?: ModelError): boolean {
  return stop === 'context' || error?.failure === 'context';
}

/**
 * One model turn: asks until an answer comes, a failure doesn't pass, or the tries are used up, publishing the deltas.
 * What a try said that failed and is followed by another is discarded. Rejects only as `shorten` does.
 */
export async function runModelTurn(first: ModelRequest, options: TurnOptions): Promise<ModelTurn> {
  const { provider, agent, publish, timing, model, overBudget, usedIds, isUrgent = false, shorten } = options;
  const { clock, retry, limits } = timing;
  const cooldown = timing.cooldowns.of(provider);
  const onDelta = ({ type, text }: SpokenDelta): void => publish({ type: type === 'text' ? 'text.delta' : 'thinking.delta', agent, text });
  let request = first;
  let usage = NO_USAGE;
  const spent = (): Usage => (model?.price && totalTokens(usage) > 0 ? { ...usage, cost: costOf(usage, model.price) } : usage);
  const ended = ({ parts, usage: lastUsage }: Pick<Answer, 'parts' | 'usage'>, end: StreamEnd): ModelTurn => {
    const all = spent();
    const message: AssistantMessage = { role: 'assistant', content: parts, stop: end.stop, ...(end.verbatim && { verbatim: end.verbatim }) };
    const again = isRetried({ message, request });
    if (again && saidSomething({ parts })) publish({ type: 'text.discarded', agent });
    publish({ type: 'model.ended', agent, stop: end.stop, usage: all, ...(again && { isRetried: true }) });
    return { message, usage: all, ...(end.error && { error: end.error }), request, lastUsage };
  };

  let failed: FailedTry | undefined;
  let canShorten = shorten !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    const pause = (): Wait | undefined => (isUrgent && attempt === 1 ? undefined : nextWait({ failed, cooldown, clock, retry }));
    for (let wait = pause(); wait; wait = pause()) {
      const { failure, message } = wait.error;
      publish({ type: 'retry.scheduled', agent, attempt, until: clock.now() + wait.ms, failure, message });
      if (!(await waitFor(clock, wait.ms, request.signal))) return ended(NO_ANSWER, { type: 'end', stop: 'aborted' });
    }
    const used = overBudget?.(spent());
    if (used !== undefined) return { ...ended(NO_ANSWER, { type: 'end', stop: 'aborted' }), overBudget: used };
    const answer = await streamAnswer(provider, request, { clock, idleMs: limits.streamIdleMs, onDelta, ...(usedIds && { usedIds }) });
    const { end } = answer;
    usage = addUsage(usage, usageOf(answer, end.stop === 'aborted' && isRetry(request.signal)));
    if (shorten && canShorten && isTooLong(end.stop, end.error)) {
      canShorten = false;
      const shorter = await shorten(request, end.error?.message ?? '');
      if (shorter.kind === 'end') return ended(answer, shorter.end);
      request = shorter.request;
      failed = undefined;
      if (saidSomething(answer)) publish({ type: 'text.discarded', agent });
      continue;
    }
    if (end.stop !== 'error' || end.error === undefined) return ended(answer, end);
    const verdict = judgeFailure(end.error, attempt, retry);
    if (verdict.coolMs > 0) cooldown.start(verdict.coolMs, end.error);
    // Whoever stopped the run has usually broken the stream too.
    if (isPassing(end.error.failure) && request.signal.aborted) return ended(answer, { type: 'end', stop: 'aborted' });
    if (verdict.kind === 'give_up') return ended(answer, { ...end, error: verdict.error });
    failed = { error: end.error, nextAt: clock.elapsed() + verdict.delayMs };
    if (saidSomething(answer)) publish({ type: 'text.discarded', agent });
  }
}

/** No answer takes no tokens: a provider that tells of none doesn't count them. One that was stopped may take more than it told by then. */
function usageOf({ parts, usage }: Answer, wasStopped: boolean): Usage {
  return wasStopped || (parts.length > 0 && totalTokens(usage) === 0) ? { ...usage, isPartial: true } : usage;
}

/** Calls aren't told before they run. */
function saidSomething({ parts }: Pick<Answer, 'parts'>): boolean {
  return parts.some(({ type }) => type !== 'tool_call');
}
