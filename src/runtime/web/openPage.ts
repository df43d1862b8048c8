import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { AppError } from '../base/errors.ts';
import { connectionError } from './networkWords.ts';
import { isPublicAddress, notPublic } from './publicHosts.ts';
import { ENCODINGS } from './unpack.ts';

export interface PageRequest {
  readonly url: URL;
  readonly userAgent: string;
  /** Checks the addresses of the host. Absent: the host may be anywhere. */
  readonly lookup?: LookupFunction;
  readonly signal: AbortSignal;
}

/** An answer of which the body wasn't read yet. */
export interface OpenPage {
  readonly message: IncomingMessage;
  /** Ends the connection, whatever came of it. Whoever got the page calls it. */
  close(): void;
}

/**
 * Asks for one page, without following redirects. Rejects with the abort error of Node, or an `AppError` in words; then
 * the connection is closed.
 */
export function openPage({ url, userAgent, lookup, signal }: PageRequest): Promise<OpenPage> {
  return new Promise<OpenPage>((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    let socket: Socket | undefined;
    const sent = request(url, {
      signal,
      headers: {
        Accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5',
        'Accept-Encoding': ENCODINGS.join(', '),
        'User-Agent': userAgent,
        // The agent isn't named, since the editor puts one in its place that knows the user's proxy.
        Connection: 'close',
      },
      ...(lookup && { lookup }),
    });
    const close = (): void => {
      sent.destroy();
      socket?.destroy();
    };
    sent.once('socket', (used) => {
      socket = used;
      // Whoever made that connection didn't check where it leads.
      const address = used.remoteAddress ?? '';
      if (lookup && sent.reusedSocket && !isPublicAddress(address)) sent.destroy(notPublic(url.hostname, address));
    });
    // Stays, since a body that breaks tells the request too.
    sent.on('error', (error) => {
      close();
      reject(signal.aborted ? error : connectionError(error, url));
    });
    const refuseSwitch = (): void => {
      close();
      reject(new AppError('unavailable', `What ${url.host} answers is no page: it switches to another protocol. Try another address.`));
    };
    sent.once('upgrade', refuseSwitch);
    sent.once('response', (message) => (message.statusCode === 101 ? refuseSwitch() : resolve({ message, close })));
    sent.end();
  });
}
