import type { Anthropic } from '@anthropic-ai/sdk';
import { isObject } from '../json.ts';

/** What Anthropic wants back unchanged: a thinking block with its signature, or an encrypted one. */
export type ThinkingBlock = Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam;

export function isThinkingBlock(block: unknown): block is ThinkingBlock {
  if (!isObject(block)) return false;
  if (block['type'] === 'redacted_thinking') return typeof block['data'] === 'string';
  return block['type'] === 'thinking' && typeof block['thinking'] === 'string' && typeof block['signature'] === 'string';
}
