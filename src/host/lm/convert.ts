import type { AssistantPart, ContentPart, Message, ToolResultPart } from '../../runtime/domain/messages.ts';

/** A message as VS Code hands it to a model provider. Parts are told apart by their fields, since future kinds may come. */
export interface ChatMessage {
  readonly role: number;
  readonly content: readonly unknown[];
}

/** What the conversation is for a provider of the runtime. */
export interface Conversation {
  readonly system: string;
  readonly messages: readonly Message[];
}

/** Values of `LanguageModelChatMessageRole`; anything else is the undeclared system role. */
const USER = 1;
const ASSISTANT = 2;

/** Converts VS Code's messages. Parts of an unknown kind are left out. */
export function fromChatMessages(given: readonly ChatMessage[]): Conversation {
  const names = new Map<string, string>();
  const system: string[] = [];
  const messages = given.flatMap((message): readonly Message[] => {
    if (message.role === USER) return fromUser(message.content, names);
    if (message.role === ASSISTANT) return fromAssistant(message.content, names);
    system.push(...message.content.filter(isText).map((part) => part.value));
    return [];
  });
  return { system: system.join('\n\n'), messages };
}

/** Results come in the user's message there, and in one of their own here, before what the user says. */
function fromUser(parts: readonly unknown[], names: ReadonlyMap<string, string>): readonly Message[] {
  const results = parts.filter(isToolResult).map(
    (part): ToolResultPart => ({ callId: part.callId, name: names.get(part.callId) ?? '', content: part.content.flatMap(fromContent), isError: false }),
  );
  const content = parts.flatMap(fromContent);
  return [
    ...(results.length > 0 ? [{ role: 'tool', results } as const] : []),
    ...(content.length > 0 ? [{ role: 'user', source: 'user', content } as const] : []),
  ];
}

function fromAssistant(parts: readonly unknown[], names: Map<string, string>): readonly Message[] {
  const content = parts.flatMap((part): readonly AssistantPart[] => {
    if (isText(part)) return [{ type: 'text', text: part.value }];
    if (!isToolCall(part)) return [];
    names.set(part.callId, part.name);
    return [{ type: 'tool_call', id: part.callId, name: part.name, arguments: JSON.stringify(part.input ?? {}) }];
  });
  if (content.length === 0) return [];
  return [{ role: 'assistant', content, stop: content.some((part) => part.type === 'tool_call') ? 'tool_calls' : 'stop' }];
}

function fromContent(part: unknown): readonly ContentPart[] {
  if (isText(part)) return [{ type: 'text', text: part.value }];
  if (!isData(part)) return [];
  if (part.mimeType.startsWith('image/')) return [{ type: 'image', mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') }];
  const readable = part.mimeType.startsWith('text/') || part.mimeType.endsWith('json');
  return readable ? [{ type: 'text', text: Buffer.from(part.data).toString('utf8') }] : [];
}

/** About how many tokens a text or message has: four characters each, and a flat sum for an image. */
export function estimateTokens(text: string | ChatMessage): number {
  if (typeof text === 'string') return Math.ceil(text.length / 4);
  return text.content.reduce<number>((sum, part) => sum + tokensOf(part), 4);
}

const IMAGE_TOKENS = 1000;

function tokensOf(part: unknown): number {
  if (isText(part)) return Math.ceil(part.value.length / 4);
  if (isToolCall(part)) return Math.ceil(JSON.stringify(part.input ?? {}).length / 4);
  if (isToolResult(part)) return part.content.reduce<number>((sum, inner) => sum + tokensOf(inner), 0);
  return isData(part) ? IMAGE_TOKENS : 0;
}

function isText(part: unknown): part is { readonly value: string } {
  return has(part, 'value') && typeof part.value === 'string';
}

function isToolCall(part: unknown): part is { readonly callId: string; readonly name: string; readonly input: object | undefined } {
  return has(part, 'callId') && typeof part.callId === 'string' && has(part, 'name') && typeof part.name === 'string';
}

function isToolResult(part: unknown): part is { readonly callId: string; readonly content: readonly unknown[] } {
  return has(part, 'callId') && typeof part.callId === 'string' && has(part, 'content') && Array.isArray(part.content);
}

function isData(part: unknown): part is { readonly mimeType: string; readonly data: Uint8Array } {
  return has(part, 'mimeType') && typeof part.mimeType === 'string' && has(part, 'data') && part.data instanceof Uint8Array;
}

function has<K extends string>(part: unknown, key: K): part is Readonly<Record<K, unknown>> {
  return typeof part === 'object' && part !== null && key in part;
}
