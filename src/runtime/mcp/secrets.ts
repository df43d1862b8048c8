import { maskText, SECRET_MASK } from '../base/maskText.ts';
import { oneLine } from '../base/text.ts';
import type { ServerTarget } from './config.ts';

/** Shorter values are no secrets, and hiding `1` or `on` everywhere would make a text unreadable. */
const SHORTEST = 4;
/** The same for one line of several: a brace or a word alone says nothing. */
const SHORTEST_LINE = 8;
/** Parts of a path that are no words: long, or letters and digits together. */
const KEY_IN_PATH = /^(?:.{20,}|(?=.*\d)(?=.*\p{L}).{12,})$/u;

/** What hides a server's secrets in a text: values of its variables and headers, what its address carries, and what looks like a key of anybody's. */
export function maskFor(target: ServerTarget): (text: string) => string {
  // The longest first: a part of it may be another one.
  const secrets = [...new Set(secretsOf(target).flatMap(formsOf))].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return (text) => maskText(secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), text));
}

/** How a secret may look in what is said: as it is, on one line, as JSON, or only a line of it. */
function formsOf(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const parts = lines.length > 1 ? lines.filter((line) => line.length >= SHORTEST_LINE) : [];
  return [secret, ...parts].flatMap((form) => [form, oneLine(form), JSON.stringify(form).slice(1, -1)]);
}

function secretsOf(target: ServerTarget): readonly string[] {
  if (target.kind === 'stdio') return Object.values(target.env);
  const { pathname, search, searchParams } = new URL(target.url);
  const inUrl = [...searchParams.values()].flatMap((value) => [value, encodeURIComponent(value)]);
  const inPath = pathname.split('/').filter((part) => KEY_IN_PATH.test(part));
  // `Bearer x`: the key alone is the secret.
  const inHeaders = Object.values(target.headers).flatMap((value) => [value, ...value.split(/\s+/).filter((word) => !/^(bearer|basic)$/i.test(word))]);
  return [search.slice(1), ...inUrl, ...inPath, ...inHeaders, ...inHeaders.flatMap(decodedPair)];
}

/** The name and password of basic authentication. */
function decodedPair(value: string): readonly string[] {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, 'base64').toString();
  return [pair, pair.slice(pair.indexOf(':') + 1)];
}
