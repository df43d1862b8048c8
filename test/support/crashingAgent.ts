/**
 * A process to be killed: `node crashingAgent.ts <folder>` starts a group of three on that folder, of which A ends, B
 * hangs in a command, and C waits for a slot. Then it says `ready` and lives on.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLiteAgent } from '../../src/runtime/runtime.ts';
import { isRoot, promptOf } from './agentFixture.ts';
import { ScriptedModel, type ScriptedTurn } from './scriptedModel.ts';

const [folder = '', marker = ''] = process.argv.slice(2);
const command = `sleep 600; echo ${marker}`;

const model = new ScriptedModel((request): ScriptedTurn => {
  if (isRoot(request)) return { text: 'Noted.' };
  if (promptOf(request) === 'A') return { text: 'From A.' };
  return { calls: [{ name: 'Bash', input: { command } }] };
});
const agent = await createLiteAgent({
  cwd: folder,
  storageDir: join(folder, 'storage'),
  provider: model,
  model: { provider: 'scripted', model: 'm' },
  env: { PATH: process.env['PATH'] },
  maxParallelSubagents: 1,
  permissions: { user: { allow: ['Bash'] } },
  tasks: true,
});
agent.subscribe((event) => {
  if (event.type === 'task.changed' && agent.tasks.list().map(({ status }) => status).join() === 'review,in_progress,pending') void sayWorking();
  if (event.type === 'tool.called') process.stdout.write('calling\n');
});
/** By then all that came before has been stored, and nobody has to wait for a lock that is never given back. */
async function sayWorking(): Promise<void> {
  while (existsSync(join(folder, 'storage', 'tasks', 'tasks.json.lock'))) await new Promise((next) => setImmediate(next));
  process.stdout.write('working\n');
}

const session = await agent.openSession();
await session.delegate(['A', 'B', 'C'].map((name) => ({ display_name: name, prompt: name })), { turnId: 't1' });
// Nothing else would keep it alive once the command has ended.
setInterval(() => undefined, 60_000);
