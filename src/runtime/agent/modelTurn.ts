import { waitFor } from '../base/clock.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { AssistantMessage, AssistantPart } from '../domain/messages.ts';
import type { ModelError, ModelProvider, ModelRef, ModelRequest } from '../domain/models.ts';
import { addUsage, NO_USAGE, totalTokens, type Usage } from '../domain/usage.ts';
import { costOf } from './cost.ts';
import { streamAnswer, type Answer, type SpokenDelta, type StreamEnd } from './modelStream.ts';
import { isPassing, judgeFailure } from './retryPolicy.ts';
import { nextWait, type FailedTry } from './retryWait.ts';
import type { RunTiming } from './timing.ts';

export interface TurnOptions {
  readonly provider: ModelProvider;
  readonly agent: AgentRef;
  readonly publish: Publish;
  readonly timing: RunTiming;
  /** Whose tokens they are. Without a price there is no cost. */
  readonly model?: Pick<ModelRef, 'price'>;
  /** See `LoopOptions`; asked before each try. */
  readonly overBudget?: () => string | undefined;
}

export interface ModelTurn {
  /** What the model said, as far as it came. */
  readonly message: AssistantMessage;
  /** Of all tries together. */
  readonly usage: Usage;
  /** Why the model wasn't asked any more: the budget is used up. */
  readonly overBudget?: string;
  /** Present when `message.stop` is `error` or `context`. */
  readonly error?: ModelError;
}

/**
 * One model turn: asks until an answer comes, a failure doesn't pass, or the tries are used up, publishing the deltas.
 * What a try said that failed and is followed by another is discarded. Never throws.
 */
export async function runModelTurn(request: ModelRequest, options: TurnOptions): Promise<ModelTurn> {
  const { provider, agent, publish, timing, model, overBudget } = options;
  const { clock, retry, limits } = timing;
  const cooldown = timing.cooldowns.of(provider);
  const onDelta = ({ type, text }: SpokenDelta): void => publish({ type: type === 'text' ? 'text.delta' : 'thinking.delta', agent, text });
  let usage = NO_USAGE;
  const ended = (parts: readonly AssistantPart[], end: StreamEnd): ModelTurn => {
    const spent = model?.price && totalTokens(usage) > 0 ? { ...usage, cost: costOf(usage, model.price) } : usage;
    publish({ type: 'model.ended', agent, stop: end.stop, usage: spent });
    const message: AssistantMessage = { role: 'assistant', content: parts, stop: end.stop, ...(end.verbatim && { verbatim: end.verbatim }) };
    return { message, usage: spent, ...(end.error && { error: end.error }) };
  };

  let failed: FailedTry | undefined;
  for (let attempt = 1; ; attempt += 1) {
    for (let wait = nextWait({ failed, cooldown, clock, retry }); wait; wait = nextWait({ failed, cooldown, clock, retry })) {
      const { failure, message } = wait.error;
      publish({ type: 'retry.scheduled', agent, attempt, until: clock.now() + wait.ms, failure, message });
      if (!(await waitFor(clock, wait.ms, request.signal))) return ended([], { type: 'end', stop: 'aborted' });
    }
    const used = overBudget?.();
    if (used !== undefined) return { ...ended([], { type: 'end', stop: 'aborted' }), overBudget: used };
    const answer = await streamAnswer(provider, request, { clock, idleMs: limits.streamIdleMs, onDelta });
    usage = addUsage(usage, usageOf(answer));
    const { parts, end } = answer;
    if (end.stop !== 'error' || end.error === undefined) return ended(parts, end);
    const verdict = judgeFailure(end.error, attempt, retry);
    if (verdict.coolMs > 0) cooldown.start(verdict.coolMs, end.error);
    // Whoever stopped the run has usually broken the stream too.
    if (isPassing(end.error.failure) && request.signal.aborted) return ended(parts, { type: 'end', stop: 'aborted' });
    if (verdict.kind === 'give_up') return ended(parts, { ...end, error: verdict.error });
    failed = { error: end.error, nextAt: clock.elapsed() + verdict.delayMs };
    if (saidSomething(answer)) publish({ type: 'text.discarded', agent });
  }
}

/** No answer takes no tokens: a provider that tells of none doesn't count them. */
function usageOf({ parts, usage }: Answer): Usage {
  return parts.length > 0 && totalTokens(usage) === 0 ? { ...usage, isPartial: true } : usage;
}

/** Calls aren't told before they run. */
function saidSomething({ parts }: Answer): boolean {
  return parts.some(({ type }) => type !== 'tool_call');
}
