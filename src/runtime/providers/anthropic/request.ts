import type { Anthropic } from '@anthropic-ai/sdk';
import { wireName } from '../../base/wireNames.ts';
import { toolCallsOf, type AssistantMessage, type ContentPart, type Message, type ToolCallPart, type ToolResultPart, type UserMessage } from '../../domain/messages.ts';
import type { ModelRequest, ToolSchema } from '../../domain/models.ts';
import { restoreAnswer, type Reader } from '../verbatim.ts';
import { argumentsObject, hasText, NO_OUTPUT, NO_TEXT, safeText, wireId } from '../wireText.ts';
import { isThinkingBlock } from './blocks.ts';

const DEFAULT_MAX_TOKENS = 8192;
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
/** Turns of the user whose end is a cache breakpoint. With the system prompt's and the tools' that makes four, as many as are allowed. */
const CACHED_TURNS = 2;

type Block = Anthropic.ContentBlockParam;
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/** The body of a Messages request. `reader` says whose verbatim parts are sent along. */
export function anthropicBody(request: ModelRequest, reader: Reader): Anthropic.MessageCreateParamsStreaming {
  const { model, system, tools, reasoningEffort, maxOutputTokens = DEFAULT_MAX_TOKENS, temperature, topP } = request;
  return {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    ...(hasText(system) && { system: [{ type: 'text', text: safeText(system), cache_control: { type: 'ephemeral' } }] }),
    messages: messagesOf(request, reader),
    ...(tools.length > 0 ? { tools: tools.map((tool, index) => toolOf(tool, index === tools.length - 1)) } : pastTools(request.messages)),
    ...(reasoningEffort && { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: reasoningEffort } }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

function messagesOf({ messages, reminder }: ModelRequest, reader: Reader): Turn[] {
  const turns = alternating(messages.map((message) => turnOf(message, reader)));
  const users = turns.filter(({ role }) => role === 'user');
  for (const turn of users.slice(-CACHED_TURNS)) setBreakpoint(turn.content);
  if (reminder && hasText(reminder)) users.at(-1)?.content.push({ type: 'text', text: safeText(reminder) });
  return turns;
}

/** Joins neighbours of one role; an answer with nothing to send is left out. */
function alternating(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    if (turn.content.length === 0) continue;
    const last = joined.at(-1);
    if (last?.role === turn.role) last.content.push(...turn.content);
    else joined.push(turn);
  }
  return joined[0]?.role === 'user' ? joined : [{ role: 'user', content: [{ type: 'text', text: NO_TEXT }] }, ...joined];
}

function turnOf(message: Message, reader: Reader): Turn {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userBlocks(message) };
    case 'assistant':
      return { role: 'assistant', content: assistantBlocks(message, reader) };
    case 'tool':
      return { role: 'user', content: message.results.map(resultBlock) };
  }
}

function userBlocks({ content }: UserMessage): Block[] {
  const blocks = contentBlocks(content);
  return blocks.length > 0 ? blocks : [{ type: 'text', text: NO_TEXT }];
}

function assistantBlocks(message: AssistantMessage, reader: Reader): Block[] {
  const restored = restoreAnswer(message, reader, isThinkingBlock);
  const blocks = restored
    ? restored.flatMap((piece): Block[] => {
        if (piece.type === 'kept') return [piece.block];
        return piece.type === 'text' ? textBlocks(piece.text) : [callBlock(piece.call)];
      })
    : message.content.flatMap((part): Block[] => {
        if (part.type === 'thinking') return [];
        return part.type === 'text' ? textBlocks(part.text) : [callBlock(part)];
      });
  // A turn must not end with thinking, so what led to nothing that can be sent goes.
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinkingBlock(block)) + 1);
}

function textBlocks(text: string): Anthropic.TextBlockParam[] {
  return hasText(text) ? [{ type: 'text', text: safeText(text) }] : [];
}

function callBlock(call: ToolCallPart): Anthropic.ToolUseBlockParam {
  return { type: 'tool_use', id: wireId(call.id), name: wireName(call.name), input: argumentsObject(call.arguments) };
}

function resultBlock({ callId, content, isError }: ToolResultPart): Anthropic.ToolResultBlockParam {
  const blocks = contentBlocks(content);
  return {
    type: 'tool_result',
    tool_use_id: wireId(callId),
    content: blocks.length > 0 ? blocks : [{ type: 'text', text: NO_OUTPUT }],
    ...(isError && { is_error: true }),
  };
}

function contentBlocks(content: readonly ContentPart[]): (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[] {
  return content.flatMap((part): (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[] => {
    if (part.type === 'text') return textBlocks(part.text);
    const type = IMAGE_TYPES.find((known) => known === part.mimeType);
    if (!type) return textBlocks(`(an image of the type ${part.mimeType}, which can't be shown here)`);
    return [{ type: 'image', source: { type: 'base64', media_type: type, data: part.data } }];
  });
}

function setBreakpoint(content: Block[]): void {
  const last = content.at(-1);
  if (last?.type === 'text' || last?.type === 'image' || last?.type === 'tool_result') last.cache_control = { type: 'ephemeral' };
}

/** A conversation with calls is refused without tools, so where none is offered any more the called ones stand there, not to be called. */
function pastTools(messages: readonly Message[]): Pick<Anthropic.MessageCreateParamsStreaming, 'tools' | 'tool_choice'> {
  const names = new Set(messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message).map(({ name }) => wireName(name)) : [])));
  if (names.size === 0) return {};
  return { tools: [...names].map((name) => ({ name, description: 'Not available any more.', input_schema: { type: 'object' } })), tool_choice: { type: 'none' } };
}

function toolOf({ name, description, inputSchema }: ToolSchema, isLast: boolean): Anthropic.Tool {
  return {
    name,
    description: safeText(description),
    input_schema: { ...inputSchema, type: 'object' },
    ...(isLast && { cache_control: { type: 'ephemeral' } }),
  };
}
