import type { ModelProvider } from '../../domain/models.ts';
import { lazyProvider } from '../lazyProvider.ts';
import type { ProviderOptions } from '../options.ts';

/** OpenAI's models, or any server that speaks its wires. The vendor's client is loaded with the first request. */
export function createOpenAiProvider(options: ProviderOptions): ModelProvider {
  return lazyProvider('openai', async () => (await import('./wire.ts')).openAiStream(options));
}
