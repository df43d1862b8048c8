// An agent that lives as long as its host: any number of conversations, groups that run beside them, one stream of events.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnthropicProvider, createLiteAgent, createOfflineProvider } from 'subagent-panel/runtime';

const key = process.env['ANTHROPIC_API_KEY'];
if (!key) console.log('This is a demo: without ANTHROPIC_API_KEY a scripted search answers, not an AI.\n');
// An agent on the same folder later finds its groups and conversations again. This one is thrown away.
const storageDir = await mkdtemp(join(tmpdir(), 'long-lived-'));

const agent = await createLiteAgent({
  cwd: process.cwd(),
  storageDir,
  provider: key ? createAnthropicProvider({ apiKey: async () => key }) : createOfflineProvider(),
  model: key ? { provider: 'anthropic', model: process.env['ANTHROPIC_MODEL'] ?? 'claude-sonnet-5' } : { provider: 'offline', model: 'demo' },
  maxParallelSubagents: 2,
  // Nobody is asked here, so that whatever no rule allows is denied.
  permissions: { user: { allow: ['Bash(echo:*)'] } },
});

// Everything that happens comes in here, whoever started it.
const completed = new Promise<void>((resolve) => {
  agent.subscribe((event) => {
    if (event.type === 'child.started') console.log('started:', agent.child(event.agentId)?.displayName);
    if (event.type === 'approval.decided') console.log(`${event.decision.kind}:`, event.request.action);
    if (event.type === 'group.settled') console.log('group:', event.status);
    // After a group its session takes one turn by itself, to act on the results.
    if (event.type === 'turn.ended' && event.cause.kind === 'completion') resolve();
  });
});

const session = await agent.openSession();
// The answer comes at once; the group goes on.
const first = await session.send('- run echo from one\n- run touch from-two.txt\n- sleep 0.1');
console.log('answer:', first.status === 'completed' ? first.text.split('\n')[0] : first);
await completed;

for (const group of agent.groups()) {
  for (const child of group.children) console.log(`${child.displayName}: ${child.status}, ${child.toolCalls} calls, ${child.denials} denied`);
}

// Cancels what still runs and waits for it. Nothing is left: no timer, no process, no listener.
await agent.close();
await rm(storageDir, { recursive: true });
console.log('closed');
