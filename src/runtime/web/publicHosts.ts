import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { AppError } from '../base/errors.ts';
import { bareHost } from './webAddress.ts';

/** All addresses of a name, as the system knows them. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

const systemLookup = promisify(lookup);
export const resolveBySystem: ResolveHost = (hostname) => systemLookup(hostname, { all: true });

/** Names that by their definition are never those of the public web. */
const PRIVATE_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|home\.arpa|localdomain)$/;

/** Whether an IP address is one of the public internet: not of this computer, a private network, a tunnel into one, or reserved. */
export function isPublicAddress(address: string): boolean {
  // Only the forms that the system writes: no zones, no octal numbers.
  if (isIP(address) === 0 || address.includes('%')) return false;
  // An IPv4 address that is written as IPv6 is judged as what it is.
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || isGlobal(parsed));
}

/** Of IPv6, `2000::/3` alone is given out for the public internet. */
function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.kind() === 'ipv6' && ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

/** Throws `denied` for a host that says by its own spelling that it isn't of the public web. */
export function checkSpelledHost(url: URL): void {
  const host = bareHost(url);
  if (isIP(host) === 0 ? PRIVATE_NAME.test(host) : !isPublicAddress(host)) throw notPublic(host);
}

/**
 * How a connection finds the address of its host: asked once for each connection, and what it finds is what is connected
 * to, so that a name can't mean another address a moment later. One address that isn't public denies the whole name.
 */
export function publicLookup(resolve: ResolveHost): LookupFunction {
  return (hostname, options, answer) => {
    void resolvePublic(resolve, hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) answer(null, [...addresses]);
        else answer(null, first?.address ?? '', first?.family ?? 0);
      },
      (error: unknown) => answer(error as NodeJS.ErrnoException, ''),
    );
  };
}

async function resolvePublic(resolve: ResolveHost, hostname: string): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(hostname);
  const hidden = addresses.find(({ address }) => !isPublicAddress(address));
  if (hidden !== undefined) throw notPublic(hostname, hidden.address);
  if (addresses.length === 0) throw new AppError('not_found', `The host ${hostname} has no address. Check its spelling.`);
  return addresses;
}

/** `address`: what the host's name led to. */
export function notPublic(host: string, address?: string): AppError {
  const what = address === undefined || address === host ? `${host} is` : `${host} has the address ${address}, which is`;
  return new AppError('denied', `${what} not in the public internet but on this computer, in its network, or reserved, and nothing is fetched from there unless the user lists the host in the setting subagents.webFetch.allowPrivateHosts. Don't try to get around it.`);
}
