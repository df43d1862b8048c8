import type { ModelRef, ModelRequest, ToolSchema } from '../../runtime/domain/models.ts';
import { fromChatMessages, type ChatMessage } from './convert.ts';

/** A tool as VS Code hands it over. */
interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

/** What VS Code asks one of our models, as a request to its provider. */
export function toModelRequest({ model, reasoningEffort, maxOutputTokens, temperature, topP }: ModelRef, messages: readonly ChatMessage[], tools: readonly ChatTool[], signal: AbortSignal): ModelRequest {
  return {
    model,
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...fromChatMessages(messages),
    tools: tools.map(toToolSchema),
    signal,
  };
}

function toToolSchema({ name, description, inputSchema }: ChatTool): ToolSchema {
  return { name, description, inputSchema: { type: 'object', ...inputSchema } };
}
