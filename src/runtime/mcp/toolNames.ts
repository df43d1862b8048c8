import { createHash } from 'node:crypto';

/**
 * The name of a server's tool in this product. Characters that mean something in rules and lists, or nothing to a
 * reader, are replaced; such a name ends with a hash of the whole, so that no two become one.
 */
export function connectionToolName(server: string, tool: string): string {
  const plain = tool.replace(/[^\p{L}\p{N}_./-]/gu, '_');
  return `mcp__${server}__${plain === tool ? tool : `${plain}_${createHash('sha256').update(tool).digest('hex').slice(0, 8)}`}`;
}
