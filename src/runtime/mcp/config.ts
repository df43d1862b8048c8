import { isAbsolute } from 'node:path';
import { AppError } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import type { McpServerConfig } from '../domain/mcp.ts';
import { unusableWords } from './problemWords.ts';

/** A server as it is connected to: a configuration that was checked, with nothing left open. */
export type ServerTarget =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd?: string }
  /** `url` holds no name and password; they are in `headers`. */
  | { readonly kind: 'http' | 'sse'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Longest name of a server. */
const MAX_NAME = 64;

/**
 * Checks a configuration, which may come from a file that nobody checked before.
 * @throws AppError `invalid_input` naming the server and the field; never the value of a header or a variable.
 */
export function readTarget(name: string, config: McpServerConfig): ServerTarget {
  const fields: Readonly<Record<string, unknown>> = { ...config };
  const problem = nameProblem(name) ?? kindProblem(fields);
  if (problem !== undefined) throw invalid(name, problem);
  return 'command' in config ? stdioTarget(name, fields) : httpTarget(name, fields);
}

/** The same for two configurations with which the same server is reached in the same way. */
export function keyOf(target: ServerTarget): string {
  return canonicalJson(target);
}

/** Rules name tools as `mcp__server__tool`: of two servers none may have a name that reads as the beginning of another's tools, or as a pattern. */
function nameProblem(name: string): string | undefined {
  if (name.trim() === '' || name.length > MAX_NAME) return `Its name must have 1 to ${MAX_NAME} characters.`;
  return /__|_$|[*(),\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'Its name must not hold `__`, `*`, `(`, `)`, `,` or line breaks, nor end with `_`. Rename it.' : undefined;
}

function kindProblem({ type, command, url }: Readonly<Record<string, unknown>>): string | undefined {
  if (command !== undefined && url !== undefined) return 'It has both `command` and `url`. Keep one of them.';
  if (command === undefined && url === undefined) return 'It has neither `command` nor `url`. Set one of them.';
  const types: readonly unknown[] = command === undefined ? ['http', 'sse'] : ['stdio'];
  return type === undefined || types.includes(type) ? undefined : `Its \`type\` must be ${types.join(' or ')}.`;
}

function stdioTarget(name: string, { command, args = [], env = {}, cwd }: Readonly<Record<string, unknown>>): ServerTarget {
  if (!isPlain(command) || command.trim() === '') throw invalid(name, '`command` must be the program to start.');
  if (!Array.isArray(args) || !args.every(isPlain)) throw invalid(name, '`args` must be a list of texts.');
  if (cwd !== undefined && !(isPlain(cwd) && isAbsolute(cwd))) throw invalid(name, '`cwd` must be an absolute path.');
  return { kind: 'stdio', command, args, env: readTexts(name, 'env', env), ...(cwd !== undefined && { cwd }) };
}

function httpTarget(name: string, { type = 'http', url: text, headers: given = {} }: Readonly<Record<string, unknown>>): ServerTarget {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid(name, '`url` must be an address that starts with `https://` or `http://`.');
  const headers = readTexts(name, 'headers', given);
  for (const [header, value] of Object.entries(headers)) checkHeader(name, header, value);
  return { kind: type === 'sse' ? 'sse' : 'http', ...withoutUserinfo(url, headers) };
}

/** An address with a name and a password can't be fetched; they mean this header. */
function withoutUserinfo(url: URL, headers: Readonly<Record<string, string>>): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  const isAuthorized = Object.keys(headers).some((header) => header.toLowerCase() === 'authorization');
  if ((username === '' && password === '') || isAuthorized) return { url: url.href, headers };
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { url: url.href, headers: { ...headers, Authorization: `Basic ${pair}` } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign stands for itself.
    return text;
  }
}

function checkHeader(name: string, header: string, value: string): void {
  try {
    new Headers({ [header]: value });
  } catch {
    // What is thrown quotes the value.
    throw invalid(name, `The header ${JSON.stringify(header)} can't be sent: its name or value holds characters that no header may have.`);
  }
}

function readTexts(name: string, field: string, value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, `\`${field}\` must be an object.`);
  const [wrong] = Object.entries(value).find(([key, each]) => key === '' || key.includes('\0') || !isPlain(each)) ?? [];
  if (wrong !== undefined) throw invalid(name, `\`${field}.${wrong.replaceAll('\0', '')}\` must be a text.`);
  return { ...(value as Record<string, string>) };
}

/** A text that a process can be given. */
function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function invalid(name: string, problem: string): AppError {
  return new AppError('invalid_input', unusableWords(name, problem));
}
