import { abortError } from '../runtime/base/abort.ts';
import type { Clock } from '../runtime/base/clock.ts';
import { AppError, isAppError } from '../runtime/base/errors.ts';
import { durationText } from '../runtime/base/text.ts';
import { withTimeLimit } from '../runtime/base/timeLimit.ts';
import type { ModelError, ModelProvider, ModelRef, ModelRequest } from '../runtime/domain/models.ts';

export type CheckResult = { readonly ok: true } | { readonly ok: false; readonly error: ModelError };

/** A server on this computer may have to load the model first. */
const LIMIT_MS = 90_000;
/** Some models count their thinking in, and refuse a limit that leaves no room for it. */
const MAX_OUTPUT = 1024;

/**
 * Asks a model for one word, once, as real work would ask it: with a tool on offer, since many a local model has none,
 * and with its effort. The first sign of an answer is enough. Rejects on abort alone.
 */
export async function checkModel(provider: ModelProvider, model: ModelRef, clock: Clock, signal: AbortSignal): Promise<CheckResult> {
  try {
    return await withTimeLimit(clock, LIMIT_MS, signal, (limited) => ask(provider, model, limited));
  } catch (error) {
    if (!isAppError(error, 'timeout')) throw error;
    return { ok: false, error: { failure: 'timeout', message: `${model.provider} (${model.model}) did not answer within ${durationText(LIMIT_MS)}.` } };
  }
}

async function ask(provider: ModelProvider, model: ModelRef, signal: AbortSignal): Promise<CheckResult> {
  for await (const event of provider.stream(requestTo(model, signal))) {
    switch (event.type) {
      case 'text':
      case 'thinking':
      case 'tool_call':
        return { ok: true };
      case 'end':
        if (event.stop === 'aborted') throw abortError();
        return event.error === undefined ? { ok: true } : { ok: false, error: event.error };
      case 'alive':
      case 'usage':
    }
  }
  throw new AppError('internal', 'The answer of the model had no end. Try again.');
}

function requestTo({ model, reasoningEffort }: ModelRef, signal: AbortSignal): ModelRequest {
  return {
    model,
    ...(reasoningEffort !== undefined && { reasoningEffort }),
    maxOutputTokens: MAX_OUTPUT,
    system: '',
    messages: [{ role: 'user', source: 'user', content: [{ type: 'text', text: 'Answer with the one word "ready".' }] }],
    tools: [{ name: 'wait', description: 'Does nothing. There is no need to call it.', inputSchema: { type: 'object', properties: {} } }],
    signal,
  };
}
