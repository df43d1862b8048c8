import * as vscode from 'vscode';
import { onAbort } from '../../runtime/base/abort.ts';
import type { ChatContent, ChatPart, ChatTurn, EditorModel, EditorModels, EditorPart, EditorRequest } from './editorModel.ts';

/** The models of `vscode.lm`. Nothing is kept between requests, since the models come and go. */
export const editorModels: EditorModels = {
  async select(vendor, id) {
    const [model] = await vscode.lm.selectChatModels({ vendor, id });
    return model && editorModel(model);
  },
};

function editorModel(model: vscode.LanguageModelChat): EditorModel {
  return {
    async send({ turns, tools }: EditorRequest, signal) {
      const cancellation = new vscode.CancellationTokenSource();
      const listening = onAbort(signal, () => cancellation.cancel());
      const release = (): void => {
        listening.dispose();
        cancellation.dispose();
      };
      try {
        const response = await model.sendRequest(turns.map(messageOf), {
          justification: vscode.l10n.t('The agent and its subagents answer with this model.'),
          ...(tools.length > 0 && { tools: [...tools] }),
        }, cancellation.token);
        return partsOf(response.stream, release);
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

async function* partsOf(stream: AsyncIterable<unknown>, release: () => void): AsyncGenerator<EditorPart, void, undefined> {
  try {
    for await (const part of stream) yield partOf(part);
  } finally {
    release();
  }
}

function partOf(part: unknown): EditorPart {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) return { type: 'tool_call', id: part.callId, name: part.name, input: part.input };
  return { type: 'other' };
}

function messageOf({ role, content }: ChatTurn): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, content.map(inputOf));
}

function inputOf(part: ChatPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart {
  switch (part.type) {
    case 'text':
    case 'image':
      return contentOf(part);
    case 'tool_call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'tool_result':
      return new vscode.LanguageModelToolResultPart(part.callId, part.content.map(contentOf));
  }
}

function contentOf(part: ChatContent): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.type === 'text' ? new vscode.LanguageModelTextPart(part.text) : vscode.LanguageModelDataPart.image(part.data, part.mimeType);
}
