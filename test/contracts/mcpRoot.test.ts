import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LiteAgentOptions } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture } from '../support/agentFixture.ts';
import { heardBy, runGroup, startDefined } from '../support/definedChildren.ts';
import { fixtureServer, living, startsIn } from '../support/mcpServers.ts';
import type { Script } from '../support/scriptedModel.ts';
import { eventually } from '../support/toolContext.ts';

const HOST = fileURLToPath(new URL('../support/mcpHost.ts', import.meta.url));

describe('the MCP servers of a root agent', function () {
  this.timeout(20_000);
  let folder: string;
  let starts: string;
  let fixture: AgentFixture | undefined;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-root-')));
    starts = join(folder, 'starts');
  });
  afterEach(async () => {
    await fixture?.end();
    fixture = undefined;
    assert.deepEqual(await living(await startsIn(starts)), []);
    await rm(folder, { recursive: true, force: true });
  });

  async function start(script: Script, options: Partial<LiteAgentOptions> = {}): Promise<AgentFixture> {
    fixture = await startAgent(script, { mcpServers: { s: fixtureServer({ starts }) }, permissions: { user: { allow: ['mcp__s__*'] } }, ...options });
    return fixture;
  }
  const connected = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith('mcp__'));

  it('start with its first turn, in the folder of the runtime, and are there from turn to turn', async () => {
    const { agent, model, cwd } = await start([{ calls: [{ name: 'mcp__s__cwd', input: {} }] }, { text: 'One.' }, { text: 'Two.' }]);
    assert.deepEqual(agent.connections.list(), [{ name: 's', transport: 'stdio', status: 'closed', tools: [] }]);
    const session = await agent.openSession();
    await session.send('go');
    await session.send('again');
    assert.deepEqual(model.requests.flatMap((request) => toolResults(request).map(({ text }) => text)), [cwd]);
    assert.equal(model.requests.every((request) => connected(request).includes('mcp__s__look')), true);
    assert.equal((await startsIn(starts)).length, 1);
    assert.equal(agent.connections.list()[0]?.status, 'ready');
    model.assertClean();
  });

  it('end when the agent is closed', async () => {
    const { agent } = await start([{ text: 'Hello.' }]);
    await (await agent.openSession()).send('go');
    const pids = await startsIn(starts);
    assert.equal((await living(pids)).length, 1);
    await agent.close();
    assert.deepEqual(await living(pids), []);
  });

  it('ask before each call, whatever they say of themselves, where no rule allows it', async () => {
    const { agent, recorder } = await start([{ calls: [{ name: 'mcp__s__look', input: {} }] }, { text: 'Refused.' }], { permissions: {} });
    agent.approvals.attach();
    const turn = (await agent.openSession()).send('go');
    const { request } = await recorder.until('approval.wanted');
    assert.deepEqual([request.tool, request.preview], ['mcp__s__look', { kind: 'text', text: 's: look\n{}' }]);
    await agent.approvals.decide(request.id, { kind: 'deny' });
    await turn;
    assert.match((await recorder.until('tool.ended')).tool, /look/);
    assert.equal(recorder.of('tool.called')[0]?.activity, 's: Look around');
  });

  it('come and go with the settings', async () => {
    const { agent, model } = await start([{ text: 'One.' }, { text: 'Two.' }]);
    const session = await agent.openSession();
    await session.send('go');
    agent.configure({ mcpServers: {} });
    await session.send('again');
    assert.deepEqual(connected(model.requests.at(-1)), []);
    assert.deepEqual(agent.connections.list(), []);
  });

  it('have new tools at the next request of the same turn', async () => {
    const { agent, model, recorder } = await start((request) => {
      const turns = request.messages.filter(({ role }) => role === 'assistant').length;
      if (turns === 0) return { calls: [{ name: 'mcp__s__add', input: { name: 'late' } }] };
      if (turns === 1) return { calls: [{ name: 'mcp__s__look', input: {} }], wait: recorder.until('connection.changed', ({ server }) => server.tools.includes('late')) };
      return turns === 2 ? { calls: [{ name: 'mcp__s__late', input: {} }] } : { text: toolResults(request)[0]?.text ?? '' };
    });
    assert.deepEqual(await (await agent.openSession()).send('go'), { status: 'completed', text: 'late ran' });
    assert.deepEqual([0, 2].map((turn) => connected(model.requests[turn]).includes('mcp__s__late')), [false, true]);
  });

  it('are started anew on request', async () => {
    const { agent } = await start([{ text: 'One.' }]);
    await (await agent.openSession()).send('go');
    assert.equal((await agent.connections.restart('s')).status, 'ready');
    const [old = 0, young = 0, ...more] = await startsIn(starts);
    assert.deepEqual([await living([old, young]), more], [[young], []]);
  });

  it('are not those that the definition of a child brings, which are its alone (case 84)', async () => {
    const own = fixtureServer({ starts, tools: [{ name: 'special' }] });
    const whoHas = (requests: readonly ModelRequest[], server: string): string[] => [...new Set(requests.filter((request) => connected(request).some((name) => name.startsWith(`mcp__${server}__`))).map((request) => (isRoot(request) ? 'root' : promptOf(request))))].sort();
    fixture = await startDefined(
      { one: { fields: [`mcpServers: {own: ${JSON.stringify(own)}}`], turns: [{ calls: [{ name: 'mcp__own__special', input: {} }] }, { text: 'done' }] }, two: { fields: ['tools: [Read, s/look]'], turns: [{ text: 'done' }] }, three: { turns: [{ text: 'done' }] } },
      { mcpServers: { s: fixtureServer({ starts }) }, permissions: { user: { allow: ['mcp__own__*'] } } },
    );
    await runGroup(fixture);
    assert.deepEqual([whoHas(fixture.model.requests, 'own'), whoHas(fixture.model.requests, 's')], [['one'], ['root', 'two']]);
    assert.deepEqual(heardBy(fixture, 'one'), ['ok']);
  });

  for (const [what, stubborn] of [['their input', false], ['the next window', true]] as const) {
    it(`are ended by ${what} when their window is killed`, async () => {
      const host = spawn(process.execPath, [HOST, folder, JSON.stringify(fixtureServer({ starts, stubborn }))], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [said] = (await once(host.stdout, 'data')) as [Buffer];
      assert.equal(String(said).trim(), 'ready');
      host.kill('SIGKILL');
      await once(host, 'exit');
      if (stubborn) {
        assert.equal((await living(await startsIn(starts))).length, 1);
        fixture = await reopenAgent({ cwd: folder, storageDir: join(folder, 'storage') }, []);
      }
      await eventually(async () => (await living(await startsIn(starts))).length === 0, 'the end of the server');
    });
  }
});
