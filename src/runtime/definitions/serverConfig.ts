import { isAbsolute } from 'node:path';
import type { ServerUse } from '../domain/definitions.ts';
import type { HttpServer, McpServerConfig, StdioServer } from '../domain/mcp.ts';
import { readText, wrongType } from '../frontmatter/fields.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { readList } from '../frontmatter/lists.ts';
import type { Entry, Value } from '../frontmatter/values.ts';
import { SERVER_TYPES, WIDENING_SERVER_FIELDS } from './interop.ts';

/** What a map below a server's name says. */
export interface DeclaredServer {
  /** Absent where nothing says how to reach it: then the configured one of that name is meant. */
  readonly config?: McpServerConfig;
  readonly tools: ServerUse['tools'];
}

type Transport = { -readonly [K in keyof (Omit<StdioServer, 'type'> & Omit<HttpServer, 'type'>)]?: (StdioServer & HttpServer)[K] } & { type?: NonNullable<McpServerConfig['type']> };
type Given = Transport & { tools?: ServerUse['tools'] };
type FieldReader = (field: string, entry: Entry, given: Given, problems: Problem[]) => void;

/** Text stays as it is written: variables in it are filled in when the server is used. */
const READERS: Readonly<Record<string, FieldReader>> = {
  type(field, { value, at }, given, problems) {
    const word = readText(field, value, problems)?.toLowerCase() ?? '';
    const type = Object.hasOwn(SERVER_TYPES, word) ? SERVER_TYPES[word] : wrongType(field, '`stdio`, `http` or `sse`', value.at, problems);
    if (type === undefined) return;
    given.type = type;
    if (type !== word) problems.push({ severity: 'information', code: 'mapped', message: `\`${field}: ${word}\` is read as \`${type}\`.`, at });
  },
  command(field, { value }, given, problems) {
    const command = readText(field, value, problems);
    if (command !== undefined) given.command = command;
  },
  args(field, { value }, given, problems) {
    const args = readTexts(field, value, problems);
    if (args) given.args = args;
  },
  env(field, { value }, given, problems) {
    const env = readTextMap(field, value, problems);
    if (env) given.env = env;
  },
  cwd(field, { value }, given, problems) {
    const cwd = readText(field, value, problems);
    if (cwd === undefined) return;
    if (isAbsolute(cwd) || cwd.startsWith('${')) given.cwd = cwd;
    else wrongType(field, 'an absolute path, or begin with a variable such as `${workspaceFolder}`', value.at, problems);
  },
  url(field, { value }, given, problems) {
    const url = readText(field, value, problems);
    if (url === undefined) return;
    if (url.includes('$') || isWebAddress(url)) given.url = url;
    else wrongType(field, 'an address that begins with `https://` or `http://`', value.at, problems);
  },
  headers(field, { value }, given, problems) {
    const headers = readTextMap(field, value, problems);
    if (headers) given.headers = headers;
  },
  tools(field, { value }, given, problems) {
    const items = readList(field, value, problems);
    if (!items) return;
    const names = items.map(({ text }) => text);
    given.tools = names.includes('*') ? 'all' : [...new Set(names)];
    for (const { text, at } of items) {
      if (text !== '*' && text.includes('*')) problems.push({ severity: 'warning', code: 'unknown_tool', message: `\`${text}\` in \`${field}\` grants nothing: this is a pattern. Name whole tools, or all with \`*\`.`, at });
    }
  },
};

/** Fields that mean nothing where the server is reached the other way. */
const ONLY_PROCESS = ['args', 'env', 'cwd'];
const ONLY_ADDRESS = ['headers'];

/** Reads the map below a server's name. What is wrong in it is an error, since a mistyped server would only be missed later; then nothing comes back. */
export function readServer(field: string, { entries, at }: Extract<Value, { kind: 'map' }>, problems: Problem[]): DeclaredServer | undefined {
  const given: Given = {};
  const found: Problem[] = [];
  for (const entry of entries) {
    const path = `${field}.${entry.name}`;
    const reader = Object.hasOwn(READERS, entry.name) ? READERS[entry.name] : undefined;
    if (reader) reader(path, entry, given, found);
    else found.push(judgeUnread(path, entry));
  }
  problems.push(...found);
  if (found.some(({ severity }) => severity === 'error')) return undefined;
  const { tools = 'all', ...transport } = given;
  if (!entries.some(({ name }) => name !== 'tools' && Object.hasOwn(READERS, name))) return { tools };
  const config = toConfig(transport);
  if (typeof config === 'string') {
    problems.push({ severity: 'error', code: 'server', message: `\`${field}\` ${config}`, at });
    return undefined;
  }
  for (const { name, at: place } of entries) {
    if (!('command' in config ? ONLY_ADDRESS : ONLY_PROCESS).includes(name)) continue;
    problems.push({ severity: 'information', code: 'ignored', message: `\`${field}.${name}\` is ignored: it means nothing beside \`${'command' in config ? 'command' : 'url'}\`.`, at: place });
  }
  return { config, tools };
}

/** How the server is reached, or in words what keeps that from being known. */
function toConfig({ type, command, args, env, cwd, url, headers }: Transport): McpServerConfig | string {
  if (command !== undefined && url !== undefined) return 'has both `command` and `url`. Keep the one that is meant.';
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio') return `has a \`command\`, but its \`type\` is \`${type}\`.`;
    return { ...(type && { type }), command, ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) };
  }
  if (url !== undefined) {
    if (type === 'stdio') return 'has a `url`, but its `type` is `stdio`.';
    return { ...(type && { type }), url, ...(headers && { headers }) };
  }
  return 'needs a `command` that starts it, or the `url` where it is.';
}

function judgeUnread(field: string, { name, value, at }: Entry): Problem {
  const isOff = value.kind === 'scalar' && (value.value === null || value.value === false);
  if (!isOff && WIDENING_SERVER_FIELDS.includes(name)) {
    return { severity: 'error', code: 'unsupported', message: `\`${field}\` is not supported, and ignoring it would give the agent more than meant. To limit what it has of the server, list \`tools\`.`, at };
  }
  return { severity: 'information', code: 'ignored', message: `\`${field}\` is ignored: it is not a field of a server here.`, at };
}

function readTexts(field: string, value: Value, problems: Problem[]): readonly string[] | undefined {
  if (value.kind !== 'list') return wrongType(field, 'a list of strings', value.at, problems);
  const texts: string[] = [];
  for (const item of value.items) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') return wrongType(field, 'a list of strings; quote an entry that looks like a number', item.at, problems);
    texts.push(item.value);
  }
  return texts;
}

function readTextMap(field: string, value: Value, problems: Problem[]): Readonly<Record<string, string>> | undefined {
  if (value.kind !== 'map') return wrongType(field, 'a map from names to strings', value.at, problems);
  const texts: [string, string][] = [];
  for (const { name, value: item } of value.entries) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') return wrongType(`${field}.${name}`, 'a string; quote it if it looks like a number or a date', item.at, problems);
    texts.push([name, item.value]);
  }
  return Object.fromEntries(texts);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
