import { imageType } from '../base/image.ts';
import { isDeeperThan } from '../base/json.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { ContentPart } from '../domain/messages.ts';
import type { ToolResult } from '../domain/tools.ts';
import { fieldsOf } from './toolList.ts';

/** Parts of one result that a model gets. */
const MAX_PARTS = 200;
const MAX_IMAGES = 10;
/** Bytes; no provider takes larger ones. */
const MAX_IMAGE = 5 * 1024 * 1024;
/** Levels of structured content. */
const MAX_LEVELS = 100;
/** Characters of a URI, a name or a type in a note. */
const MAX_LABEL = 2_000;

/** What a model gets of a call's result, whatever the server sent. Never throws. */
export function toToolResult(raw: unknown): ToolResult {
  const { content, structuredContent, isError } = fieldsOf(raw);
  const items: readonly unknown[] = Array.isArray(content) ? content : [];
  const parts = items.slice(0, MAX_PARTS).map(readPart);
  const shown = limitImages(parts);
  if (items.length > MAX_PARTS) shown.push(note(`${items.length - MAX_PARTS} more parts of the result are left out.`));
  // Servers repeat it as text for clients that don't know it.
  if (structuredContent !== undefined && !shown.some(({ type }) => type === 'text')) shown.push(structure(structuredContent));
  if (shown.length === 0) shown.push(note('The tool returned nothing.'));
  return { content: shown, ...(isError === true && { isError }) };
}

function limitImages(parts: readonly ContentPart[]): ContentPart[] {
  let images = 0;
  return parts.map((part) => (part.type === 'image' && (images += 1) > MAX_IMAGES ? note(`An image is left out: a result may hold ${MAX_IMAGES}.`) : part));
}

function readPart(item: unknown): ContentPart {
  const part = fieldsOf(item);
  switch (part['type']) {
    case 'text':
      return text(typeof part['text'] === 'string' ? part['text'] : '');
    case 'image':
      return image(part['data'], part['mimeType']);
    case 'audio':
      return note(`Audio (${label(part['mimeType'])}, ${sizeOf(part['data'])}), which can't be passed on.`);
    case 'resource':
      return resource(fieldsOf(part['resource']));
    case 'resource_link':
      return note(linkText(part));
    default:
      return note(`A part of an unknown type, ${label(part['type'])}, which can't be passed on.`);
  }
}

/** Told by its bytes: a provider refuses the whole conversation for one image that is none. */
function image(data: unknown, mimeType: unknown): ContentPart {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : undefined;
  const known = bytes && imageType(bytes);
  if (!bytes || known === undefined || bytes.length > MAX_IMAGE) return note(`An image (${label(mimeType)}, ${sizeOf(data)}), which can't be passed on.`);
  return { type: 'image', mimeType: known, data: bytes.toString('base64') };
}

function resource({ uri, text: content, blob, mimeType }: Readonly<Record<string, unknown>>): ContentPart {
  if (typeof content === 'string') return text(`[resource ${label(uri)}]\n${content}`);
  const picture = typeof blob === 'string' ? image(blob, mimeType) : undefined;
  return picture?.type === 'image' ? picture : note(`Resource ${label(uri)} (${label(mimeType)}, ${sizeOf(blob)}), which can't be passed on.`);
}

function linkText({ uri, name, title, description, mimeType }: Readonly<Record<string, unknown>>): string {
  const details = [title ?? name, mimeType, description].filter((each) => typeof each === 'string').map(label);
  return `Resource ${label(uri)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

function structure(value: unknown): ContentPart {
  return isDeeperThan(MAX_LEVELS, value) ? note(`The structured content is left out: it has more than ${MAX_LEVELS} levels.`) : text(JSON.stringify(value, undefined, 2));
}

function text(content: string): ContentPart {
  return { type: 'text', text: content };
}

function note(content: string): ContentPart {
  return text(`[${content}]`);
}

function label(value: unknown): string {
  return (typeof value === 'string' && truncate(oneLine(value), MAX_LABEL)) || 'unknown';
}

function sizeOf(data: unknown): string {
  return typeof data === 'string' ? `${Buffer.byteLength(data, 'base64')} bytes` : 'no data';
}
