import { AppError } from '../base/errors.ts';
import { hostOf } from '../base/hosts.ts';
import { oneLine, truncate } from '../base/text.ts';

const MAX_LENGTH = 8_000;

/**
 * Reads an address of the web, as people or pages write it. Without its fragment, and without a dot at the end of its
 * host, which means nothing. Throws `invalid_input`.
 */
export function readWebAddress(text: string): URL {
  const shown = truncate(oneLine(text), 200);
  if (text.length > MAX_LENGTH) throw new AppError('invalid_input', `This address is longer than ${MAX_LENGTH} characters: ${shown}`);
  const url = URL.parse(text.trim());
  if (url === null) throw new AppError('invalid_input', `This is no address: ${shown}. Give a whole one, such as https://example.org/page.`);
  if (!/^https?:$/.test(url.protocol)) throw new AppError('invalid_input', `Only http and https addresses can be fetched, not ${url.protocol}`);
  // Not shown: they would stand in transcripts.
  if (url.username !== '' || url.password !== '') throw new AppError('invalid_input', 'An address must not hold a user name or password. Give it without them.');
  url.hash = '';
  const host = hostOf(url);
  if (host === undefined) throw new AppError('invalid_input', `This is no name of a host: ${shown}. Check its dots.`);
  url.hostname = host;
  return url;
}

/** The host as an address or name, without the brackets of IPv6. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
