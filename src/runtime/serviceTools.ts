import type { RuntimeServices } from './domain/services.ts';
import type { ToolDefinition } from './domain/tools.ts';

/** The services among the options: those that there are, by the same references. */
export function servicesOf({ askUser, config, webFetch, webSearch, cron }: RuntimeServices): RuntimeServices {
  return { ...(askUser && { askUser }), ...(config && { config }), ...(webFetch && { webFetch }), ...(webSearch && { webSearch }), ...(cron && { cron }) };
}

/** The built-in tools that need a service of the host, of those services that there are. */
export function serviceTools(_services: RuntimeServices): readonly ToolDefinition[] {
  return [];
}
