import { bareHost } from './webAddress.ts';

interface ListedHost {
  /** As `bareHost` writes it. */
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
    const host = bareHost(url);
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return listed.some((each) => (each.withSubdomains ? host.endsWith(`.${each.host}`) : host === each.host) && (each.port === undefined || each.port === port));
  };
}

/** Whether an entry of such a list means a host at all. */
export function isHostEntry(entry: string): boolean {
  return readEntry(entry) !== undefined;
}

function readEntry(entry: string): ListedHost | undefined {
  const [, star, written = '', port] = FORM.exec(entry.trim()) ?? [];
  const url = URL.parse(`http://${written}/`);
  if (written === '' || url === null) return undefined;
  return { host: bareHost(url).replace(/\.+$/, ''), withSubdomains: star !== undefined, ...(port !== undefined && { port: String(Number(port)) }) };
}
