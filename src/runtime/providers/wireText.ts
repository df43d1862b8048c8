import { createHash } from 'node:crypto';
import type { ContentPart, ImagePart } from '../domain/messages.ts';
import { isObject, parseJson } from './json.ts';

/** Stands where a wire demands text and there is none. */
export const NO_TEXT = '(no text)';
export const NO_OUTPUT = '(no output)';

const MAX_ID = 40;
const ID = /^[A-Za-z0-9_-]+$/u;

/**
 * The id of a call as every wire takes it: Anthropic allows letters, digits, `_` and `-` only, OpenAI 40 characters.
 * The same id always gives the same, so calls and results keep matching.
 */
export function wireId(id: string): string {
  if (id.length <= MAX_ID && ID.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${id.replace(/[^A-Za-z0-9_-]/gu, '').slice(0, MAX_ID - 17)}_${hash}`;
}

/** The text without lone surrogates, which no wire can carry. */
export function safeText(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** True for text that a wire takes as a block of its own. */
export function hasText(text: string): boolean {
  return text.trim() !== '';
}

/** A call's arguments as the object that vendors demand. What a model wrote wrongly goes back as it is, inside one. */
export function argumentsObject(text: string): Readonly<Record<string, unknown>> {
  if (!hasText(text)) return {};
  const parsed = parseJson(text);
  if (!parsed || !isObject(parsed.value)) return { invalid_arguments: safeText(text) };
  return LONE_ESCAPE.test(text) || !text.isWellFormed() ? (safeValue(parsed.value) as Readonly<Record<string, unknown>>) : parsed.value;
}

/** A call's arguments as text: unchanged where they are an object of JSON. */
export function argumentsText(text: string): string {
  const parsed = parseJson(text);
  const isFine = parsed !== undefined && isObject(parsed.value) && text.isWellFormed() && !LONE_ESCAPE.test(text);
  return isFine ? text : JSON.stringify(argumentsObject(text));
}

/** An escape that may be half a pair. */
const LONE_ESCAPE = /\\u[dD][89a-fA-F]/u;

function safeValue(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(safeValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [safeText(key), safeValue(inner)]));
}

export function textsOf(content: readonly ContentPart[]): readonly string[] {
  return content.flatMap((part) => (part.type === 'text' && hasText(part.text) ? [safeText(part.text)] : []));
}

export function imagesOf(content: readonly ContentPart[]): readonly ImagePart[] {
  return content.filter((part) => part.type === 'image');
}

export function dataUrl({ mimeType, data }: ImagePart): string {
  return `data:${mimeType};base64,${data}`;
}
