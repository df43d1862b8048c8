import { createHash } from 'node:crypto';
import { canonicalJson } from '../../runtime/base/json.ts';
import type { WrittenServer } from './serverConfig.ts';

/** Where the answer to an input goes: a server as it is written, so that no field here holds another answer. */
export interface Destination {
  readonly server: string;
  readonly config: WrittenServer;
}

/** The fields that decide where an answer ends up, as digests by their names: it is known which have changed, and nothing of what they held. */
export type Fingerprint = Readonly<Record<string, string>>;

/** What tells one destination from another: of a process all that makes it the program that it is, of an address whose it is. */
export function fingerprintOf({ config }: Destination): Fingerprint {
  const fields: Readonly<Record<string, unknown>> = 'url' in config ? { url: ownerOf(config.url) } : stdioFields(config);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, createHash('sha256').update(canonicalJson(value)).digest('base64url')]));
}

/** Names of the fields in which two differ. */
export function changesOf(before: Fingerprint, after: Fingerprint): readonly string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].filter((name) => before[name] !== after[name]);
}

/** Where an answer goes, in a line: the command that is run, or the address. */
export function destinationText({ config }: Destination): string {
  return 'url' in config ? ownerOf(config.url) : [config.command, ...(config.args ?? [])].join(' ');
}

/** `env`, `envFile` and `cwd` too: a variable can send a program elsewhere, and a folder can hold another one. */
function stdioFields({ command, args = [], env = {}, envFile, cwd }: Extract<WrittenServer, { command: string }>): Readonly<Record<string, unknown>> {
  return { command, args, env, ...(envFile !== undefined && { envFile }), ...(cwd !== undefined && { cwd }) };
}

/** The origin; all of an address of which a variable hides that. */
function ownerOf(url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : 'null';
  return origin === 'null' || origin.includes('${') ? url : origin;
}
