import type { OpenAI } from 'openai';
import { wireName } from '../../base/wireNames.ts';
import type { AssistantMessage, ContentPart, Message, ToolMessage } from '../../domain/messages.ts';
import type { ModelRequest, ToolSchema } from '../../domain/models.ts';
import { toolCallsOf, textOf } from '../../domain/messages.ts';
import { restoreAnswer, type Reader } from '../verbatim.ts';
import { argumentsText, dataUrl, hasText, imagesOf, NO_OUTPUT, NO_TEXT, safeText, textsOf, wireId } from '../wireText.ts';
import { isThinkingField } from './thinkingField.ts';

const DEFAULT_MAX_TOKENS = 8192;

type Param = OpenAI.Chat.ChatCompletionMessageParam;
type UserPart = OpenAI.Chat.ChatCompletionContentPartText | OpenAI.Chat.ChatCompletionContentPartImage;

/** The body of a Chat Completions request. `isOwn`: for OpenAI itself, whose models want another name for the limit. */
export function chatBody(request: ModelRequest, reader: Reader, isOwn: boolean): OpenAI.Chat.ChatCompletionCreateParamsStreaming {
  const { model, system, messages, tools, reminder, reasoningEffort, maxOutputTokens = DEFAULT_MAX_TOKENS, temperature, topP } = request;
  const own = messages.flatMap((message) => paramsOf(message, reader));
  const turns = alternating(reminder && hasText(reminder) ? [...own, { role: 'user', content: safeText(reminder) }] : own);
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(isOwn ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }),
    messages: [...(hasText(system) ? [{ role: 'system', content: safeText(system) } as const] : []), ...turns],
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

function paramsOf(message: Message, reader: Reader): Param[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }];
    case 'assistant':
      return answerParams(message, reader);
    case 'tool':
      return resultParams(message);
  }
}

/** Text alone goes as text: many servers can't read a list of parts. */
function userContent(content: readonly ContentPart[]): string | UserPart[] {
  if (imagesOf(content).length === 0) return textsOf(content).join('\n\n') || NO_TEXT;
  return content.flatMap((part): UserPart[] => {
    if (part.type === 'image') return [imagePart(part)];
    return hasText(part.text) ? [{ type: 'text', text: safeText(part.text) }] : [];
  });
}

function imagePart(image: Extract<ContentPart, { type: 'image' }>): UserPart {
  return { type: 'image_url', image_url: { url: dataUrl(image) } };
}

function answerParams(message: AssistantMessage, reader: Reader): Param[] {
  const text = textOf(message.content);
  const calls = toolCallsOf(message);
  if (!hasText(text) && calls.length === 0) return [];
  const field = restoreAnswer(message, reader, isThinkingField)?.find(({ type }) => type === 'kept');
  const thinking = message.content.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
  return [
    {
      role: 'assistant',
      content: hasText(text) ? safeText(text) : null,
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({ id: wireId(call.id), type: 'function' as const, function: { name: wireName(call.name), arguments: argumentsText(call.arguments) } })),
      }),
      // Some servers refuse a call whose thinking doesn't come back under the name that they gave it.
      ...(field?.type === 'kept' && thinking && { [field.block.field]: safeText(thinking) }),
    },
  ];
}

/** Results can't hold images here: those follow in a message of the user, after the last result. */
function resultParams({ results }: ToolMessage): Param[] {
  const shown = results.flatMap(({ callId, content }): UserPart[] => {
    const images = imagesOf(content);
    return images.length > 0 ? [{ type: 'text', text: `Images in the result of the call ${wireId(callId)}:` }, ...images.map(imagePart)] : [];
  });
  return [
    ...results.map(({ callId, content, isError }): Param => {
      const text = textsOf(content).join('\n') || (imagesOf(content).length > 0 ? '(the image follows)' : NO_OUTPUT);
      return { role: 'tool', tool_call_id: wireId(callId), content: isError ? `Error: ${text}` : text };
    }),
    ...(shown.length > 0 ? [{ role: 'user', content: shown } as const] : []),
  ];
}

/** Joins neighbours of one role: the templates of many local models refuse two in a row, and a start that isn't the user's. */
function alternating(params: readonly Param[]): Param[] {
  const joined: Param[] = [];
  for (const param of params) {
    const last = joined.at(-1);
    if (last?.role === 'user' && param.role === 'user') joined[joined.length - 1] = { role: 'user', content: joinContent(last.content, param.content) };
    else if (last?.role === 'assistant' && param.role === 'assistant' && !last.tool_calls) joined[joined.length - 1] = { ...param, content: joinText(last.content, param.content) };
    else joined.push(param);
  }
  return joined[0]?.role === 'user' ? joined : [{ role: 'user', content: NO_TEXT }, ...joined];
}

type UserContent = OpenAI.Chat.ChatCompletionUserMessageParam['content'];

function joinContent(a: UserContent, b: UserContent): UserContent {
  if (typeof a === 'string' && typeof b === 'string') return `${a}\n\n${b}`;
  const parts = (content: UserContent): Exclude<UserContent, string> => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
  return [...parts(a), ...parts(b)];
}

type AnswerContent = OpenAI.Chat.ChatCompletionAssistantMessageParam['content'];

function joinText(a: AnswerContent, b: AnswerContent): string | null {
  return [a, b].filter((text) => typeof text === 'string').join('\n\n') || null;
}

function toolOf({ name, description, inputSchema }: ToolSchema): OpenAI.Chat.ChatCompletionTool {
  return { type: 'function', function: { name, description: safeText(description), parameters: { ...inputSchema } } };
}
