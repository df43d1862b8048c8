import { abortable } from '../../runtime/base/abort.ts';
import { EDITOR_PROVIDER, type ModelError, type ModelEvent, type ModelProvider, type ModelRequest } from '../../runtime/domain/models.ts';
import { argumentsOf, cleanEvent } from '../../runtime/providers/cleanEvent.ts';
import { editorFailure, goneFailure } from './editorFailure.ts';
import type { EditorModel, EditorModels, EditorPart } from './editorModel.ts';
import { hasImages, toEditorRequest } from './toChatTurns.ts';
import { untilAborted } from './untilAborted.ts';

export interface EditorProviderOptions {
  readonly models: EditorModels;
  /** Vendor of the models that the extension itself offers: one of those would ask itself, for ever. */
  readonly ownVendor: string;
}

/**
 * The editor's own models, `vendor/id` each, as a provider. A model is selected anew for each request and never kept.
 * It reports no usage, since VS Code doesn't tell any; sampling and effort are the models' own. An abort ends the
 * stream at once, also where the model's extension goes on.
 */
export function createEditorProvider(options: EditorProviderOptions): ModelProvider {
  /** Models that refused a request with images and took it without. */
  const blind = new Set<string>();
  return {
    id: EDITOR_PROVIDER,
    async *stream(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
      const { model, signal } = request;
      try {
        const selected = await abortable(select(model, options), signal);
        yield* 'failure' in selected ? [failed(selected)] : answer(selected, request, blind);
      } catch (error) {
        yield signal.aborted ? { type: 'end', stop: 'aborted' } : failed(editorFailure(error, model));
      }
    },
  };
}

async function select(name: string, { models, ownVendor }: EditorProviderOptions): Promise<EditorModel | ModelError> {
  const [, vendor, id] = /^([^/]+)\/(.+)$/su.exec(name) ?? [];
  if (vendor === undefined || id === undefined) return { failure: 'bad_request', message: `The model ${name} isn't written as vendor/id. Correct it in the settings, or pick another model.` };
  if (vendor === ownVendor) return { failure: 'bad_request', message: `The model ${name} is one of Subagent Panel's own, which stands for a configured one. Configure that one instead.` };
  return (await models.select(vendor, id)) ?? goneFailure(name);
}

/** There is no stable way to ask whether a model takes images, so it is tried, and what was refused is asked without them. */
async function* answer(model: EditorModel, request: ModelRequest, blind: Set<string>): AsyncGenerator<ModelEvent, void, undefined> {
  const mayBeBlind = hasImages(request.messages) && !blind.has(request.model);
  let hasAnswered = false;
  try {
    for await (const event of ask(model, request, !blind.has(request.model))) {
      hasAnswered ||= event.type !== 'alive';
      yield event;
    }
  } catch (error) {
    const canBeImages = mayBeBlind && !hasAnswered && !request.signal.aborted && editorFailure(error, request.model).failure === 'error';
    if (!canBeImages) throw error;
    yield* ask(model, request, false);
    blind.add(request.model);
  }
}

async function* ask(model: EditorModel, request: ModelRequest, takesImages: boolean): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = request;
  const parts = await abortable(model.send(toEditorRequest(request, takesImages), signal), signal);
  let hasCalls = false;
  for await (const part of untilAborted(parts, signal)) {
    hasCalls ||= part.type === 'tool_call';
    yield eventOf(part);
  }
  // Why it stopped isn't told.
  yield { type: 'end', stop: hasCalls ? 'tool_calls' : 'stop' };
}

/** Other extensions make the parts, and nobody checks them. */
function eventOf(part: EditorPart): ModelEvent {
  switch (part.type) {
    case 'text':
      return cleanEvent(part);
    case 'tool_call':
      return cleanEvent({ type: 'tool_call', id: part.id, name: part.name, arguments: argumentsOf(part.input) });
    case 'other':
      return { type: 'alive' };
  }
}

function failed(error: ModelError): ModelEvent {
  return { type: 'end', stop: 'error', error };
}
