/**
 * A process to be killed: `node mcpHost.ts <folder> <server>` starts an agent on that folder, connects its root to the
 * server, whose configuration is JSON, says `ready`, and lives on.
 */
import { join } from 'node:path';
import type { McpServerConfig } from '../../src/runtime/domain/mcp.ts';
import { createLiteAgent } from '../../src/runtime/runtime.ts';
import { ScriptedModel } from './scriptedModel.ts';

const [folder = '', server = '{}'] = process.argv.slice(2);
const agent = await createLiteAgent({
  cwd: folder,
  storageDir: join(folder, 'storage'),
  provider: new ScriptedModel(() => ({ text: 'Hello.' })),
  model: { provider: 'scripted', model: 'm' },
  mcpServers: { s: JSON.parse(server) as McpServerConfig },
});
await (await agent.openSession()).send('go');
process.stdout.write(`${agent.connections.list()[0]?.status ?? 'missing'}\n`);
setInterval(() => undefined, 60_000);
