import type { HttpServer, StdioServer } from '../../runtime/domain/mcp.ts';
import { isRecord } from '../records.ts';

/** A server as a person wrote it: its texts may hold variables, which are replaced right before it is connected. */
export type WrittenServer = WrittenStdio | HttpServer;

export interface WrittenStdio extends StdioServer {
  /** A file with further variables of the environment; those of `env` win. */
  readonly envFile?: string;
}

/** Why something is no server. `field`: the one that has a value of the wrong kind. */
export type ServerFault =
  | { readonly kind: 'not_an_object' | 'no_command' | 'no_url' | 'neither' | 'unknown_type' }
  | { readonly kind: 'not_text' | 'not_texts' | 'not_pairs'; readonly field: string };

export type ServerReading = { readonly ok: true; readonly server: WrittenServer } | { readonly ok: false; readonly fault: ServerFault };

/** Reads a server of settings or of a file, in VS Code's own form. Fields that mean nothing here are ignored. */
export function readServer(value: unknown): ServerReading {
  if (!isRecord(value)) return { ok: false, fault: { kind: 'not_an_object' } };
  switch (value['type'] ?? kindOf(value)) {
    case 'stdio':
      return readStdio(value);
    case 'http':
      return readHttp(value, 'http');
    case 'sse':
      return readHttp(value, 'sse');
    case undefined:
      return { ok: false, fault: { kind: 'neither' } };
    default:
      return { ok: false, fault: { kind: 'unknown_type' } };
  }
}

function kindOf(value: Readonly<Record<string, unknown>>): 'stdio' | 'http' | undefined {
  if (value['command'] !== undefined) return 'stdio';
  return value['url'] === undefined ? undefined : 'http';
}

function readStdio(value: Readonly<Record<string, unknown>>): ServerReading {
  const { command, args, env, envFile, cwd } = value;
  if (command === undefined || command === '') return { ok: false, fault: { kind: 'no_command' } };
  if (!isText(command)) return notText('command');
  if (args !== undefined && !isTexts(args)) return { ok: false, fault: { kind: 'not_texts', field: 'args' } };
  if (envFile !== undefined && !isText(envFile)) return notText('envFile');
  if (cwd !== undefined && !isText(cwd)) return notText('cwd');
  const pairs = env === undefined ? {} : readPairs(env);
  if (pairs === undefined) return { ok: false, fault: { kind: 'not_pairs', field: 'env' } };
  return { ok: true, server: { type: 'stdio', command, ...(args && { args }), ...(env !== undefined && { env: pairs }), ...(envFile !== undefined && { envFile }), ...(cwd !== undefined && { cwd }) } };
}

function readHttp(value: Readonly<Record<string, unknown>>, type: 'http' | 'sse'): ServerReading {
  const { url, headers } = value;
  if (url === undefined || url === '') return { ok: false, fault: { kind: 'no_url' } };
  if (!isText(url)) return notText('url');
  const pairs = headers === undefined ? {} : readPairs(headers);
  if (pairs === undefined) return { ok: false, fault: { kind: 'not_pairs', field: 'headers' } };
  return { ok: true, server: { type, url, ...(headers !== undefined && { headers: pairs }) } };
}

/** Names with their texts. Numbers and switches are taken as text, as people write ports without quotes; `null` stands for no value. */
function readPairs(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  const texts = entries.map(([name, each]) => [name, isText(each) || typeof each === 'number' || typeof each === 'boolean' ? String(each) : undefined] as const);
  const good = texts.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  return good.length === texts.length ? Object.fromEntries(good) : undefined;
}

function notText(field: string): ServerReading {
  return { ok: false, fault: { kind: 'not_text', field } };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
