import type { ToolSchema } from '../../runtime/domain/models.ts';

/** What a message or a tool's result can hold for a model of the editor. */
export type ChatContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: Uint8Array };

export type ChatPart =
  | ChatContent
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: 'tool_result'; readonly callId: string; readonly content: readonly ChatContent[] };

export interface ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ChatPart[];
}

/** What a model of the editor is asked. */
export interface EditorRequest {
  readonly turns: readonly ChatTurn[];
  readonly tools: readonly ToolSchema[];
}

/** What comes of its answer. `other`: a part of a kind that isn't stable. */
export type EditorPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'other' };

/** A model of the editor, good for one request: the next one selects it anew. */
export interface EditorModel {
  /** Rejects, as the stream does, with whatever VS Code or the model's own extension threw. An abort is passed on, but need not be heeded. */
  send(request: EditorRequest, signal: AbortSignal): Promise<AsyncIterable<EditorPart>>;
}

/** The models that VS Code has now, whoever offers them. */
export interface EditorModels {
  /** Nothing where no such model is offered. */
  select(vendor: string, id: string): Promise<EditorModel | undefined>;
}
