import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { Log } from '../../../src/runtime/domain/ports.ts';
import { delegating, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { ScriptedModel, type Script } from '../../support/scriptedModel.ts';

const MARKER = 'marker-4711';
const SECRETS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GITHUB_TOKEN', 'MY_SECRET', 'DB_PASSWORD'];

class ModelWithKey extends ScriptedModel {
  readonly apiKey = `${MARKER}-given-to-the-provider`;
}

function listeningLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  return { lines, log: { trace: add, debug: add, info: add, warn: add, error: add } };
}

async function storedTexts(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
}

describe("secrets of the host's environment", () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** A child that runs the commands, each allowed by a person; resolves to what it heard. */
  async function heard(commands: readonly string[], options: Parameters<typeof startAgent>[1] = {}): Promise<readonly string[]> {
    const script: Script = delegating({ A: [{ calls: commands.map((command) => ({ name: 'Bash', input: { command } })) }, { text: 'done' }] });
    const provider = new ModelWithKey(script);
    const env = { PATH: process.env['PATH'], HARMLESS: 'seen', ...Object.fromEntries(SECRETS.map((name) => [name, `${MARKER}-${name}`])) };
    fixture = await startAgent([], { env, provider, ...options });
    const { agent, recorder } = fixture;
    agent.approvals.attach();
    agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void agent.approvals.decide(event.request.id, { kind: 'allow_once' });
    });
    await (await agent.openSession()).send('go');
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    return provider.requests.flatMap((request) => (request.tools.some(({ name }) => name === 'Agent') ? [] : toolResults(request).map(({ text }) => text)));
  }

  it("are in nothing that a child's commands print, and in nothing that is kept or logged (case 33)", async () => {
    const { log, lines } = listeningLog();
    const [printed = '', long = ''] = await heard(['env; export -p; set; node -p process.env', 'env; seq 1 60000; env'], { log });
    assert.match(printed, /HARMLESS/);
    assert.match(long, /HARMLESS=seen/);
    await fixture.agent.close();
    const stored = await storedTexts(fixture.storageDir);
    assert.ok(stored.some((text) => text.includes('59999')), 'the long output was spilled');
    for (const text of [printed, long, JSON.stringify(fixture.recorder.events), ...stored, ...lines]) assert.ok(!text.includes(MARKER));
  });

  it('reach it only where the user says so, who can also take others away', async () => {
    const [first = ''] = await heard(['env'], { shellEnv: { keep: ['github_*'], drop: ['HARM*'] } });
    assert.match(first, new RegExp(`^GITHUB_TOKEN=${MARKER}`, 'm'));
    assert.doesNotMatch(first, /HARMLESS|MY_SECRET/);
  });

  it('follow a changed setting from the next run on', async () => {
    const env = { PATH: process.env['PATH'], MY_SECRET: MARKER };
    const call = { calls: [{ name: 'Bash', input: { command: 'env' } }] };
    fixture = await startAgent([call, { text: 'one' }, call, { text: 'two' }], { env, shellEnv: { keep: ['MY_SECRET'] } });
    const { agent, model } = fixture;
    agent.approvals.attach();
    agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void agent.approvals.decide(event.request.id, { kind: 'allow_once' });
    });
    const session = await agent.openSession();
    await session.send('go');
    agent.configure({ shellEnv: {} });
    await session.send('go');
    assert.deepEqual(model.requests.flatMap((request) => toolResults(request)).map(({ text }) => text.includes(MARKER)), [true, false]);
  });
});
