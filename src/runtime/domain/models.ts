import type { Message, StopReason, Verbatim } from './messages.ts';
import type { JsonSchema } from './tools.ts';
import type { Usage } from './usage.ts';

/** A model of a provider. `displayName` is for people and never sent. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
  readonly displayName?: string;
}

/** A tool as a model sees it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** How things stand now, for this request only: its last block, after every cache breakpoint, never part of the conversation. */
  readonly reminder?: string;
  readonly signal: AbortSignal;
}

/** Why a provider failed, beyond the general reasons; decides retry and the child's failure reason. */
export type ModelFailure = 'auth' | 'quota' | 'rate_limited' | 'overloaded' | 'bad_request' | 'context' | 'timeout' | 'network' | 'error';

/** A failure of a model call, as data. `message` names provider, model, status and the provider's words; never a key. */
export interface ModelError {
  readonly failure: ModelFailure;
  readonly message: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
}

/**
 * What a provider yields. A stream never throws once it has started: the last event is always `end`, also after
 * a failure (`stop: 'error'` with `error`) or an abort (`stop: 'aborted'`).
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'end'; readonly stop: StopReason; readonly error?: ModelError; readonly verbatim?: Verbatim };

/** A source of model turns. `stream` reads nothing but its request, so one provider serves any number of runs at once. */
export interface ModelProvider {
  readonly id: string;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
