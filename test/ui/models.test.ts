import assert from 'node:assert/strict';
import { startProduct } from '../support/product.ts';
import { callsOf, messageText, offers, startModelServer, textsOf, type ChatCompletionRequest, type ModelServer, type ServedRequest } from '../support/modelServer.ts';
import { Subagents } from '../support/subagents.ts';

interface Wire {
  readonly name: string;
  readonly path: string;
  readonly settings: (url: string) => Readonly<Record<string, unknown>>;
}

const WIRES: readonly Wire[] = [
  { name: 'Anthropic Messages', path: '/v1/messages', settings: (url) => ({ 'subagents.provider': 'anthropic', 'subagents.baseUrl': url }) },
  { name: 'OpenAI Responses', path: '/v1/responses', settings: (url) => ({ 'subagents.provider': 'openai', 'subagents.baseUrl': `${url}/v1`, 'subagents.api': 'responses' }) },
  { name: 'OpenAI Chat Completions', path: '/v1/chat/completions', settings: (url) => ({ 'subagents.provider': 'openai', 'subagents.baseUrl': `${url}/v1` }) },
];

const TASKS = [
  { display_name: 'Wire reader', subagent_type: 'Explore', prompt: 'Read the README.' },
  { display_name: 'Wire runner', prompt: 'Run the command.' },
];

/** Plays the root, which delegates both tasks, and each of the children. */
function answer(request: ChatCompletionRequest): ReturnType<Parameters<typeof startModelServer>[0]> {
  const said = textsOf(request, 'user');
  const results = textsOf(request, 'tool');
  if (offers(request, 'Agent')) {
    if (said.some((text) => text.includes('<background-task-completed'))) return { content: 'Both reports are in: the wire holds.' };
    return callsOf(request).includes('Agent') ? { content: 'I handed out two tasks.' } : { content: 'On it.', toolCalls: [{ name: 'Agent', arguments: JSON.stringify({ tasks: TASKS }) }] };
  }
  if (results.length > 0) return { content: `It says: ${results.join('\n').slice(0, 60)}` };
  if (said[0]?.startsWith('Read')) return { content: '', toolCalls: [{ name: 'Read', arguments: JSON.stringify({ file_path: 'README.md' }) }] };
  return { content: 'Running it.', toolCalls: [{ name: 'Bash', arguments: JSON.stringify({ command: 'echo over-the-wire' }) }] };
}

describe('the whole job on a real wire', () => {
  for (const { name, path, settings } of WIRES) {
    it(`is done on ${name}: delegated, approved, reported, reviewed`, async () => {
      const server = await startModelServer(answer);
      const subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.model': 'wire-1', ...settings(server.url) } }));
      try {
        await run(subagents);
        assertServed(server, path);
      } finally {
        await subagents.product.stop();
        await server.stop();
      }
    });
  }
});

describe('tiers in the chat view', () => {
  it('answer with the default one where nobody has picked any, whatever they are called', async () => {
    const server = await startModelServer(answer);
    const tier = (model: string): object => ({ provider: 'openai', baseUrl: `${server.url}/v1`, model });
    const subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.models': { simple: tier('b-small'), medium: tier('c-middle'), complex: tier('a-big') } } }));
    try {
      await run(subagents);
      assert.deepEqual([...new Set(server.requests().map(({ body }) => body.model))], ['c-middle']);
    } finally {
      await subagents.product.stop();
      await server.stop();
    }
  });
});

async function run(subagents: Subagents): Promise<void> {
  const { workbench } = subagents.product;
  await subagents.begin();
  await subagents.say('Please look into both things.');
  await subagents.waitForChild('Wire runner', 'waiting');
  const toast = await workbench.notifications.waitFor('echo over-the-wire');
  assert.match(toast.text, /Wire runner/);
  await workbench.notifications.clickLink('Wire runner', 'Allow');
  await subagents.waitForChild('Wire runner', 'review');
  await subagents.waitForChild('Wire reader', 'review');
  await workbench.chat.waitForEnd();
  assert.match(await workbench.chat.lastResponse(), /the wire holds/);

  await workbench.notifications.waitFor('Wire reader');
  await workbench.notifications.clickButton('Wire reader', 'Accept All');
  await subagents.waitForChild('Wire runner', 'completed');
  await subagents.waitForChild('Wire reader', 'completed');
  await subagents.tree.inlineAction('Wire runner', 'Open Result');
  await workbench.waitForPreview('over-the-wire');
}

/** Every request came on the one wire, and each call in it has exactly one result, in order. */
function assertServed(server: ModelServer, path: string): void {
  const requests = server.requests();
  assert.deepEqual([...new Set(requests.map((request) => request.path))], [path]);
  assert.equal(requests.length, 7, 'three turns of the root, two of each child');
  requests.forEach(assertPaired);
  const [last] = requests.filter(({ body }) => offers(body, 'Agent')).slice(-1);
  const completion = last?.body.messages.map(messageText).find((text) => text.includes('<background-task-completed')) ?? '';
  assert.match(completion, /## Wire reader[\s\S]*## Wire runner[\s\S]*over-the-wire/);
}

function assertPaired({ body: { messages } }: ServedRequest): void {
  const calls = messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
  assert.deepEqual(results, calls);
}
