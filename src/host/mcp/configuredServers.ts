import type { WindowFacts } from '../windowFacts.ts';
import type { InputDeclaration } from './inputDeclaration.ts';
import type { FilePlace } from './mcpFile.ts';
import type { LoadedFile } from './mcpFiles.ts';
import type { WrittenServer } from './serverConfig.ts';

/** Where a server is written. */
export type ServerOrigin = { readonly kind: 'settings' } | { readonly kind: 'file'; readonly path: string; readonly at: FilePlace };

/** A server that somebody configured for this window. */
export interface ConfiguredServer {
  readonly name: string;
  readonly config: WrittenServer;
  readonly origin: ServerOrigin;
  /** What its variables mean by the workspace folder. Absolute. */
  readonly folder: string;
  /** What its inputs may be; those of settings need no declaration. */
  readonly inputs: readonly InputDeclaration[] | 'undeclared';
}

type Facts = Pick<WindowFacts, 'cwd' | 'roots' | 'isTrusted' | 'isVirtual'>;

/**
 * The servers of a window by name: those of settings first, which win, then those of its folders' files in their order,
 * of which the first wins. Restricted Mode has none, a virtual workspace no files and no processes.
 */
export function configuredServers(settings: Readonly<Record<string, WrittenServer>>, files: readonly LoadedFile[], facts: Facts): ReadonlyMap<string, ConfiguredServer> {
  if (!facts.isTrusted) return new Map();
  const folder = mainFolder(facts);
  const ofSettings = Object.entries(settings).map(([name, config]): ConfiguredServer => ({ name, config, folder, origin: { kind: 'settings' }, inputs: 'undeclared' }));
  const ofFiles = files.flatMap(({ path, folder, inputs, servers }) => servers.map(({ name, server, at }): ConfiguredServer => ({ name, config: server, folder, origin: { kind: 'file', path, at }, inputs })));
  const all = facts.isVirtual ? ofSettings.filter(({ config }) => !isProcess(config)) : [...ofSettings, ...ofFiles];
  const servers = new Map<string, ConfiguredServer>();
  for (const server of all) if (!servers.has(server.name)) servers.set(server.name, server);
  return servers;
}

/** The folders whose files count. */
export function mcpFolders({ isTrusted, isVirtual, roots }: Facts): readonly string[] {
  return isTrusted && !isVirtual ? roots : [];
}

/** What is meant by the workspace folder where nothing says which. */
export function mainFolder({ roots, cwd }: Pick<Facts, 'roots' | 'cwd'>): string {
  return roots[0] ?? cwd;
}

/** Whether a server is a process on this computer. */
export function isProcess(server: WrittenServer): boolean {
  return 'command' in server;
}
