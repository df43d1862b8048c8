import { SETTINGS } from '../ids.ts';
import { readServer, type WrittenServer } from './mcp/serverConfig.ts';
import { isRecord } from './records.ts';
import type { SettingValues } from './settingValue.ts';

/** The user's own servers by name. One that can't be used is reported and left out, and costs the others nothing. */
export function readMcpServers({ inspect, problems }: SettingValues): Readonly<Record<string, WrittenServer>> {
  // A workspace must not name programs to run by its settings, whatever VS Code lets through.
  const value = inspect(SETTINGS.mcpServers)?.globalValue;
  if (value === undefined) return {};
  if (!isRecord(value)) {
    problems.add(SETTINGS.mcpServers, 'not_servers');
    return {};
  }
  const servers = Object.entries(value).flatMap(([name, each]): [string, WrittenServer][] => {
    const reading = readServer(each);
    if (reading.ok) return [[name, reading.server]];
    problems.addServer(SETTINGS.mcpServers, name, reading.fault);
    return [];
  });
  return Object.fromEntries(servers);
}
