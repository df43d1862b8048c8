import type { ModelProvider } from '../../domain/models.ts';
import { lazyProvider } from '../lazyProvider.ts';

/**
 * A provider without a model: it works out each turn from the request alone, by rule. Deterministic, needs no key
 * and no network, and keeps nothing between calls. Its code is loaded with the first request.
 */
export function createOfflineProvider(): ModelProvider {
  return lazyProvider('offline', async () => (await import('./stream.ts')).offlineStream);
}
