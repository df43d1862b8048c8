import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { DropReason, EffectiveAgent, EffectiveChild, PreviewOptions } from '../../../src/runtime/domain/effectiveAgent.ts';
import { startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { fixtureServer, living, startsIn } from '../../support/mcpServers.ts';
import { ownTool } from '../../support/ownTools.ts';
import { eventually } from '../../support/toolContext.ts';
import { GitRepository } from '../../support/worktrees.ts';

describe('the preview of an agent', function () {
  this.timeout(20_000);
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** Starts an agent on definitions by name, each with its frontmatter. */
  async function start(definitions: Readonly<Record<string, readonly string[]>>, options: AgentFixtureOptions = {}): Promise<void> {
    fixture = await startAgent([], options);
    const folder = join(fixture.storageDir, '../agents');
    await mkdir(folder);
    for (const [name, fields] of Object.entries(definitions)) await writeFile(join(folder, `${name}.md`), ['---', `description: About ${name}`, ...fields, '---', 'Work.', ''].join('\n'));
    const source = options.definitionApprovals ? 'project' : 'directory';
    fixture.agent.configure({ agents: { [source]: folder } });
    await fixture.agent.definitions.reload();
  }
  const childOf = async (name: string, options?: PreviewOptions): Promise<EffectiveChild> => {
    const { child } = await fixture.agent.preview(name, options);
    assert.ok(child);
    return child;
  };
  const droppedFor = ({ dropped }: EffectiveChild, why: DropReason | 'idle' | 'unknown'): readonly string[] => dropped.filter((each) => each.why === why).map(({ name }) => name);

  it('says of each tool that is missing what took it away', async () => {
    await start(
      {
        listed: ['tools: [Read, Edit, WebSearch]', 'disallowedTools: [Edit]'],
        reader: ['readOnly: true'],
        silent: ['permission: { onAsk: deny }'],
      },
      {
        tasks: false,
        askUser: async () => ({ status: 'dismissed' }) as never,
        capabilities: { disallowedTools: ['Grep'] },
        subAgents: { coded: { description: 'In code', prompt: 'Coded.', capabilities: { customTools: [ownTool('Read', 'its entry')], disallowedTools: ['Bash'] } } },
      },
    );
    const listed = await childOf('listed');
    assert.deepEqual(listed.tools.map(({ name }) => name), ['Read']);
    assert.deepEqual(droppedFor(listed, 'parent_lists'), ['Grep']);
    assert.deepEqual(droppedFor(listed, 'denied'), ['Edit']);
    assert.deepEqual(droppedFor(listed, 'unknown'), ['WebSearch']);
    assert.ok(droppedFor(listed, 'not_allowed').includes('Write'));
    assert.ok(droppedFor(await childOf('reader'), 'only_reads').includes('Write'));
    assert.deepEqual(droppedFor(await childOf('silent'), 'never_asks'), ['AskUser']);
    const coded = await childOf('coded');
    assert.deepEqual(droppedFor(coded, 'replaced'), ['Read']);
    assert.deepEqual(droppedFor(coded, 'denied'), ['Bash']);
    assert.ok(droppedFor(coded, 'alone').includes('BashOutput'));
    const plain = await childOf('general-purpose');
    assert.deepEqual(droppedFor(plain, 'idle'), ['Skill']);
  });

  it('says where each tool comes from, and which ones wait', async () => {
    await start({ mixed: ['mcpServers: [s]'] }, { builtinTools: [ownTool('HostTool', 'the host')], mcpServers: { s: fixtureServer() }, deferToolsOver: 1 });
    const child = await childOf('mixed');
    const originOf = (name: string): unknown => child.tools.find((tool) => tool.name === name)?.origin;
    assert.deepEqual([originOf('Read'), originOf('HostTool')], [{ kind: 'builtin' }, { kind: 'host' }]);
    const look = child.waiting.find(({ name }) => name === 'mcp__s__look');
    assert.deepEqual(look && { origin: look.origin, description: look.description, comesWith: look.comesWith }, { origin: { kind: 'server', server: 's' }, description: 'Does look.', comesWith: undefined });
    assert.equal(child.waiting.find(({ name }) => name === 'BashOutput')?.comesWith, 'Bash');
    const [server] = child.servers;
    assert.deepEqual([server?.server, server?.status, server?.named, server?.isOwn], ['s', 'ready', 'all', false]);
  });

  it('says whose word model, effort and limits go by', async () => {
    const models = { simple: { provider: 'scripted', model: 'small' }, complex: { provider: 'scripted', model: 'large', reasoningEffort: 'high' as const } };
    await start({ own: ['model: complex', 'maxTurns: 4', 'maxDuration: 2m'], plain: [], hard: ['effort: high'] }, { models, providerFor: () => fixture.model, maxTurns: 9, timeLimits: { maxDurationMs: 5_000 } });
    const facts = async (name: string, options?: PreviewOptions): Promise<readonly unknown[]> => {
      const { model, modelFrom, effortFrom, maxTurns, maxTurnsFrom, maxDurationMs, maxDurationFrom } = await childOf(name, options);
      return [model.model, modelFrom, effortFrom, maxTurns, maxTurnsFrom, maxDurationMs, maxDurationFrom];
    };
    assert.deepEqual(await facts('own'), ['large', 'definition', 'model', 4, 'definition', 120_000, 'definition']);
    assert.deepEqual(await facts('plain'), ['small', 'tier', undefined, 9, 'settings', 5_000, 'settings']);
    assert.deepEqual(await facts('hard', { model: 'complex' }), ['large', 'task', 'definition', 9, 'settings', 5_000, 'settings']);
    fixture.agent.configure({ models: undefined });
    assert.deepEqual((await facts('plain')).slice(0, 2), ['m', 'root']);
  });

  it('has every layer of permissions that counts', async () => {
    await start({ strict: ['readOnly: true', 'permission: { onAsk: deny, allow: [Read] }'] }, { permissions: { user: { allow: ['Bash'] }, workspace: { deny: ['WebFetch'] }, subagent: { ask: ['Edit'] }, mode: 'dry-run' } });
    const { layers, permissionMode } = await childOf('strict');
    assert.equal(permissionMode, 'dry-run');
    assert.deepEqual(layers, [
      { name: 'user', lists: { allow: ['Bash'] } },
      { name: 'workspace', lists: { deny: ['WebFetch'] } },
      { name: 'subagentPermission', lists: { ask: ['Edit'] } },
      { name: 'definition', lists: { allow: ['Read'] }, onAsk: 'deny' },
      { name: 'definition', lists: {}, readOnlyCommands: 'deny' },
    ]);
  });

  it('tells of what would keep a child from starting what a dispatch would', async () => {
    await start({ useless: ['tools: [WebSearch]'], unreachable: ['model: complex'], apart: ['isolation: worktree'], lost: ['mcpServers: [lost]', 'tools: [lost/look]'] }, { models: { simple: { provider: 'scripted', model: 'm' } }, providerFor: () => fixture.model, mcpServers: { lost: { command: '/nowhere/server' } } });
    const session = await fixture.agent.openSession();
    for (const name of ['useless', 'unreachable', 'apart']) {
      const { problems, child } = await fixture.agent.preview(name);
      assert.equal(problems.length, 1, name);
      await assert.rejects(session.delegate([{ display_name: 'X', subagent_type: name, prompt: 'x' }]), (error: Error) => error.message.toLowerCase().includes((problems[0] ?? '').replace(/\.$/, '').toLowerCase()), name);
      assert.equal(child === undefined, name !== 'apart', name);
    }
    const lost = await fixture.agent.preview('lost');
    assert.match(lost.problems.join(), /^None of the tools of lost can be had\. The MCP server lost isn't available/);
    assert.deepEqual(lost.child?.servers.map(({ status }) => status), ['failed']);
  });

  it('shows the worktree that a child would have, and makes none', async () => {
    await start({ apart: ['isolation: worktree'] });
    const repository = new GitRepository(fixture.cwd);
    await repository.init({ 'a.txt': 'a' });
    const before = repository.git('worktree', 'list');
    const { worktree, cwd, system } = await childOf('apart');
    assert.deepEqual([worktree?.base, worktree?.branch, worktree?.path], [repository.head, 'main', cwd]);
    assert.ok(system.includes(`Working directory: ${cwd}`) && system.includes('# Your worktree'));
    assert.deepEqual([repository.git('worktree', 'list'), existsSync(cwd)], [before, false]);
  });

  it('rejects for a name that nobody has, and once the agent is closed', async () => {
    await start({});
    await assert.rejects(fixture.agent.preview('nobody'), { reason: 'not_found' });
    await assert.rejects(fixture.agent.preview('Explore', { signal: AbortSignal.abort() }), { reason: 'aborted' });
    await fixture.agent.close();
    await assert.rejects(fixture.agent.preview('Explore'), { reason: 'closed' });
  });

  it('follows the file, and says what is wrong with it', async () => {
    await start({ one: ['tools: [Read, Nonsense]'] });
    const first = await fixture.agent.preview('ONE');
    assert.deepEqual([first.name, first.isApproved, first.diagnostics.map(({ code }) => code)], ['one', true, ['unknown_tool']]);
    assert.ok(first.path);
    await writeFile(first.path, '---\ndescription: d\n---\nOther work.\n');
    const second = await fixture.agent.preview('one');
    assert.match(second.child?.system ?? '', /^Other work\./);
    assert.notEqual(second.hash, first.hash);
  });

  describe('of one with servers', () => {
    let starts: string;
    const own = (options: Parameters<typeof fixtureServer>[0]): readonly string[] => ['mcpServers:', '  own:', `    command: ${JSON.stringify(process.execPath)}`, `    args: ${JSON.stringify(fixtureServer(options).args)}`];
    const statusIn = ({ child }: EffectiveAgent): readonly (string | undefined)[] => [child?.servers[0]?.status, child?.servers[0]?.error];
    afterEach(async () => {
      await fixture.end();
      assert.deepEqual(await living(await startsIn(starts)), []);
      await rm(starts, { force: true });
    });
    const startOwn = async (options: Parameters<typeof fixtureServer>[0], more: AgentFixtureOptions = {}): Promise<void> => {
      starts = join(tmpdir(), `starts-${process.pid}-${Math.random().toString(36).slice(2)}`);
      await start({ one: own({ starts, ...options }) }, more);
    };

    it('gives them back when it is made', async () => {
      await startOwn({});
      assert.deepEqual(statusIn(await fixture.agent.preview('one')), ['ready', undefined]);
      assert.equal(fixture.agent.connections.list().length, 0);
      assert.equal((await startsIn(starts)).length, 1);
    });

    it('waits ten seconds for one that does not answer, and shows the rest', async () => {
      const clock = new ManualClock();
      await startOwn({ mute: true }, { timing: { clock } });
      const preview = fixture.agent.preview('one');
      await eventually(async () => (await startsIn(starts)).length === 1, 'the server');
      clock.advance(10_000);
      const [status, error] = statusIn(await preview);
      assert.equal(status, 'unseen');
      assert.match(error ?? '', /own didn't answer within 10 s/);
      const { problems, child } = await preview;
      assert.deepEqual([problems, child?.notes], [[], []]);
      assert.doesNotMatch(child?.system ?? '', /What is missing/);
    });

    it('starts none where it is not to, and none of a definition that nobody has approved', async () => {
      let approved = false;
      await startOwn({}, { definitionApprovals: { isApproved: () => approved, approve: async () => undefined } });
      const waiting = await fixture.agent.preview('one');
      assert.equal(waiting.isApproved, false);
      assert.match(waiting.child?.system ?? '', /^Work\./);
      assert.equal(statusIn(waiting)[0], 'unseen');
      approved = true;
      assert.equal(statusIn(await fixture.agent.preview('one', { connect: false }))[0], 'unseen');
      assert.deepEqual(await startsIn(starts), []);
    });

    it('ends with its signal, and leaves nothing', async () => {
      await startOwn({ mute: true });
      const stop = new AbortController();
      const preview = fixture.agent.preview('one', { signal: stop.signal });
      await eventually(async () => (await startsIn(starts)).length === 1, 'the server');
      stop.abort();
      await assert.rejects(preview, { reason: 'aborted' });
    });
  });
});
