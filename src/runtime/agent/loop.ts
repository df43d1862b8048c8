import { failureOf, type AgentRef, type FailureReason, type RunOutcome } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import { textOf, toolCallsOf, type AssistantMessage, type Message, type StopReason, type ToolCallPart, type ToolResultPart } from '../domain/messages.ts';
import type { ModelProvider, ModelRequest, ToolSchema } from '../domain/models.ts';
import { runModelTurn, type ModelTurn } from './modelTurn.ts';

export interface LoopOptions {
  readonly agent: AgentRef;
  readonly provider: ModelProvider;
  readonly model: string;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  /** Model turns; `Infinity` for no limit. */
  readonly maxTurns: number;
  /** Of `maxTurns`, those that were taken before. Default 0. */
  readonly turnsTaken?: number;
  readonly reminder?: () => string | undefined;
  readonly signal: AbortSignal;
  readonly publish: Publish;
  /** Runs the calls of one turn: exactly one result for each, in their order, whatever happens. */
  readonly runTools: (calls: readonly ToolCallPart[]) => Promise<readonly ToolResultPart[]>;
  /** Keeps a message. It is kept before anything that follows from it happens. */
  readonly append: (message: Message) => Promise<void>;
}

/**
 * Model turn, tool calls, results, until the model stops calling, a limit, a failure or the signal. `conversation`
 * holds the messages so far and grows through `append` only. However it ends, each call in it has its result, so
 * that the conversation can go on later.
 */
export async function runLoop(conversation: readonly Message[], options: LoopOptions): Promise<RunOutcome> {
  let lastText = '';
  for (let turn = (options.turnsTaken ?? 0) + 1; ; turn += 1) {
    if (options.signal.aborted) return cancelled(lastText);
    if (turn > options.maxTurns) return failed('max_turns', 'Subagent reached max turns', lastText);
    const answer = await runModelTurn(options.provider, requestOf(conversation, options), options.agent, options.publish);
    lastText = textOf(answer.message.content).trim() || lastText;
    if (answer.message.content.length > 0) await options.append(answer.message);

    const step = nextStep(answer, turn >= options.maxTurns, lastText);
    const calls = toolCallsOf(answer.message);
    if (step.kind === 'tools') {
      await options.append({ role: 'tool', results: await options.runTools(calls) });
    } else if (calls.length > 0) {
      await options.append({ role: 'tool', results: calls.map((call) => notRun(call, step)) });
    }
    if (step.kind === 'end') return step.outcome;
  }
}

function requestOf(messages: readonly Message[], { model, system, tools, signal, reminder }: LoopOptions): ModelRequest {
  const text = reminder?.();
  return { model, system, messages, tools, signal, ...(text && { reminder: text }) };
}

type Step = { readonly kind: 'tools' } | { readonly kind: 'again' } | { readonly kind: 'end'; readonly outcome: RunOutcome };

function nextStep({ message, error }: ModelTurn, isLast: boolean, lastText: string): Step {
  const end = (outcome: RunOutcome): Step => ({ kind: 'end', outcome });
  switch (message.stop) {
    case 'aborted':
      return end(cancelled(lastText));
    case 'error':
      return end(failed(failureOf(error?.failure ?? 'error'), error?.message ?? 'The model call failed.', lastText));
    case 'max_tokens':
    case 'refusal':
    case 'filtered':
    case 'context':
      return end(failed(message.stop, error?.message ?? STOPPED[message.stop], lastText));
    case 'stop':
    case 'tool_calls':
    case 'paused': {
      const goesOn = message.stop === 'paused' || toolCallsOf(message).length > 0;
      if (goesOn && isLast) return end(failed('max_turns', 'Subagent reached max turns', lastText));
      if (toolCallsOf(message).length > 0) return { kind: 'tools' };
      return goesOn ? { kind: 'again' } : end(answered(message, lastText));
    }
  }
}

function answered(message: AssistantMessage, lastText: string): RunOutcome {
  const text = textOf(message.content).trim();
  return text ? { status: 'completed', text } : failed('no_text', 'The model stopped without a final text.', lastText);
}

const STOPPED: Record<Extract<StopReason, 'max_tokens' | 'refusal' | 'filtered' | 'context'>, string> = {
  max_tokens: 'The answer was cut off at the output limit of the model.',
  refusal: 'The model refused to answer.',
  filtered: 'The answer was removed by the content filter of the provider.',
  context: 'The conversation no longer fits the context window of the model.',
};

function failed(reason: FailureReason, message: string, partialText: string): RunOutcome {
  return { status: 'failed', reason, message, ...(partialText && { partialText }) };
}

function cancelled(partialText: string): RunOutcome {
  return { status: 'cancelled', ...(partialText && { partialText }) };
}

function notRun(call: ToolCallPart, step: Step): ToolResultPart {
  const why = step.kind === 'end' && step.outcome.status === 'failed' ? step.outcome.message : 'Cancelled.';
  return { callId: call.id, name: call.name, isError: true, content: [{ type: 'text', text: `Not run. ${why}` }] };
}
