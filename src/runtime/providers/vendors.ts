import type { Vendor } from './endpoint.ts';

/** Its client adds `/v1/messages` by itself. */
export const ANTHROPIC: Vendor = { baseUrl: 'https://api.anthropic.com', host: 'api.anthropic.com', addedPaths: /\/v1(?:\/messages)?$/u };
export const OPENAI: Vendor = { baseUrl: 'https://api.openai.com/v1', host: 'api.openai.com', addedPaths: /\/(?:chat\/completions|responses)$/u };

/** The key goes with each request instead of into a client. Many servers that speak like Anthropic know the older header only. */
export function anthropicKeyHeaders(key: string | undefined, isOwn: boolean): Readonly<Record<string, string>> {
  if (!key) return {};
  return { authorization: `Bearer ${key}`, ...(!isOwn && { 'x-api-key': key }) };
}
