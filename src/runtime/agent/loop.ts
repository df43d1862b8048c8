import { isInterruption } from '../base/abort.ts';
import { failureOf, type AgentRef, type FailureReason, type RunOutcome } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import { textOf, toolCallsOf, type AssistantMessage, type Message, type StopReason, type ToolCallPart, type ToolResultPart, type UserSource } from '../domain/messages.ts';
import type { ModelProvider, ModelRef, ModelRequest, ToolSchema } from '../domain/models.ts';
import { addUsage, type OverBudget, type Usage } from '../domain/usage.ts';
import type { AnswerForm } from './answerForm.ts';
import { ContextKeeper, type ContextOptions } from './context/keeper.ts';
import { finalAnswer } from './conversation.ts';
import { isRetried, type ModelTurn } from './modelTurn.ts';
import { timeoutOf } from './runClock.ts';
import { interruptedResult } from './stoppedCall.ts';
import type { RunTiming } from './timing.ts';

export interface LoopOptions {
  readonly agent: AgentRef;
  readonly provider: ModelProvider;
  readonly timing: RunTiming;
  readonly model: ModelRef;
  readonly system: string;
  /** Asked for at each model turn. */
  readonly tools: () => readonly ToolSchema[];
  /** Model turns; `Infinity` for no limit. */
  readonly maxTurns: number;
  /** How many of them an earlier part of the same run has had; default 0. */
  readonly turnsTaken?: number;
  readonly reminder?: () => string | undefined;
  /** Why no further model turn may be taken, in a sentence; nothing while one may. Asked before and after each turn. */
  readonly overBudget?: OverBudget;
  /** Its reason tells a time limit (see `timeoutOf`) from a cancel. */
  readonly signal: AbortSignal;
  readonly publish: Publish;
  /** Runs the calls of one turn: exactly one result for each, in their order, whatever happens. */
  readonly runTools: (calls: readonly ToolCallPart[]) => Promise<readonly ToolResultPart[]>;
  /** Takes a model turn under a signal that aborts with the run's, or with `RETRY` where the turn is to be taken anew. Default: under the run's. */
  readonly step?: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Adds what was said to the agent meanwhile; whether there was anything. Where there was nothing, and it `isLast`, nothing can be said to it any more. */
  readonly deliver?: (isLast?: boolean) => Promise<boolean>;
  /** What the answer must be; absent: any text. */
  readonly form?: AnswerForm;
  /** Keeps a message, and what it took to get it. It is kept before anything that follows from it happens. */
  readonly append: (message: Message, usage?: Usage) => Promise<void>;
  /** What keeps `conversation` within the model's window. */
  readonly context: ContextOptions;
}

/**
 * Model turn, tool calls, results, until the model stops calling, a limit, a failure or the signal. `conversation`
 * holds the messages so far; it grows through `append`, and changes through `context.replace` only. One that ends with an answer already asks the model only
 * where that isn't in the form that is wanted. However it ends, each call in it has its result, so that the
 * conversation can go on later.
 */
export async function runLoop(conversation: readonly Message[], options: LoopOptions): Promise<RunOutcome> {
  const { maxTurns, turnsTaken = 0, form } = options;
  const refusal = await form?.refusal();
  if (refusal) return refusal;
  const answer = finalAnswer(conversation.at(-1));
  const end = answer === undefined ? undefined : await settled({ status: 'completed', text: answer }, turnsTaken < maxTurns, options);
  return end ?? takeTurns(conversation, options);
}

async function takeTurns(conversation: readonly Message[], options: LoopOptions): Promise<RunOutcome> {
  const { maxTurns, turnsTaken = 0, signal, step: take = (work) => work(signal) } = options;
  const context = new ContextKeeper(options.model, options.context, options);
  let lastText = lastTextOf(conversation);
  let turn = turnsTaken + 1;
  /** What the tries at the present turn used that a person stopped; absent where none was. */
  let stopped: Usage | undefined;
  for (;;) {
    if (signal.aborted) return stoppedBy(signal, lastText);
    if (turn > maxTurns) return failed('max_turns', MAX_TURNS, lastText);
    await options.deliver?.();
    const used = options.overBudget?.();
    if (used !== undefined) return failed('budget', used, lastText);
    const answer = await take((stepSignal) => context.ask(requestOf(conversation, { ...options, signal: stepSignal }), stopped !== undefined));
    const usage = stopped === undefined ? answer.usage : addUsage(stopped, answer.usage);
    if (isRetried(answer) && !signal.aborted) {
      stopped = usage;
      continue;
    }
    stopped = undefined;
    lastText = textOf(answer.message.content).trim() || lastText;
    if (answer.message.content.length > 0) await options.append(answer.message, usage);

    const step = nextStep(answer, turn >= maxTurns, lastText, options);
    const calls = toolCallsOf(answer.message);
    if (step.kind === 'tools') {
      await options.append({ role: 'tool', results: await options.runTools(calls) });
    } else if (calls.length > 0) {
      await options.append({ role: 'tool', results: calls.map((call) => notRun(call, step, signal)) });
    }
    const end = step.kind === 'end' ? await settled(step.outcome, turn < maxTurns, options) : undefined;
    if (end) return end;
    turn += 1;
  }
}

