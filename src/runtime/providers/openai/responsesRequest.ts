import type { OpenAI } from 'openai';
import { wireName } from '../../base/wireNames.ts';
import type { AssistantMessage, ContentPart, Message, ToolCallPart, ToolResultPart } from '../../domain/messages.ts';
import type { ModelRequest, ToolSchema } from '../../domain/models.ts';
import { restoreAnswer, type Reader } from '../verbatim.ts';
import { argumentsText, dataUrl, hasText, NO_OUTPUT, NO_TEXT, safeText, wireId } from '../wireText.ts';
import { isReasoningItem } from './reasoning.ts';

const DEFAULT_MAX_TOKENS = 8192;

type Item = OpenAI.Responses.ResponseInputItem;
type InputPart = OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage;

/** The body of a Responses request. Nothing is stored there: the whole conversation goes along, and reasoning encrypted. */
export function responsesBody(request: ModelRequest, reader: Reader): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { model, system, messages, tools, reminder, reasoningEffort, maxOutputTokens = DEFAULT_MAX_TOKENS, temperature, topP } = request;
  const input = messages.flatMap((message) => itemsOf(message, reader));
  if (reminder && hasText(reminder)) addReminder(input, safeText(reminder));
  return {
    model,
    stream: true,
    store: false,
    max_output_tokens: maxOutputTokens,
    ...(hasText(system) && { instructions: safeText(system) }),
    input: input.length > 0 ? input : [userItem([{ type: 'input_text', text: NO_TEXT }])],
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    // Models that don't reason refuse both fields.
    ...(reasoningEffort && { reasoning: { effort: reasoningEffort, summary: 'auto' }, include: ['reasoning.encrypted_content'] }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

function itemsOf(message: Message, reader: Reader): Item[] {
  switch (message.role) {
    case 'user': {
      const parts = inputParts(message.content);
      return [userItem(parts.length > 0 ? parts : [{ type: 'input_text', text: NO_TEXT }])];
    }
    case 'assistant':
      return answerItems(message, reader);
    case 'tool':
      return message.results.map(outputItem);
  }
}

function userItem(content: InputPart[]): OpenAI.Responses.EasyInputMessage {
  return { type: 'message', role: 'user', content };
}

function answerItems(message: AssistantMessage, reader: Reader): Item[] {
  const restored = restoreAnswer(message, reader, isReasoningItem);
  if (!restored) {
    return message.content.flatMap((part) => {
      if (part.type === 'thinking') return [];
      return part.type === 'text' ? textItems(part.text) : [callItem(part)];
    });
  }
  const items = restored.flatMap((piece): Item[] => {
    if (piece.type === 'kept') return [piece.block];
    return piece.type === 'text' ? textItems(piece.text, piece.phase) : [callItem(piece.call)];
  });
  // Reasoning is refused without the item that it led to.
  return items.slice(0, items.findLastIndex((item) => item.type !== 'reasoning') + 1);
}

function textItems(text: string, phase?: string): Item[] {
  if (!hasText(text)) return [];
  const known = phase === 'commentary' || phase === 'final_answer' ? phase : undefined;
  return [{ type: 'message', role: 'assistant', content: safeText(text), ...(known && { phase: known }) }];
}

function callItem(call: ToolCallPart): Item {
  return { type: 'function_call', call_id: wireId(call.id), name: wireName(call.name), arguments: argumentsText(call.arguments) };
}

/** The wire has no mark for an error, so the text says it. */
function outputItem({ callId, content, isError }: ToolResultPart): Item {
  const parts = inputParts(content);
  const marked: InputPart[] = isError ? [{ type: 'input_text', text: 'Error:' }, ...parts] : parts;
  const hasImages = marked.some(({ type }) => type === 'input_image');
  const text = marked.map((part) => (part.type === 'input_text' ? part.text : '')).join(isError ? ' ' : '\n');
  return { type: 'function_call_output', call_id: wireId(callId), output: hasImages ? marked : text || NO_OUTPUT };
}

function inputParts(content: readonly ContentPart[]): InputPart[] {
  return content.flatMap((part): InputPart[] => {
    if (part.type === 'image') return [{ type: 'input_image', image_url: dataUrl(part), detail: 'auto' }];
    return hasText(part.text) ? [{ type: 'input_text', text: safeText(part.text) }] : [];
  });
}

function addReminder(input: Item[], text: string): void {
  const last = input.at(-1);
  const part: InputPart = { type: 'input_text', text };
  if (last?.type === 'message' && last.role === 'user' && Array.isArray(last.content)) last.content.push(part);
  else input.push(userItem([part]));
}

function toolOf({ name, description, inputSchema }: ToolSchema): OpenAI.Responses.FunctionTool {
  // The strict mode takes a part of JSON Schema only, and would refuse most tools.
  return { type: 'function', name, description: safeText(description), parameters: { ...inputSchema }, strict: false };
}
