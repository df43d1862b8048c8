import type { ModelProvider } from '../../domain/models.ts';
import { lazyProvider } from '../lazyProvider.ts';
import type { ProviderOptions } from '../options.ts';

/** Claude models, or any server that speaks the Messages API. The vendor's client is loaded with the first request. */
export function createAnthropicProvider(options: ProviderOptions): ModelProvider {
  return lazyProvider('anthropic', async () => (await import('./wire.ts')).anthropicStream(options));
}
