import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { AppError, systemCode } from '../base/errors.ts';

type Unpacker = () => Transform;

const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
  // Older versions of Node have none.
  ...(typeof zlib.createZstdDecompress === 'function' ? [['zstd', () => zlib.createZstdDecompress()] as const] : []),
]);

/** The ways of packing that a server may use. */
export const ENCODINGS: readonly string[] = [...UNPACKERS.keys()];

/** Packed several times over is packed to hurt. */
const MAX_LAYERS = 2;

/**
 * The beginning of a body, unpacked: at most so many bytes, and no more is read or unpacked than that takes. Rejects with
 * `unavailable` for what can't be unpacked, and with the error of a connection that breaks.
 */
export async function readUnpacked(message: IncomingMessage, maxBytes: number): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const layers = layersOf(message.headers['content-encoding']);
  const body: AsyncIterable<Buffer> = layers.length === 0 ? message : await unpacked(message, layers);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      size += piece.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    if (!isBadPacking(error)) throw error;
    throw new AppError('unavailable', `The server packed the page (${layers.join(', ')}) in a way that can't be unpacked. Try another source.`, { cause: error });
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), isCut: size > maxBytes };
}

function layersOf(header = ''): readonly string[] {
  const layers = header.toLowerCase().split(',').map((name) => name.trim().replace(/^x-/, '')).filter((name) => name !== '' && name !== 'identity');
  const unknown = layers.find((name) => !UNPACKERS.has(name));
  if (unknown !== undefined) throw new AppError('unavailable', `The server packed the page as ${JSON.stringify(unknown.slice(0, 40))}, which can't be unpacked. Try another source.`);
  if (layers.length > MAX_LAYERS) throw new AppError('unavailable', `The server packed the page ${layers.length} times over, which isn't unpacked. Try another source.`);
  return layers;
}

/** Nothing at all is unpacked as nothing: a server may say how it packs where it sends no body. */
async function unpacked(message: IncomingMessage, layers: readonly string[]): Promise<AsyncIterable<Buffer>> {
  const pieces = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const begin = await firstBytes(pieces);
  if (begin.length === 0) return Readable.from([]);
  const unpackers = unpackersFor(layers, begin);
  // What breaks anywhere comes out at the end, where it is read.
  pipeline([Readable.from(joined(begin, pieces)), ...unpackers], () => undefined);
  return unpackers.at(-1) ?? message;
}

/** As many as tell how a body is packed, however they come; fewer where there are no more. */
async function firstBytes(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < 2) {
    const next = await pieces.next();
    if (next.done) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

async function* joined(begin: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield begin;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The outermost first. */
function unpackersFor(layers: readonly string[], begin: Buffer): readonly Transform[] {
  const isBare = layers.at(-1) === 'deflate' && !startsAsZlib(begin);
  return layers.toReversed().map((name, index) => (index === 0 && isBare ? zlib.createInflateRaw() : (UNPACKERS.get(name)?.() ?? zlib.createGunzip())));
}

/** By `deflate` some servers mean the bare format, without the frame that the standard names. */
function startsAsZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function isBadPacking(error: unknown): boolean {
  return /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_ZSTD|ZSTD_|ERR_ZLIB|ERR_PADDING)/.test(systemCode(error) ?? '');
}
