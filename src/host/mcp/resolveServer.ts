import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { AppError, errorText } from '../../runtime/base/errors.ts';
import { canonicalJson } from '../../runtime/base/json.ts';
import type { McpServerConfig } from '../../runtime/domain/mcp.ts';
import type { L10n } from '../../l10n.ts';
import type { WindowFacts } from '../windowFacts.ts';
import type { Environment } from '../endpoints.ts';
import { isProcess, mainFolder, type ConfiguredServer } from './configuredServers.ts';
import type { Destination } from './destination.ts';
import { undeclaredInput } from './inputDeclaration.ts';
import type { McpInputs } from './mcpInputs.ts';
import type { WrittenServer } from './serverConfig.ts';
import { expandServer } from './variables.ts';

export interface ServerResolverOptions {
  /** The window as it is now. */
  readonly facts: () => WindowFacts;
  /** The configured servers as of now, by name. */
  readonly servers: () => ReadonlyMap<string, ConfiguredServer>;
  readonly inputs: Pick<McpInputs, 'answer'>;
  /** Of this process. */
  readonly env: Environment;
  /** The text of a file; nothing where there is none. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly l10n: L10n;
}

/** Turns what was written into what can be connected, right before that: see `LiteAgentOptions.resolveServer`. No message tells a value. */
export function serverResolver(options: ServerResolverOptions): (name: string, config: McpServerConfig) => Promise<McpServerConfig> {
  const { l10n } = options;
  return async (name, config) => {
    const facts = options.facts();
    if (!facts.isTrusted) throw new AppError('denied', l10n.t('In Restricted Mode no MCP server is started. Trust this workspace first.'));
    if (facts.isVirtual && isProcess(config)) throw new AppError('unavailable', l10n.t('A virtual workspace has no processes, so only MCP servers with a “url” can be used.'));
    const known = options.servers().get(name);
    // Another one of that name is an agent's own, which isn't declared anywhere.
    const server = known && canonicalJson(known.config) === canonicalJson(config) ? known : undefined;
    const written = server?.config ?? config;
    const expanded = await expandServer(written, {
      workspaceFolder: server?.folder ?? mainFolder(facts),
      userHome: facts.homeDir,
      env: options.env,
      input: (id) => answerFor(options, { server: name, config: written }, server, id),
      unknown: (variable) => new AppError('invalid_input', l10n.t('The configuration of the MCP server {0} uses {1}, which means nothing here. Write the value itself, or use an input.', name, variable)),
    });
    return finished(expanded, server?.folder ?? mainFolder(facts), options);
  };
}

async function answerFor({ inputs, facts, l10n }: ServerResolverOptions, destination: Destination, server: ConfiguredServer | undefined, id: string): Promise<string> {
  if (server?.inputs === 'undeclared') return inputs.answer({ kind: 'settings' }, undeclaredInput(id), destination);
  const owner = { kind: 'folder', path: server?.folder ?? mainFolder(facts()) } as const;
  if (server === undefined) return inputs.answer(owner, undeclaredInput(id), destination);
  const name = destination.server;
  const input = server.inputs.find((one) => one.id === id);
  if (input === undefined) throw new AppError('invalid_input', l10n.t('The MCP server {0} needs the input “{1}”, which “inputs” of its file doesn’t declare.', name, id));
  if (input.kind === 'command') throw new AppError('invalid_input', l10n.t('The input “{0}” of the MCP server {1} would run a command of VS Code, which isn’t done here. Use “promptString” or “pickString”.', id, name));
  return inputs.answer(owner, input, destination);
}

/** Paths are made absolute, and the file of variables is read. */
async function finished(server: WrittenServer, folder: string, options: ServerResolverOptions): Promise<McpServerConfig> {
  if (!('command' in server)) return server;
  const { envFile, env, cwd = '.', ...rest } = server;
  const ofFile = envFile === undefined || envFile === '' ? {} : await readEnvFile(resolve(folder, envFile), options);
  return { ...rest, cwd: resolve(folder, cwd), env: { ...ofFile, ...env } };
}

async function readEnvFile(path: string, { readFile, l10n }: ServerResolverOptions): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(path).catch((error: unknown) => {
    throw new AppError('unavailable', l10n.t('The file of environment variables {0} can’t be read: {1}', path, errorText(error)), { cause: error });
  });
  if (text === undefined) throw new AppError('not_found', l10n.t('There is no file of environment variables {0}. Make it, or take “envFile” out.', path));
  return Object.fromEntries(Object.entries(parseEnv(text)).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
