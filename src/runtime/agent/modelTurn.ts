import { errorText } from '../base/errors.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { AssistantMessage, AssistantPart } from '../domain/messages.ts';
import type { ModelError, ModelEvent, ModelProvider, ModelRequest } from '../domain/models.ts';
import { addUsage, NO_USAGE } from '../domain/usage.ts';

export interface ModelTurn {
  /** What the model said, as far as it came. */
  readonly message: AssistantMessage;
  /** Present when `message.stop` is `error` or `context`. */
  readonly error?: ModelError;
}

/** Streams one model turn, publishing its deltas. Never throws: a provider that does counts as failed. */
export async function runModelTurn(provider: ModelProvider, request: ModelRequest, agent: AgentRef, publish: Publish): Promise<ModelTurn> {
  const parts: AssistantPart[] = [];
  let usage = NO_USAGE;
  let end: Extract<ModelEvent, { type: 'end' }> | undefined;
  try {
    for await (const event of provider.stream(request)) {
      switch (event.type) {
        case 'text':
        case 'thinking':
          appendText(parts, event);
          publish({ type: event.type === 'text' ? 'text.delta' : 'thinking.delta', agent, text: event.text });
          break;
        case 'tool_call':
          parts.push({ type: 'tool_call', id: event.id, name: event.name, arguments: event.arguments });
          break;
        case 'usage':
          usage = addUsage(usage, event.usage);
          break;
        case 'end':
          end = event;
          break;
      }
    }
  } catch (error) {
    end = brokenStream(request, errorText(error));
  }
  end ??= brokenStream(request, `${provider.id} ended its answer without saying why.`);
  publish({ type: 'model.ended', agent, stop: end.stop, usage });
  return {
    message: { role: 'assistant', content: parts, stop: end.stop, ...(end.verbatim && { verbatim: end.verbatim }) },
    ...(end.error && { error: end.error }),
  };
}

function brokenStream(request: ModelRequest, message: string): Extract<ModelEvent, { type: 'end' }> {
  return request.signal.aborted ? { type: 'end', stop: 'aborted' } : { type: 'end', stop: 'error', error: { failure: 'error', message } };
}

function appendText(parts: AssistantPart[], delta: { readonly type: 'text' | 'thinking'; readonly text: string }): void {
  const last = parts.at(-1);
  if (last?.type === delta.type) parts[parts.length - 1] = { type: delta.type, text: last.text + delta.text };
  else parts.push({ type: delta.type, text: delta.text });
}
