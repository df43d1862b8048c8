import { hostOf, readHost } from '../base/hosts.ts';

interface ListedHost {
  /** As `hostOf` writes it. */
  readonly host: string;
  readonly withSubdomains: boolean;
  /** Any where it is absent. */
  readonly port?: string;
}

const FORM = /^(?:https?:\/\/)?(\*\.)?(\[[^\]]+\]|[^[\]/:*@\s?#]+)(?::(\d{1,5}))?\/?$/i;

/** Whether an address is at one of the hosts in a list of `host`, `host:port`, `*.host` and `*.host:port`. What is none of these means no host. */
export function listedHosts(list: readonly string[]): (url: URL) => boolean {
  const listed = list.flatMap((entry) => readEntry(entry) ?? []);
  return (url) => {
    const host = hostOf(url);
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return host !== undefined && listed.some((each) => (each.withSubdomains ? host.endsWith(`.${each.host}`) : host === each.host) && (each.port === undefined || each.port === port));
  };
}

/** Whether an entry of such a list means a host at all. */
export function isHostEntry(entry: string): boolean {
  return readEntry(entry) !== undefined;
}

function readEntry(entry: string): ListedHost | undefined {
  const [, star, written = '', port] = FORM.exec(entry.trim()) ?? [];
  const host = readHost(written);
  if (host === undefined) return undefined;
  return { host, withSubdomains: star !== undefined, ...(port !== undefined && { port: String(Number(port)) }) };
}
