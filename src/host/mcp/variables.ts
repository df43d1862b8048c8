import { basename, sep } from 'node:path';
import type { Environment } from '../endpoints.ts';
import type { WrittenServer } from './serverConfig.ts';

/** What a `${…}` stands for. */
export type Variable =
  | { readonly kind: 'workspaceFolder' | 'workspaceFolderBasename' | 'userHome' | 'pathSeparator' }
  | { readonly kind: 'env' | 'input'; readonly name: string }
  /** VS Code may know it, but here it means nothing. */
  | { readonly kind: 'unknown' };

/** What variables are replaced by. */
export interface VariableValues {
  /** Absolute. */
  readonly workspaceFolder: string;
  readonly userHome: string;
  readonly env: Environment;
  /** Rejects where there is no answer. */
  readonly input: (id: string) => Promise<string>;
  /** The error for a variable that means nothing here, as it is written. */
  readonly unknown: (written: string) => Error;
}

const PLAIN = ['workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator'] as const;

/** Every `${…}` of a text with what it stands for, in order. */
export function variablesIn(text: string): readonly { readonly written: string; readonly at: number; readonly variable: Variable }[] {
  return [...text.matchAll(/\$\{([^{}]*)\}/g)].map((match) => ({ written: match[0], at: match.index, variable: variableOf(match[1] ?? '') }));
}

/**
 * The server with all variables replaced, but for `envFile`, whose path alone is. What a variable stands for isn't
 * looked through for further ones. Inputs are asked for one after the other. Rejects as `input` does, and with `unknown`.
 */
export async function expandServer(server: WrittenServer, values: VariableValues): Promise<WrittenServer> {
  const text = (written: string): Promise<string> => expand(written, values);
  if ('url' in server) return { ...server, url: await text(server.url), ...(server.headers && { headers: await expandPairs(server.headers, text) }) };
  const { command, args, env, envFile, cwd } = server;
  const expanded: string[] = [];
  for (const arg of args ?? []) expanded.push(await text(arg));
  return {
    ...server,
    command: await text(command),
    ...(args && { args: expanded }),
    ...(env && { env: await expandPairs(env, text) }),
    ...(envFile !== undefined && { envFile: await text(envFile) }),
    ...(cwd !== undefined && { cwd: await text(cwd) }),
  };
}

async function expandPairs(pairs: Readonly<Record<string, string>>, text: (written: string) => Promise<string>): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const [name, written] of Object.entries(pairs)) entries.push([name, await text(written)]);
  return Object.fromEntries(entries);
}

async function expand(text: string, values: VariableValues): Promise<string> {
  let expanded = '';
  let end = 0;
  for (const { written, at, variable } of variablesIn(text)) {
    expanded += text.slice(end, at) + (await valueOf(variable, written, values));
    end = at + written.length;
  }
  return expanded + text.slice(end);
}

async function valueOf(variable: Variable, written: string, values: VariableValues): Promise<string> {
  switch (variable.kind) {
    case 'workspaceFolder':
      return values.workspaceFolder;
    case 'workspaceFolderBasename':
      return basename(values.workspaceFolder);
    case 'userHome':
      return values.userHome;
    case 'pathSeparator':
      return sep;
    case 'env':
      // As VS Code has it: one that isn't set is empty.
      return values.env[variable.name] ?? '';
    case 'input':
      return values.input(variable.name);
    case 'unknown':
      throw values.unknown(written);
  }
}

function variableOf(name: string): Variable {
  const plain = PLAIN.find((one) => one === name);
  if (plain !== undefined) return { kind: plain };
  const [, kind, of] = /^(env|input):(.+)$/s.exec(name) ?? [];
  return (kind === 'env' || kind === 'input') && of !== undefined ? { kind, name: of } : { kind: 'unknown' };
}
