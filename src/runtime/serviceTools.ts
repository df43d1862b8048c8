import type { RuntimeServices } from './domain/services.ts';
import type { ToolDefinition } from './domain/tools.ts';
import { limitOutput } from './tools/output.ts';
import { createWebFetchTool } from './web/webFetchTool.ts';
import { webSearchTool } from './web/webSearchTool.ts';

const webFetchTool = createWebFetchTool(limitOutput);

/** The services among the options: those that there are, by the same references. */
export function servicesOf({ askUser, config, webFetch, webSearch, cron }: RuntimeServices): RuntimeServices {
  return { ...(askUser && { askUser }), ...(config && { config }), ...(webFetch && { webFetch }), ...(webSearch && { webSearch }), ...(cron && { cron }) };
}

/** The built-in tools that need a service of the host, of those services that there are. */
export function serviceTools({ webFetch, webSearch }: RuntimeServices): readonly ToolDefinition[] {
  return [...(webFetch ? [webFetchTool] : []), ...(webSearch ? [webSearchTool] : [])];
}
