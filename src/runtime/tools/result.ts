import { AppError } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { ContentPart, ImagePart, TextPart } from '../domain/messages.ts';
import type { FileChange, ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { imageType } from './image.ts';
import { limitOutput, OUTPUT_LIMIT } from './output.ts';

/** The most that a tool may set as its `outputLimit`. */
const LONGEST_OUTPUT = 100_000;
/** What a tool that has cut its output itself may add to point at the rest. */
const POINTER_ROOM = 5_000;
/** Images of one result, and megabytes of each and of all: they go along with every later request. */
const MAX_IMAGES = 10;
const MAX_IMAGE_MB = 5;
const MAX_IMAGES_MB = 10;
/** Base64 characters of a megabyte. */
const MB = (1024 * 1024 * 4) / 3;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * What a tool gave back, made fit for a conversation: only content that every provider takes, and no more of it than
 * the tool's limits. What is left out is said. Text that the tool has cut itself stays as it is.
 * @param value anything: tools come from many hands.
 * @throws AppError `internal` for what is no result at all
 */
export async function checkedResult(value: unknown, { name, outputLimit = OUTPUT_LIMIT }: Pick<ToolDefinition, 'name' | 'outputLimit'>, context: Pick<ToolContext, 'spill'>): Promise<ToolResult> {
  if (!isRecord(value) || !Array.isArray(value['content'])) {
    throw new AppError('internal', `${name} ran, but gave back nothing that can be read. What it did is not known: look before you call it again.`);
  }
  const { parts, notes } = usableParts(value['content']);
  const content = await limitText(parts, name, Math.min(outputLimit, LONGEST_OUTPUT) || OUTPUT_LIMIT, context);
  const changes = fileChanges(value['changes']);
  return {
    content: [...content, ...notes.map((note): TextPart => ({ type: 'text', text: `[${note}]` }))],
    ...(value['isError'] === true && { isError: true }),
    ...(changes.length > 0 && { changes }),
    ...(typeof value['delivers'] === 'string' && { delivers: value['delivers'] }),
  };
}

/** One text of all where they are too long together: that is what the file holds, too. */
async function limitText(parts: readonly ContentPart[], name: string, limit: number, context: Pick<ToolContext, 'spill'>): Promise<readonly ContentPart[]> {
  const texts = parts.filter((part) => part.type === 'text').map(({ text }) => text);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= limit + POINTER_ROOM) return parts;
  const text = await limitOutput(texts.join('\n'), name, context, limit);
  return [{ type: 'text', text }, ...parts.filter((part) => part.type === 'image')];
}

interface UsableParts {
  readonly parts: readonly ContentPart[];
  /** What was left out, in sentences. */
  readonly notes: readonly string[];
}

function usableParts(content: readonly unknown[]): UsableParts {
  const parts: ContentPart[] = [];
  const left = { unknown: 0, broken: 0, large: 0, surplus: 0 };
  const images = { count: 0, size: 0 };
  for (const part of content) {
    if (!isRecord(part)) left.unknown += 1;
    else if (part['type'] === 'text' && typeof part['text'] === 'string') parts.push({ type: 'text', text: part['text'].toWellFormed() });
    else if (part['type'] !== 'image') left.unknown += 1;
    else {
      const image = imageOf(part['data']);
      if (image === undefined) left.broken += 1;
      else if (image.data.length > MAX_IMAGE_MB * MB) left.large += 1;
      else if (images.count >= MAX_IMAGES || images.size + image.data.length > MAX_IMAGES_MB * MB) left.surplus += 1;
      else {
        images.count += 1;
        images.size += image.data.length;
        parts.push(image);
      }
    }
  }
  const notes = [
    ...(left.unknown > 0 ? [`${plural(left.unknown, 'part')} of the result left out: neither text nor image.`] : []),
    ...(left.broken > 0 ? [`${plural(left.broken, 'image')} left out: not a png, jpg, gif or webp in base64.`] : []),
    ...(left.large > 0 ? [`${plural(left.large, 'image')} left out: larger than ${MAX_IMAGE_MB} MB.`] : []),
    ...(left.surplus > 0 ? [`${plural(left.surplus, 'image')} left out: at most ${MAX_IMAGES} with ${MAX_IMAGES_MB} MB in all are shown for one call.`] : []),
  ];
  return { parts, notes };
}

/** One that every provider takes, with the type that its bytes have, whatever it was said to be: a wrong one would spoil every later request. */
function imageOf(data: unknown): ImagePart | undefined {
  if (typeof data !== 'string' || data.length % 4 !== 0 || !BASE64.test(data)) return undefined;
  const mimeType = imageType(Buffer.from(data.slice(0, 32), 'base64'));
  return mimeType === undefined ? undefined : { type: 'image', mimeType, data };
}

/** What is stored of them must be readable. */
function fileChanges(value: unknown): readonly FileChange[] {
  return Array.isArray(value) ? value.filter(isFileChange) : [];
}

function isFileChange(value: unknown): value is FileChange {
  return isRecord(value) && typeof value['path'] === 'string' && ['created', 'edited', 'deleted'].includes(String(value['kind']));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
