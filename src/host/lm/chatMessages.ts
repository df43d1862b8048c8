import * as vscode from 'vscode';
import { unreachable } from '../../runtime/base/errors.ts';
import type { AssistantPart, ContentPart, Message, ToolResultPart } from '../../runtime/domain/messages.ts';

/**
 * Converts a conversation for a model of VS Code. There is no system role: the system prompt opens the first user
 * message. Thinking isn't passed on.
 */
export function toChatMessages(system: string, messages: readonly Message[]): vscode.LanguageModelChatMessage[] {
  const converted = messages.flatMap(toChatMessage);
  return system === '' ? converted : [vscode.LanguageModelChatMessage.User(system), ...converted];
}

/** Arguments as the model wrote them, as the object that VS Code wants; what isn't one is handed on under `raw`. */
export function parseArguments(text: string): object {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { raw: text };
  } catch {
    return { raw: text };
  }
}

function toChatMessage(message: Message): vscode.LanguageModelChatMessage[] {
  switch (message.role) {
    case 'user':
      return [vscode.LanguageModelChatMessage.User(message.content.map(toPart))];
    case 'assistant': {
      const parts = message.content.flatMap(toAssistantPart);
      return parts.length === 0 ? [] : [vscode.LanguageModelChatMessage.Assistant(parts)];
    }
    case 'tool':
      return [vscode.LanguageModelChatMessage.User(message.results.map(toResult))];
    default:
      return unreachable(message);
  }
}

function toAssistantPart(part: AssistantPart): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
  switch (part.type) {
    case 'text':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'tool_call':
      return [new vscode.LanguageModelToolCallPart(part.id, part.name, parseArguments(part.arguments))];
    case 'thinking':
      return [];
  }
}

function toResult(result: ToolResultPart): vscode.LanguageModelToolResultPart {
  // There is no field for a failure, so its text says so.
  const mark = result.isError ? [new vscode.LanguageModelTextPart('Error: ')] : [];
  return new vscode.LanguageModelToolResultPart(result.callId, [...mark, ...result.content.map(toPart)]);
}

function toPart(part: ContentPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.type === 'text' ? new vscode.LanguageModelTextPart(part.text) : vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
}
