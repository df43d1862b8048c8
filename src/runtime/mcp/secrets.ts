import { maskText, SECRET_MASK } from '../base/maskText.ts';
import type { ServerTarget } from './config.ts';

/** Shorter values are no secrets, and hiding `1` or `on` everywhere would make a text unreadable. */
const SHORTEST = 4;

/** What hides a server's secrets in a text: values of its variables and headers, what its address carries, and what looks like a key of anybody's. */
export function maskFor(target: ServerTarget): (text: string) => string {
  // The longest first: a part of it may be another one.
  const secrets = [...new Set(secretsOf(target))].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return (text) => maskText(secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), text));
}

function secretsOf(target: ServerTarget): readonly string[] {
  if (target.kind === 'stdio') return Object.values(target.env);
  const { search, searchParams } = new URL(target.url);
  const inUrl = [...searchParams.values()].flatMap((value) => [value, encodeURIComponent(value)]);
  // `Bearer x`: the key alone is the secret.
  const inHeaders = Object.values(target.headers).flatMap((value) => [value, ...value.split(/\s+/).filter((word) => !/^(bearer|basic)$/i.test(word))]);
  return [search.slice(1), ...inUrl, ...inHeaders, ...inHeaders.flatMap(decodedPair)];
}

/** The name and password of basic authentication. */
function decodedPair(value: string): readonly string[] {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, 'base64').toString();
  return [pair, pair.slice(pair.indexOf(':') + 1)];
}
