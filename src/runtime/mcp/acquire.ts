import { SYSTEM_CLOCK } from '../base/clock.ts';
import type { AcquireConnection } from '../domain/mcp.ts';
import { ConnectionPool } from './pool.ts';

/** The client library is large, and many sessions use no server. */
const pool = new ConnectionPool({ clock: SYSTEM_CLOCK, open: async (...args) => (await import('./openLink.ts')).openLink(...args) });

/**
 * Connects to an MCP server, or joins a connection that this process has with the same configuration.
 * @param name under which its tools are known: `mcp__<name>__<tool>`
 * @param config how it is reached; nothing in it may be left open
 * @returns a share, once the server is ready or has failed, which its `status` and `error` tell. It must be released.
 * @throws AppError `invalid_input` for a configuration that makes no sense, `aborted` when the signal stops the waiting
 */
export const acquireMCPConnection: AcquireConnection = (name, config, options) => pool.acquire(name, config, options);