/** What the end comes to; nothing where the model goes on, because of what was said to it, or to give its answer another form. */
async function settled(outcome: RunOutcome, hasTurns: boolean, { deliver, form, append, overBudget }: LoopOptions): Promise<RunOutcome | undefined> {
  const canGoOn = hasTurns && overBudget?.() === undefined;
  // What was said to it while it gave its answer deserves another one.
  if (outcome.status === 'completed' && canGoOn && (await deliver?.()) === true) return undefined;
  const judged = await form?.judge(outcome, canGoOn);
  if (judged?.kind === 'repair') {
    await append(judged.message);
    return undefined;
  }
  const end = judged?.outcome ?? outcome;
  return end.status === 'completed' && canGoOn && (await deliver?.(true)) === true ? undefined : end;
}

function requestOf(messages: readonly Message[], { model, system, tools, signal, reminder }: LoopOptions): ModelRequest {
  const text = reminder?.();
  const { reasoningEffort, maxOutputTokens, temperature, topP } = model;
  return {
    model: model.model,
    ...(reasoningEffort && { reasoningEffort }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    system,
    messages,
    tools: tools(),
    signal,
    ...(text && { reminder: text }),
  };
}

type Step = { readonly kind: 'tools' } | { readonly kind: 'again' } | { readonly kind: 'end'; readonly outcome: RunOutcome };

function nextStep({ message, error, overBudget }: ModelTurn, isLast: boolean, lastText: string, options: LoopOptions): Step {
  const end = (outcome: RunOutcome): Step => ({ kind: 'end', outcome });
  if (overBudget !== undefined) return end(failed('budget', overBudget, lastText));
  switch (message.stop) {
    case 'aborted':
      return end(stoppedBy(options.signal, lastText));
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
      if (goesOn && isLast) return end(failed('max_turns', MAX_TURNS, lastText));
      const used = goesOn ? options.overBudget?.() : undefined;
      if (used !== undefined) return end(failed('budget', used, lastText));
      if (toolCallsOf(message).length > 0) return { kind: 'tools' };
      return goesOn ? { kind: 'again' } : end(answered(message, lastText));
    }
  }
}

function answered(message: AssistantMessage, lastText: string): RunOutcome {
  const text = textOf(message.content).trim();
  return text ? { status: 'completed', text } : failed('no_text', 'The model stopped without a final text.', lastText);
}

/** What was said last in the part of a run that is already in the conversation. */
function lastTextOf(conversation: readonly Message[]): string {
  const since = conversation.slice(conversation.findLastIndex((message) => message.role === 'user' && BEGINS[message.source]) + 1);
  return since.map((message) => (message.role === 'assistant' ? textOf(message.content).trim() : '')).findLast((text) => text !== '') ?? '';
}

/** Whether a message of that source is what a run works on. */
const BEGINS: Readonly<Record<UserSource, boolean>> = { user: true, completion: true, steering: false, repair: false, summary: false };

const MAX_TURNS = 'Subagent reached max turns';
const STOPPED: Record<Extract<StopReason, 'max_tokens' | 'refusal' | 'filtered' | 'context'>, string> = {
  max_tokens: 'The answer was cut off at the output limit of the model.',
  refusal: 'The model refused to answer.',
  filtered: 'The answer was removed by the content filter of the provider.',
  context: 'The conversation no longer fits the context window of the model.',
};

function failed(reason: FailureReason, message: string, partialText: string): RunOutcome {
  return { status: 'failed', reason, message, ...(partialText && { partialText }) };
}

/** A run that its signal ended: by a time limit, or because somebody wanted it. */
function stoppedBy(signal: AbortSignal, partialText: string): RunOutcome {
  const timeout = timeoutOf(signal);
  if (timeout !== undefined) return failed('timeout', timeout, partialText);
  return { status: 'cancelled', ...(partialText && { partialText }) };
}

function notRun(call: ToolCallPart, step: Step, signal: AbortSignal): ToolResultPart {
  if (isInterruption(signal)) return interruptedResult(call, 'nothing');
  const why = step.kind === 'end' && step.outcome.status === 'failed' ? step.outcome.message : 'Cancelled.';
  return { callId: call.id, name: call.name, isError: true, content: [{ type: 'text', text: `Not run. ${why}` }] };
}
