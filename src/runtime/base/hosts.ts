import { isIP, isIPv6 } from 'node:net';

/**
 * The host of an address in the one spelling by which hosts are compared: in lower case and ASCII, an IP address as
 * `127.0.0.1` or `[::1]` however it was written, without a dot at the end. Nothing where a part of a name is empty:
 * resolvers and people read such names in different ways.
 */
export function hostOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/\.$/, '');
  return host === '' || /^\.|\.\.|\.$/.test(host) ? undefined : host;
}

/** A host that a person wrote, in the spelling of `hostOf`; nothing for what is none, such as one with a port, a path or a star. */
export function readHost(text: string): string | undefined {
  const written = text.trim();
  const isName = /^[^\s/\\?#@%:*[\]]+$/.test(written);
  if (!isName && !isIPv6(written) && !/^\[[^\]]+\]$/.test(written)) return undefined;
  const url = URL.parse(`http://${isIPv6(written) ? `[${written}]` : written}/`);
  return url === null ? undefined : hostOf(url);
}

/** True for a host in the spelling of `hostOf` that is an IP address. */
export function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}
