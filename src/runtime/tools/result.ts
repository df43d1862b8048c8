import { AppError } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { ContentPart, ImagePart, TextPart } from '../domain/messages.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { imageType } from '../base/image.ts';
import { fileChanges } from './fileChanges.ts';
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
/** One character at a time: a pattern for the whole would go back over megabytes, and overflow the stack. */
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

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

/** Why a part isn't shown, with what is said of that many. */
const LEFT_OUT = {
  unknown: (count: number) => `${plural(count, 'part')} of the result left out: neither text nor image.`,
  broken: (count: number) => `${plural(count, 'image')} left out: not a png, jpg, gif or webp in base64.`,
  large: (count: number) => `${plural(count, 'image')} left out: larger than ${MAX_IMAGE_MB} MB.`,
  surplus: (count: number) => `${plural(count, 'image')} left out: at most ${MAX_IMAGES} with ${MAX_IMAGES_MB} MB in all are shown for one call.`,
} as const;
type WhyLeftOut = keyof typeof LEFT_OUT;

/** What may be shown, and in sentences what may not. */
function usableParts(content: readonly unknown[]): { readonly parts: readonly ContentPart[]; readonly notes: readonly string[] } {
  const parts: ContentPart[] = [];
  const left = new Map<WhyLeftOut, number>();
  const room = { images: MAX_IMAGES, size: MAX_IMAGES_MB * MB };
  for (const given of content) {
    const part = readPart(given, room);
    if (typeof part === 'string') {
      left.set(part, (left.get(part) ?? 0) + 1);
      continue;
    }
    parts.push(part);
    if (part.type === 'text') continue;
    room.images -= 1;
    room.size -= part.data.length;
  }
  return { parts, notes: [...left].map(([why, count]) => LEFT_OUT[why](count)) };
}

function readPart(given: unknown, room: { readonly images: number; readonly size: number }): ContentPart | WhyLeftOut {
  if (!isRecord(given)) return 'unknown';
  if (given['type'] === 'text' && typeof given['text'] === 'string') return { type: 'text', text: given['text'].toWellFormed() };
  if (given['type'] !== 'image') return 'unknown';
  const image = imageOf(given['data']);
  if (image === undefined) return 'broken';
  if (image.data.length > MAX_IMAGE_MB * MB) return 'large';
  return room.images > 0 && image.data.length <= room.size ? image : 'surplus';
}

/** One that every provider takes, with the type that its bytes have, whatever it was said to be: a wrong one would spoil every later request. */
function imageOf(data: unknown): ImagePart | undefined {
  if (typeof data !== 'string' || data.length % 4 !== 0 || NOT_BASE64.test(data.replace(/={1,2}$/, ''))) return undefined;
  const mimeType = imageType(Buffer.from(data.slice(0, 32), 'base64'));
  return mimeType === undefined ? undefined : { type: 'image', mimeType, data };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
