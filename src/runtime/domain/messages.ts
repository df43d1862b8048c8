/** The conversation, the same for every provider: what a session keeps, a transcript stores and a request sends. */

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  /** Such as `image/png`. */
  readonly mimeType: string;
  /** The bytes in base64. */
  readonly data: string;
}

export type ContentPart = TextPart | ImagePart;

export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
}

export interface ToolCallPart {
  readonly type: 'tool_call';
  /** Unique within its conversation. */
  readonly id: string;
  readonly name: string;
  /** The arguments exactly as the model wrote them: JSON text, perhaps invalid. */
  readonly arguments: string;
}

export type AssistantPart = TextPart | ThinkingPart | ToolCallPart;

/** Who speaks in a user message: the person, the runtime reporting a group, a steering or review message, the runtime asking for an answer in the form that was wanted, or the runtime summing up what is no longer shown. */
export type UserSource = 'user' | 'completion' | 'steering' | 'repair' | 'summary';

export interface UserMessage {
  readonly role: 'user';
  readonly source: UserSource;
  readonly content: readonly ContentPart[];
  /** The id of what was said to a running child, by which it is delivered once only. Never sent. */
  readonly messageId?: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
  readonly stop: StopReason;
  /** What the model's provider needs back unchanged, replayed to that provider and model only. */
  readonly verbatim?: Verbatim;
}

export interface Verbatim {
  readonly provider: string;
  readonly model: string;
  readonly data: unknown;
}

export interface ToolResultPart {
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
  /** True where rules or a person refused the call. Never sent: the text says it. */
  readonly isDenied?: boolean;
  /** True where the run stopped in the middle because its host did, so that no end of the call is known. Never sent: the text says it. */
  readonly wasInterrupted?: boolean;
  /** The id of a group whose whole results these are. Never sent. */
  readonly delivers?: string;
  /** How long the call took once it was allowed, in milliseconds. Absent where it didn't run. Never sent. */
  readonly durationMs?: number;
}

/** The results of all calls of the assistant message before it, in the order of the calls, one each. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ToolResultPart[];
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

/**
 * How a model's turn ended. `paused`: the provider wants to be called again as is. `context`: the request was
 * longer than the model's window. `aborted` and `error` end the run; all others are the model's own.
 */
export type StopReason = 'stop' | 'tool_calls' | 'max_tokens' | 'refusal' | 'filtered' | 'context' | 'paused' | 'aborted' | 'error';

/** How a conversation was made shorter: old results cleared, or older turns summarised as well. Tokens of the whole request, estimated. */
export interface Compaction {
  readonly how: 'cleared' | 'summarised';
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
}

export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter((part) => part.type === 'tool_call');
}

export function textMessage(text: string, source: UserSource = 'user'): UserMessage {
  return { role: 'user', source, content: [{ type: 'text', text }] };
}
