import type { Message, StopReason, Verbatim } from './messages.ts';
import type { JsonSchema } from './tools.ts';
import type { Usage } from './usage.ts';

/** How hard a model thinks before it answers, where it supports that. */
export type ReasoningEffort = 'low' | 'medium' | 'high';

/** OpenAI's two wires: Responses, or the Chat Completions that every compatible server speaks. */
export type OpenAiApi = 'responses' | 'chat';

/** Steps of a model catalog. A tier changes provider, model and effort, and nothing else. */
export const TIERS = ['simple', 'medium', 'complex'] as const;
export type Tier = (typeof TIERS)[number];

/** The models that may be chosen, where a choice is configured. At least one. */
export type ModelCatalog = Readonly<Partial<Record<Tier, ModelRef>>>;

/** US dollars for a million tokens. Cached tokens cost as much as others where no price of their own is given. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** A model of a provider: all that is needed to reach it but the key. `displayName` is for people and never sent. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
  readonly displayName?: string;
  /** Absent: the provider's own address. */
  readonly baseUrl?: string;
  /** Absent: Responses on OpenAI's own address, Chat Completions on any other. */
  readonly api?: OpenAiApi;
  readonly reasoningEffort?: ReasoningEffort;
  /** Tokens of one answer; default 8192. */
  readonly maxOutputTokens?: number;
  /** Tokens of request and answer together; default 128,000. */
  readonly contextWindow?: number;
  /** Not together with `reasoningEffort`, nor is `topP`. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly price?: ModelPrice;
  /** The tier of the catalog that it is. */
  readonly tier?: Tier;
}

/** The provider of the editor's own models. Their `model` is `vendor/id`. */
export const EDITOR_PROVIDER = 'vscode';

/** Whether a text names a model of the editor, as `vendor/id`. */
export function isVendorModel(text: string): boolean {
  return /^[^/]+\/.+$/su.test(text);
}

/** Who offers one of the editor's models; nothing for a model of any other provider. */
export function editorVendor({ provider, model }: Pick<ModelRef, 'provider' | 'model'>): string | undefined {
  return provider === EDITOR_PROVIDER ? model.split('/', 1)[0] : undefined;
}

/** Whether two models share provider, address (or vendor in the editor) and therefore key and limits. */
export function isSameEndpoint(a: ModelRef, b: ModelRef): boolean {
  return a.provider === b.provider && a.baseUrl === b.baseUrl && editorVendor(a) === editorVendor(b);
}

/** A tool as a model sees it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ModelRequest {
  readonly model: string;
  readonly reasoningEffort?: ReasoningEffort;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** How things stand now, for this request only: its last block, after every cache breakpoint, never part of the conversation. */
  readonly reminder?: string;
  readonly signal: AbortSignal;
}

/**
 * Why a provider failed; decides retry and the child's failure reason. `rate_limited`, `overloaded` (503, 529),
 * `server` (409 and any other 5xx), `timeout` (408, an idle stream) and `network` (no connection, or one that broke)
 * pass by themselves; the others don't.
 */
export type ModelFailure = 'auth' | 'quota' | 'rate_limited' | 'overloaded' | 'server' | 'bad_request' | 'context' | 'timeout' | 'network' | 'error';

/** A failure of a model call, as data. `message` names provider, model, status and the provider's words; never a key. */
export interface ModelError {
  readonly failure: ModelFailure;
  readonly message: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** How long the provider asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number;
}

/**
 * What a provider yields. `alive`: something came that says nothing yet, such as a ping, or a part of a tool call's
 * arguments; it keeps the stream from counting as idle. A stream never throws once it has started: the last event is always `end`, also after
 * a failure (`stop: 'error'` with `error`) or an abort (`stop: 'aborted'`).
 */
export type ModelEvent =
  | { readonly type: 'alive' }
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
