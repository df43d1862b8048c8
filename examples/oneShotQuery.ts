// Asks once and ends. `query` makes an agent, sends it the prompt, waits for the subagents that it starts and for what
// it makes of their results, and closes it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnthropicProvider, createOfflineProvider, createRuntimeEnvironment, findRipgrep, query } from 'subagent-panel/runtime';

const key = process.env['ANTHROPIC_API_KEY'];
if (!key) console.log('This is a demo: without ANTHROPIC_API_KEY a scripted search answers, not an AI.\n');
const storageDir = await mkdtemp(join(tmpdir(), 'one-shot-'));
const ripgrep = await findRipgrep({ path: process.env['PATH'] ?? '' });

// What the agent and all its subagents share: a folder to work in, a model, the built-in tools.
const runtime = createRuntimeEnvironment({
  cwd: process.cwd(),
  storageDir,
  provider: key ? createAnthropicProvider({ apiKey: async () => key }) : createOfflineProvider(),
  model: key ? { provider: 'anthropic', model: process.env['ANTHROPIC_MODEL'] ?? 'claude-sonnet-5' } : { provider: 'offline', model: 'demo' },
  // `Grep` and `Glob` are offered only where there is a ripgrep.
  ...(ripgrep !== undefined && { ripgrep }),
});

const asked = query({ runtime, prompt: '- @Explore what does `./package.json` say?\n- @Explore what is in this folder?' });
for await (const event of asked) {
  switch (event.type) {
    case 'group.accepted':
      console.log('started:', event.group.children.map(({ displayName }) => displayName).join(', '));
      break;
    case 'tool.called':
      console.log(`  ${event.agent.kind === 'child' ? event.agent.displayName : 'root'}: ${event.activity}`);
      break;
    case 'child.settled':
      console.log('settled:', event.agentId, event.outcome.status);
      break;
    default:
      // There are about forty kinds; take those that you need.
      break;
  }
}

// How it ended is data, never an exception: only `completed` is a success.
const outcome = await asked.result;
console.log(`\n${outcome.status}:\n${outcome.status === 'completed' ? outcome.text : JSON.stringify(outcome)}`);
await rm(storageDir, { recursive: true });
