import type { IncomingMessage } from 'node:http';
import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { WebPage } from '../domain/services.ts';
import { decodeText } from './decodeText.ts';
import { readHtmlApart } from './htmlThread.ts';
import { bodyKind, isSurelyBinary, readMediaType } from './mediaType.ts';
import { readUnpacked } from './unpack.ts';

/** Characters of the page with which a server says that there is none. */
const MAX_ERROR_TEXT = 2_000;
const MAX_TITLE = 300;

/**
 * Reads an answer as a page. Rejects with `unavailable` for a body that isn't text, and for one that breaks or can't be
 * unpacked; with the error of the connection where that breaks.
 */
export async function readPage(message: IncomingMessage, url: URL, maxBytes: number, signal: AbortSignal): Promise<WebPage> {
  const { statusCode: status = 0, headers } = message;
  const type = readMediaType(headers['content-type']);
  const isFailure = status >= 400;
  // What can't be used isn't loaded.
  if (isSurelyBinary(type) && !isFailure) throw notText(url, type.name, saidSize(headers['content-length']));
  const { bytes, isCut } = await readUnpacked(message, isFailure ? Math.min(maxBytes, 500_000) : maxBytes);
  const head = { url: url.href, status, mediaType: type.name };
  switch (bodyKind(type, bytes)) {
    case 'binary':
      if (isFailure) return { ...head, text: '', isCut: false };
      throw notText(url, type.name || 'data of no stated type', `${isCut ? 'more than ' : ''}${sizeText(bytes.length)}`);
    case 'text':
      return { ...head, ...shortened(decodeText(bytes, type.charset), isCut, isFailure) };
    case 'html': {
      const { title, markdown, isCut: isPart } = await readHtmlApart(decodeText(bytes, type.charset), url, signal);
      const name = truncate(oneLine(title), MAX_TITLE);
      return { ...head, ...(name !== '' && { title: name }), ...shortened(markdown, isCut || isPart, isFailure) };
    }
  }
}

function shortened(text: string, isCut: boolean, isFailure: boolean): Pick<WebPage, 'text' | 'isCut'> {
  return isFailure && text.length > MAX_ERROR_TEXT ? { text: truncate(text, MAX_ERROR_TEXT), isCut: true } : { text: text.toWellFormed(), isCut };
}

function notText(url: URL, type: string, size: string): AppError {
  return new AppError('unavailable', `${url.href} is no text: ${truncate(oneLine(type), 100)}, ${size}. Look for a page that says the same in text.`);
}

function saidSize(header: string | undefined): string {
  return header !== undefined && /^\d{1,15}$/.test(header) ? `${sizeText(Number(header))} as its server says` : 'of unknown size';
}

function sizeText(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
