// Two kinds of subagents, each with something of its own that neither its sibling nor the agent has: an MCP server, a tool.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireMCPConnection, Agent, createAnthropicProvider, createOfflineProvider, createRuntimeEnvironment, type ToolDefinition } from 'subagent-panel/runtime';

const key = process.env['ANTHROPIC_API_KEY'];
if (!key) console.log('This is a demo: without ANTHROPIC_API_KEY a scripted search answers, not an AI.\n');
const storageDir = await mkdtemp(join(tmpdir(), 'entries-'));
const runtime = createRuntimeEnvironment({
  cwd: process.cwd(),
  storageDir,
  provider: key ? createAnthropicProvider({ apiKey: async () => key }) : createOfflineProvider(),
  model: key ? { provider: 'anthropic', model: process.env['ANTHROPIC_MODEL'] ?? 'claude-sonnet-5' } : { provider: 'offline', model: 'demo' },
});

// Starts the server, or joins one that runs already with the same configuration. A failure is told by `status`, not thrown.
const server = await acquireMCPConnection('everything', { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] });
console.log('server:', server.status, server.error ?? `with ${server.tools.length} tools`);

const countWords: ToolDefinition = {
  name: 'CountWords',
  description: 'Counts the words of a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  isReadOnly: true,
  describe: () => 'Counting words',
  // Files, commands and addresses that a call would touch, for the permission rules: none.
  targets: () => [],
  execute: async ({ text }: { text: string }) => ({ content: [{ type: 'text', text: `${text.split(/\s+/u).filter(Boolean).length} words` }] }),
};

const agent = new Agent({
  runtime,
  subAgents: {
    // A getter, so that tools count that the server lists later.
    caller: { description: 'Uses the demo server', prompt: 'Call what you are told.', capabilities: { get connectionTools() { return server.tools; } } },
    counter: { description: 'Counts words', prompt: 'Count what you are told.', capabilities: { customTools: [countWords], allowedTools: [] } },
  },
  // What no rule allows asks here. The custom tool is allowed by a rule.
  permissions: { user: { allow: ['CountWords'] } },
  onApproval: async ({ tool, action }) => {
    console.log('allowed once:', tool, action);
    return { kind: 'allow_once' };
  },
});

const asked = agent.query('- @caller call mcp__everything__echo {"message": "hello"}\n- @counter call CountWords {"text": "one two three"}');
for await (const event of asked) {
  if (event.type === 'child.settled') console.log(event.outcome.status === 'completed' ? event.outcome.text : event.outcome);
}
await agent.close();
// Whoever connected gives back; the last one ends the server.
await server.release({ immediately: true });
await rm(storageDir, { recursive: true });
