import type { OpenAI } from 'openai';
import { isObject } from '../json.ts';

/** A reasoning item of the Responses wire, as it goes back: only an encrypted one can, since nothing is stored there. */
export type ReasoningItem = OpenAI.Responses.ResponseReasoningItem;

export function isReasoningItem(item: unknown): item is ReasoningItem {
  return isObject(item) && item['type'] === 'reasoning' && typeof item['id'] === 'string' && typeof item['encrypted_content'] === 'string' && Array.isArray(item['summary']);
}
