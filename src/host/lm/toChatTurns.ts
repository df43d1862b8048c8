import { wireName } from '../../runtime/base/wireNames.ts';
import { toolCallsOf, type AssistantMessage, type ContentPart, type Message, type ToolResultPart } from '../../runtime/domain/messages.ts';
import type { ModelRequest, ToolSchema } from '../../runtime/domain/models.ts';
import { argumentsObject, hasText, NO_OUTPUT, NO_TEXT, safeText, wireId } from '../../runtime/providers/wireText.ts';
import type { ChatContent, ChatPart, ChatTurn, EditorRequest } from './editorModel.ts';

/** The kinds of images that VS Code hands on as such. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * The request as VS Code takes it. Its messages know no system role, so the instructions are the first message of the
 * user; after it, user and assistant alternate, and the results of calls begin the turn that follows them.
 * @param takesImages where not, a note stands in each image's place
 */
export function toEditorRequest(request: Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'reminder'>, takesImages: boolean): EditorRequest {
  const { system, messages, tools, reminder = '' } = request;
  const turns = alternating([...messages.map((message) => turnOf(message, takesImages)), { role: 'user', content: textParts(reminder) }]);
  return { turns: [...(hasText(system) ? [{ role: 'user', content: textParts(system) } as const] : []), ...turns], tools: tools.length > 0 ? tools : pastTools(messages) };
}

/** Whether the conversation holds anything that only some models take. */
export function hasImages(messages: readonly Message[]): boolean {
  const parts = messages.flatMap((message): readonly { readonly type: string }[] => (message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.content));
  return parts.some(({ type }) => type === 'image');
}

/** Joins neighbours of one role; what has nothing to send is left out. */
function alternating(turns: readonly ChatTurn[]): readonly ChatTurn[] {
  const joined: ChatTurn[] = [];
  for (const { role, content } of turns) {
    if (content.length === 0) continue;
    const last = joined.at(-1);
    if (last?.role === role) joined[joined.length - 1] = { role, content: [...last.content, ...content] };
    else joined.push({ role, content });
  }
  return joined[0]?.role === 'user' ? joined : [{ role: 'user', content: [{ type: 'text', text: NO_TEXT }] }, ...joined];
}

function turnOf(message: Message, takesImages: boolean): ChatTurn {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: orElse(contentParts(message.content, takesImages), NO_TEXT) };
    case 'assistant':
      return { role: 'assistant', content: answerParts(message) };
    case 'tool':
      return { role: 'user', content: message.results.map((result) => resultPart(result, takesImages)) };
  }
}

/** Without its thinking, for which there is no stable part. */
function answerParts({ content }: AssistantMessage): readonly ChatPart[] {
  return content.flatMap((part): readonly ChatPart[] => {
    switch (part.type) {
      case 'text':
        return textParts(part.text);
      case 'tool_call':
        return [{ type: 'tool_call', id: wireId(part.id), name: wireName(part.name), input: argumentsObject(part.arguments) }];
      case 'thinking':
        return [];
    }
  });
}

function resultPart({ callId, content, isError }: ToolResultPart, takesImages: boolean): ChatPart {
  const parts = orElse(contentParts(content, takesImages), NO_OUTPUT);
  return { type: 'tool_result', callId: wireId(callId), content: isError ? [{ type: 'text', text: 'Error: ' }, ...parts] : parts };
}

function contentParts(content: readonly ContentPart[], takesImages: boolean): readonly ChatContent[] {
  return content.flatMap((part): readonly ChatContent[] => {
    if (part.type === 'text') return textParts(part.text);
    if (takesImages && IMAGE_TYPES.has(part.mimeType)) return [{ type: 'image', mimeType: part.mimeType, data: Buffer.from(part.data, 'base64') }];
    return textParts(`(an image of the type ${part.mimeType}, which can't be shown to this model)`);
  });
}

function textParts(text: string): readonly { readonly type: 'text'; readonly text: string }[] {
  return hasText(text) ? [{ type: 'text', text: safeText(text) }] : [];
}

function orElse(parts: readonly ChatContent[], text: string): readonly ChatContent[] {
  return parts.length > 0 ? parts : [{ type: 'text', text }];
}

/** Some vendors refuse a conversation with calls where no tool is offered, so those that were called stand there. */
function pastTools(messages: readonly Message[]): readonly ToolSchema[] {
  const names = new Set(messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message).map(({ name }) => wireName(name)) : [])));
  return [...names].map((name) => ({ name, description: 'Not available any more.', inputSchema: { type: 'object' } }));
}
