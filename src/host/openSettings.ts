import { SETTINGS, SETTINGS_SECTION, type SettingKey } from '../ids.ts';

/** Commands and addresses of servers may hold keys, however they are written. */
const CLOSED: ReadonlySet<SettingKey> = new Set([SETTINGS.mcpServers]);

/** The key of a setting that other code may see, by its whole name; nothing for any other. */
export function openSetting(name: string): SettingKey | undefined {
  return Object.values(SETTINGS).find((key) => name === `${SETTINGS_SECTION}.${key}` && !CLOSED.has(key));
}
