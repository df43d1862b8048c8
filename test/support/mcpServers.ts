import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { processTable } from '../../src/runtime/base/processes.ts';
import type { McpConnection, McpServerConfig } from '../../src/runtime/domain/mcp.ts';
import type { ToolDefinition } from '../../src/runtime/domain/tools.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/mcp/server.mjs', import.meta.url));

/** What the server of the fixtures is told; see there. */
export interface FixtureOptions {
  readonly starts?: string;
  readonly tools?: readonly object[];
  readonly stubborn?: boolean;
  readonly mute?: boolean;
  readonly hangs?: string;
  readonly lateTools?: string;
}

/** The server of the fixtures over stdio. */
export function fixtureServer(options: FixtureOptions = {}): Extract<McpServerConfig, { command: string }> {
  return { command: process.execPath, args: [FIXTURE, JSON.stringify(options)] };
}

/** The real test servers, by the file that starts them. */
export function installedServer(name: 'everything' | 'filesystem', ...args: readonly string[]): Extract<McpServerConfig, { command: string }> {
  return { command: process.execPath, args: [fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url)), ...args] };
}

/** Numbers of the processes that a fixture has noted, oldest first; none before its first start. */
export async function startsIn(file: string): Promise<readonly number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '').map(Number);
}

/** Those of the processes that live. */
export async function living(pids: readonly number[]): Promise<readonly number[]> {
  const table = await processTable();
  return pids.filter((pid) => table.some((entry) => entry.pid === pid));
}

/** A tool by the name that its server has for it. */
export function toolOf({ tools, name: server }: Pick<McpConnection, 'tools' | 'name'>, tool: string): ToolDefinition {
  const found = tools.find(({ name }) => name === `mcp__${server}__${tool}`);
  if (!found) throw new Error(`${server} lists no ${tool}.`);
  return found;
}
