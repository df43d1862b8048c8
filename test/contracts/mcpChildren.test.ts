import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../src/runtime/base/async.ts';
import { isAbort } from '../../src/runtime/base/abort.ts';
import type { AgentDefinition } from '../../src/runtime/domain/definitions.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import type { ToolDefinition } from '../../src/runtime/domain/tools.ts';
import { promptOf, toolResults } from '../support/agentFixture.ts';
import { ConnectedChildren, type ConnectedChildrenOptions } from '../support/connectedChildren.ts';
import { ManualClock } from '../support/manualClock.ts';
import { fixtureServer, living, startsIn } from '../support/mcpServers.ts';
import type { ScriptedTurn } from '../support/scriptedModel.ts';
import { eventually } from '../support/toolContext.ts';

const ALL = { tools: 'all' } as const;

describe('children on MCP servers', function () {
  this.timeout(20_000);
  let starts: string;
  let clock: ManualClock;
  let children: ConnectedChildren;
  beforeEach(() => {
    starts = join(tmpdir(), `starts-${process.pid}-${Math.random().toString(36).slice(2)}`);
    clock = new ManualClock();
  });
  afterEach(async () => {
    await children.end();
    assert.deepEqual(await living(await startsIn(starts)), []);
    await rm(starts, { force: true });
  });

  const start = async (options: ConnectedChildrenOptions): Promise<void> => {
    children = await ConnectedChildren.start({ clock, servers: { s: fixtureServer({ starts }) }, ...options });
  };
  const toolsOf = (request: ModelRequest): string[] => request.tools.map(({ name }) => name).sort();
  const turnOf = (request: ModelRequest): number => request.messages.filter(({ role }) => role === 'assistant').length;
  /** Follows the turns by number, then ends with what the last call gave. */
  const following = (turns: readonly ((request: ModelRequest) => ScriptedTurn)[]) => (request: ModelRequest): ScriptedTurn => turns[turnOf(request)]?.(request) ?? { text: toolResults(request)[0]?.text ?? 'done' };
  const calling = (name: string, input: object = {}) => (): ScriptedTurn => ({ calls: [{ name, input }] });
  const gone = async (): Promise<void> => {
    clock.advance(3_000);
    await eventually(async () => (await living(await startsIn(starts))).length === 0 && children.pool.size === 0, 'the end of the server');
  };
  const twenty = Array.from({ length: 20 }, (_, index) => `child-${index}`);

  it('share one process, which ends after the last of them, however each ends (case 82)', async () => {
    const stop = new AbortController();
    const hanging = deferred<void>();
    let hangs = 0;
    const kindOf = (request: ModelRequest): number => Number(promptOf(request).split('-')[1]) % 3;
    await start({
      script: (request) => {
        if (turnOf(request) === 0) return { calls: [{ name: 'mcp__s__whoami', input: {} }] };
        if (kindOf(request) === 0) return { text: toolResults(request)[0]?.text ?? '' };
        if (kindOf(request) === 1) return { stop: 'error', error: { failure: 'bad_request', message: 'Broken.' } };
        hangs += 1;
        if (hangs === 6) hanging.resolve();
        return { calls: [{ name: 'mcp__s__hang', input: {} }] };
      },
    });
    const running = twenty.map((name) => children.run(name, { servers: [{ server: 's', ...ALL }] }, stop.signal).catch((error: unknown) => ({ status: isAbort(error) ? 'cancelled' : 'broken', text: '' })));
    await hanging.promise;
    assert.equal((await startsIn(starts)).length, 1);
    stop.abort();
    const outcomes = await Promise.all(running);
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))].sort(), ['cancelled', 'completed', 'failed']);
    assert.deepEqual(new Set(outcomes.flatMap((outcome) => (outcome.status === 'completed' && 'text' in outcome ? [outcome.text] : []))), new Set((await startsIn(starts)).map(String)));
    assert.equal((await living(await startsIn(starts))).length, 1);
    await gone();
  });

  it('leave nothing when their window closes (case 82)', async () => {
    const stop = new AbortController();
    await start({ script: following([calling('mcp__s__hang')]) });
    const running = Promise.allSettled(twenty.map((name) => children.run(name, { servers: [{ server: 's', ...ALL }] }, stop.signal)));
    await eventually(() => children.model.requests.length === 20, 'all calls');
    stop.abort();
    await running;
    await children.connections.close();
    assert.deepEqual(await living(await startsIn(starts)), []);
  });

  it('lose no more than the calls in flight when the server is killed under load', async () => {
    const hangs = `${starts}-hangs`;
    await start({
      servers: { s: fixtureServer({ starts, hangs }) },
      script: (request) => {
        const waits = Number(promptOf(request).split('-')[1]) < 5;
        if (turnOf(request) > 1) return { text: toolResults(request)[0]?.text ?? '' };
        if (turnOf(request) === 1) return { calls: [{ name: 'mcp__s__whoami', input: {} }] };
        return waits ? { calls: [{ name: 'mcp__s__hang', input: {} }] } : { calls: [{ name: 'mcp__s__look', input: {} }], wait: killed.promise };
      },
    });
    const killed = deferred<void>();
    const running = twenty.map((name) => children.run(name, { servers: [{ server: 's', ...ALL }] }));
    // At the server itself: a call that were sent after its end would start it again, and hang there.
    await eventually(async () => children.model.requests.length === 20 && (await startsIn(hangs)).length === 5, 'all children');
    process.kill((await startsIn(starts))[0] ?? 0, 'SIGKILL');
    // What is sent before anybody has noticed is in flight too.
    await children.recorder.until('connection.changed', ({ server }) => server.status === 'closed');
    killed.resolve();
    const outcomes = await Promise.all(running);
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['completed']);
    const failed = children.model.requests.filter((request) => toolResults(request).some(({ isError }) => isError)).map(promptOf).sort();
    assert.deepEqual(failed, twenty.slice(0, 5));
    const [, second] = await startsIn(starts);
    assert.equal((await startsIn(starts)).length, 2);
    assert.deepEqual(new Set(outcomes.map((outcome) => outcome.status === 'completed' && outcome.text)), new Set([String(second)]));
    await rm(hangs, { force: true });
  });

  it('have the servers of their own definition, and nobody else has (case 84)', async () => {
    await start({ script: () => ({ text: 'done' }) });
    const own = { server: 'own', config: fixtureServer({ starts, tools: [{ name: 'special' }] }), tools: ['special'] };
    await Promise.all([children.run('one', { servers: [own] }), children.run('two', { servers: [{ server: 's', tools: ['look', 'whoami'] }] }), children.run('three', {})]);
    const seen = Object.fromEntries(children.model.requests.map((request) => [promptOf(request), toolsOf(request)]));
    assert.deepEqual(seen, { one: ['mcp__own__special'], two: ['mcp__s__look', 'mcp__s__whoami'], three: [] });
  });

  it('stay limited to the tools that are named, when the server lists them only later (case 49)', async () => {
    const file = `${starts}-late`;
    await start({
      servers: { s: fixtureServer({ starts, lateTools: file }) },
      script: (request) => (turnOf(request) < 1 ? { calls: [{ name: 'Nothing', input: {} }], wait: reveal() } : { text: 'done' }),
    });
    const reveal = async (): Promise<void> => {
      await writeFile(file, '');
      await eventually(() => (children.connections.list()[0]?.tools.length ?? 0) > 0, 'the tools');
    };
    try {
      const { status } = await children.run('one', { servers: [{ server: 's', tools: ['look'] }] });
      assert.equal(status, 'completed');
      assert.deepEqual(children.model.requests.map(toolsOf), [[], ['mcp__s__look']]);
    } finally {
      await rm(file, { force: true });
    }
  });

  describe('that only explore', () => {
    /** Makes everything callable that is in the catalogue, and says what that was. */
    const findTool: ToolDefinition = {
      name: 'FindTool',
      description: 'Finds.',
      inputSchema: { type: 'object' },
      isReadOnly: true,
      actsOnRun: true,
      describe: () => 'Finding',
      targets: () => [],
      execute: async (_input: never, { deferred: catalogue }) => {
        const names = catalogue.list().map(({ name }) => name);
        catalogue.activate([...names, 'mcp__s__writer']);
        return { content: [{ type: 'text', text: names.sort().join() }] };
      },
    };
    const explore: Partial<AgentDefinition> = { name: 'Explore', servers: [{ server: 's', ...ALL }] };
    const READERS = ['mcp__s__add', 'mcp__s__look', 'mcp__s__whoami'];
    const waitForTools = (names: readonly string[]): Promise<void> => eventually(() => names.every((name) => children.connections.list()[0]?.tools.includes(name)), 'the new tools');

    it('see no writing tool, also none that the server adds while they run', async () => {
      const added = deferred<void>();
      await start({
        script: following([calling('mcp__s__add', { name: 'writer' }), calling('mcp__s__add', { name: 'reader', readOnly: true }), () => ({ ...calling('mcp__s__look')(), wait: added.promise }), calling('mcp__s__writer')]),
      });
      const running = children.run('one', explore);
      await waitForTools(['writer', 'reader']);
      added.resolve();
      const outcome = await running;
      assert.match(outcome.status === 'completed' ? outcome.text : '', /no tool named mcp__s__writer/);
      const requests = children.model.requests.map(toolsOf);
      assert.deepEqual([requests[0], requests.at(-1)], [READERS, [...READERS, 'mcp__s__reader'].sort()]);
      assert.equal(requests.flat().includes('mcp__s__writer'), false);
    });

    it('cannot find one in their catalogue either', async () => {
      const added = deferred<void>();
      await start({
        builtins: [findTool],
        deferOver: 0,
        script: following([calling('FindTool'), calling('mcp__s__add', { name: 'writer' }), calling('mcp__s__add', { name: 'reader', readOnly: true }), () => ({ ...calling('mcp__s__look')(), wait: added.promise }), calling('FindTool'), calling('mcp__s__writer')]),
      });
      const running = children.run('one', explore);
      await waitForTools(['writer', 'reader']);
      added.resolve();
      const outcome = await running;
      assert.match(outcome.status === 'completed' ? outcome.text : '', /no tool named mcp__s__writer/);
      const found = children.model.requests.flatMap((request) => toolResults(request).map(({ text }) => text)).filter((text) => text.startsWith('mcp__'));
      assert.deepEqual(found, [READERS.join(), 'mcp__s__reader']);
      assert.equal(children.model.requests.flatMap(toolsOf).includes('mcp__s__writer'), false);
    });
  });

  it('run without a server that does not start, and are told; the others lose nothing', async () => {
    await start({ servers: { s: fixtureServer({ starts }), bad: { command: 'no-such-command' } }, script: () => ({ text: 'done' }) });
    const servers = [{ server: 's', ...ALL }, { server: 'bad', ...ALL }, { server: 'unknown', ...ALL }];
    assert.deepEqual(await Promise.all([children.run('one', { servers }), children.run('two', { servers: [{ server: 's', ...ALL }] })]), [{ status: 'completed', text: 'done' }, { status: 'completed', text: 'done' }]);
    const notes = children.recorder.of('child.noted').map(({ text }) => text);
    assert.equal(notes.length, 2);
    assert.match(notes[0] ?? '', /^The MCP server bad isn't available\. Its command no-such-command/);
    assert.equal(notes[1], "The MCP server unknown isn't configured.");
    const [started] = await children.transcripts.read('one');
    assert.ok(started?.type === 'started' && started.run.kind === 'child' && started.run.system.includes("server bad isn't available"));
  });

  it('do not start where all that they are limited to is missing', async () => {
    await start({ servers: { bad: { command: 'no-such-command' } }, script: () => ({ text: 'done' }) });
    await assert.rejects(children.run('one', { tools: [], servers: [{ server: 'bad', tools: ['look'] }] }), { reason: 'unavailable', message: /worker can be had\. The MCP server bad isn't available/ });
    assert.deepEqual([children.model.requests.length, children.pool.size], [0, 0]);
  });

  it('give all servers back where one of them keeps a child from running', async () => {
    await start({ servers: { s: fixtureServer({ starts }), mute: fixtureServer({ starts, mute: true }) }, script: () => ({ text: 'done' }) });
    const stop = new AbortController();
    const running = children.run('one', { servers: [{ server: 's', ...ALL }, { server: 'mute', ...ALL }] }, stop.signal);
    await eventually(() => children.connections.list()[0]?.status === 'ready', 'the first server');
    stop.abort();
    await assert.rejects(running, { reason: 'aborted' });
    await gone();
  });
});
