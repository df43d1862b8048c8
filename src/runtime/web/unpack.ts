import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
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
  const body = layers.length === 0 ? message : unpacked(message, await unpackersFor(layers, message));
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
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

/** The outermost first. */
async function unpackersFor(layers: readonly string[], message: IncomingMessage): Promise<readonly Transform[]> {
  const outermost = layers.at(-1);
  const isBare = outermost === 'deflate' && !startsAsZlib(await firstPiece(message));
  return layers.toReversed().map((name, index) => (index === 0 && isBare ? zlib.createInflateRaw() : (UNPACKERS.get(name)?.() ?? zlib.createGunzip())));
}

/** By `deflate` some servers mean the bare format, without the frame that the standard names. */
function startsAsZlib(piece: Buffer): boolean {
  const [first = 0, second = 0] = piece;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** Looks at the beginning and leaves it there. */
async function firstPiece(message: IncomingMessage): Promise<Buffer> {
  for await (const piece of (message as Readable).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    message.unshift(piece);
    return piece;
  }
  return Buffer.alloc(0);
}

function unpacked(message: IncomingMessage, unpackers: readonly Transform[]): Readable {
  // What breaks anywhere comes out at the end, where it is read.
  pipeline([message, ...unpackers], () => undefined);
  return unpackers.at(-1) ?? message;
}

function isBadPacking(error: unknown): boolean {
  return /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_ZSTD|ZSTD_|ERR_ZLIB|ERR_PADDING)/.test(systemCode(error) ?? '');
}
