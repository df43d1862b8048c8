import type { AskUser, RuntimeServices, ServiceOptions } from './domain/services.ts';
import type { ToolDefinition } from './domain/tools.ts';
import { askUserTool } from './tools/askUser.ts';
import { limitOutput } from './tools/output.ts';
import { createWebFetchTool } from './web/webFetchTool.ts';
import { webSearchTool } from './web/webSearchTool.ts';

const webFetchTool = createWebFetchTool(limitOutput);

/** The services among the options: those that there are, by the same references. `approvals`: what asks by the queue of approvals. */
export function servicesOf({ askUser, config, webFetch, webSearch, cron }: ServiceOptions, approvals: AskUser): RuntimeServices {
  return { ...(askUser && { askUser: askUser === 'approvals' ? approvals : askUser }), ...(config && { config }), ...(webFetch && { webFetch }), ...(webSearch && { webSearch }), ...(cron && { cron }) };
}

/** The built-in tools that need a service of the host, of those services that there are. */
export function serviceTools({ askUser, webFetch, webSearch }: ServiceOptions): readonly ToolDefinition[] {
  return [...(askUser ? [askUserTool] : []), ...(webFetch ? [webFetchTool] : []), ...(webSearch ? [webSearchTool] : [])];
}
