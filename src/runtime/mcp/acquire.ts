import { AppError } from '../base/errors.ts';
import type { AcquireConnection } from '../domain/mcp.ts';

export const acquireMCPConnection: AcquireConnection = async (name) => {
  throw new AppError('unavailable', `MCP servers can't be reached yet: ${name}.`);
};
