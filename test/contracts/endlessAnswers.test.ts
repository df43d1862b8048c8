import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLIENTS = new URL('../../src/runtime/providers/', import.meta.url);
const STREAM = { status: 200, type: 'text/event-stream' };

interface Flood {
  readonly status: number;
  readonly type: string;
  /** What is sent once, and then again and again. */
  readonly start?: string;
  readonly piece: string;
}

/** A process with little memory asks a server that never stops, and prints the last event. */
function askEndless(create: string, flood: Flood): { readonly stdout: string; readonly stderr: string } {
  const client = new URL(`${create === 'createAnthropicProvider' ? 'anthropic' : 'openai'}/client.ts`, CLIENTS);
  const script = `
    import { once } from 'node:events';
    import { createServer } from 'node:http';
    import { ${create} } from ${JSON.stringify(client.href)};
    const { status, type, start = '', piece } = JSON.parse(process.env.FLOOD);
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': type }).write(start);
      const push = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', push);
      };
      push();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const provider = ${create}({ baseUrl: 'http://127.0.0.1:' + server.address().port, apiKey: async () => 'some-key' });
    const messages = [{ role: 'user', source: 'user', content: [{ type: 'text', text: 'Hi.' }] }];
    for await (const event of provider.stream({ model: 'm', system: '', messages, tools: [], signal: new AbortController().signal })) {
      if (event.type === 'end') console.log(JSON.stringify(event));
    }
    process.exit(0);
  `;
  const env = { PATH: process.env['PATH'], FLOOD: JSON.stringify(flood) };
  return spawnSync(process.execPath, ['--max-old-space-size=256', '--input-type=module', '-e', script], { encoding: 'utf8', timeout: 60_000, env, cwd: fileURLToPath(CLIENTS) });
}

const LONG = 'a'.repeat(64 * 1024);
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chatDelta = (delta: object): string => event({ choices: [{ index: 0, delta }] });

describe('an answer without an end', function () {
  this.timeout(60_000);

  const cases: Readonly<Record<string, readonly [string, Flood, RegExp]>> = {
    'in one event': ['createOpenAiProvider', { ...STREAM, start: 'data: ', piece: LONG }, /an event of more than 16 MB/u],
    'in one event of many lines': ['createAnthropicProvider', { ...STREAM, piece: `data: ${LONG}\n` }, /an event of more than 16 MB/u],
    'in text': ['createOpenAiProvider', { ...STREAM, piece: chatDelta({ content: LONG }) }, /more than 16 MB of text/u],
    'in thinking': ['createAnthropicProvider', { ...STREAM, start: event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking' } }), piece: event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: LONG } }) }, /more than 16 MB of text/u],
    'in the arguments of a call': ['createOpenAiProvider', { ...STREAM, piece: chatDelta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'Read', arguments: LONG } }] }) }, /more than 100 MB/u],
    'in lines that are no events': ['createAnthropicProvider', { ...STREAM, piece: `: ${LONG}\n\n` }, /more than 100 MB/u],
    "in a failure's body": ['createAnthropicProvider', { status: 500, type: 'text/plain', piece: LONG }, /status 500/u],
    "in a failure's body of OpenAI's wire": ['createOpenAiProvider', { status: 400, type: 'text/plain', piece: LONG }, /status 400/u],
  };
  for (const [what, [create, flood, said]] of Object.entries(cases)) {
    it(`${what}: fails before the memory is full, and says why`, () => {
      const { stdout, stderr } = askEndless(create, flood);
      assert.match(stdout, /"stop":"error"/u, stderr.slice(0, 1000));
      assert.match(stdout, said);
      if (flood.status === 200) assert.match(stdout, /"failure":"error"/u);
    });
  }
});
