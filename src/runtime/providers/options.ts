import type { OpenAiApi } from '../domain/models.ts';

/** What a provider that is reached over the network is made of. */
export interface ProviderOptions {
  /** Absent: the provider's own address. */
  readonly baseUrl?: string;
  /** OpenAI's wires only. Absent: Responses on OpenAI's own address, Chat Completions on any other. */
  readonly api?: OpenAiApi;
  /** Asked before each request. Nothing where there is no key, which a local server may not need. */
  readonly apiKey: () => Promise<string | undefined>;
}
