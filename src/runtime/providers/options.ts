import type { OpenAiApi } from '../domain/models.ts';

/** How a provider of the network is reached. */
export interface ProviderOptions {
  /** Absent: the vendor's own address. With or without a slash at its end. */
  readonly baseUrl?: string;
  /** Which of OpenAI's wires to speak. Absent: Responses on OpenAI's own address, Chat Completions on any other. */
  readonly api?: OpenAiApi;
  /** The key, or nothing where none is set. Asked before each request, so that a changed key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
}
