import { abortable } from '../base/abort.ts';
import { errorText } from '../base/errors.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../domain/models.ts';

type Stream = ModelProvider['stream'];

/**
 * A provider whose code is loaded with its first request, so that starting up costs nothing for providers that nobody
 * uses. A load that failed is tried again with the next request.
 */
export function lazyProvider(id: string, load: () => Promise<Stream>): ModelProvider {
  let loading: Promise<Stream> | undefined;
  const loadOnce = (): Promise<Stream> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return {
    id,
    async *stream(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
      let stream: Stream;
      try {
        stream = await abortable(loadOnce(), request.signal);
      } catch (error) {
        if (request.signal.aborted) yield { type: 'end', stop: 'aborted' };
        else yield { type: 'end', stop: 'error', error: { failure: 'error', message: `The client for ${id} could not be loaded (${errorText(error)}). Install Subagent Panel again.` } };
        return;
      }
      yield* stream(request);
    },
  };
}
