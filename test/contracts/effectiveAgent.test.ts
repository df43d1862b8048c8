import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { EffectiveAgent, EffectiveChild } from '../../src/runtime/domain/effectiveAgent.ts';
import type { LiteAgentOptions } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelCatalog, ModelProvider } from '../../src/runtime/domain/models.ts';
import { startAgent, type AgentFixture } from '../support/agentFixture.ts';
import { RecordedAimock } from '../support/aimock.ts';
import { fixtureServer } from '../support/mcpServers.ts';
import { ownTool } from '../support/ownTools.ts';
import { skillText } from '../support/skillFolders.ts';
import { assertWireFormat } from '../support/wireFormat.ts';
import { sentSetup, type SentSetup } from '../support/wireSent.ts';
import { KEY, WIRES } from './wires.ts';

/** Frontmatter of definitions, by name. */
const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  few: ['tools: [Read, Grep, Bash]'],
  none: ['tools: []'],
  less: ['disallowedTools: [Write, Edit, BashOutput]', 'maxTurns: 3', 'maxDuration: 5m'],
  reader: ['readOnly: true', 'mcpServers: [s]'],
  Explore: ['mcpServers: [s]'],
  connected: ['tools: [Read, s/look, s/nowhere]'],
  ownServer: ['mcpServers:', '  own:', `    command: ${JSON.stringify(process.execPath)}`, `    args: ${JSON.stringify(fixtureServer({ tools: [{ name: 'special' }] }).args)}`],
  crowded: ['mcpServers: [many]'],
  broken: ['tools: [Read, lost/*, gone/*]'],
  skilled: ['tools: [Read]', 'skills: [letters, numbers]'],
  heavy: ['model: complex', 'effort: low'],
  light: ['model: simple'],
  formed: ['resultSchema: { type: object, properties: { n: { type: number } }, required: [n] }'],
  silent: ['permission: { onAsk: deny, deny: ["Bash(rm:*)"], ask: [Edit], allow: [Read] }'],
  unknown: ['tools: [Read, WebSearch, Nonsense]'],
};
const EVERY = [...Object.keys(DEFINITIONS), 'general-purpose', 'coded'];

for (const wire of WIRES) {
  describe(`what a preview says, and what ${wire.name} is then sent`, function () {
    this.timeout(60_000);
    let server: RecordedAimock;
    let provider: ModelProvider;
    let fixture: AgentFixture;
    const models: ModelCatalog = {
      simple: { provider: 'real', model: `${wire.model}-s`, reasoningEffort: 'high', maxOutputTokens: 900 },
      medium: { provider: 'real', model: wire.model, temperature: 0.25, topP: 0.75 },
      complex: { provider: 'real', model: `${wire.model}-c`, contextWindow: 9_000 },
    };
    const options: Partial<LiteAgentOptions> = {
      model: { provider: 'real', model: 'unused' },
      models,
      builtinTools: [ownTool('HostTool', 'the host')],
      askUser: () => assert.fail('nobody is asked'),
      capabilities: { disallowedTools: ['Glob'] },
      mcpServers: { s: fixtureServer(), lost: { command: '/nowhere/server' }, many: fixtureServer({ tools: Array.from({ length: 60 }, (_, index) => ({ name: `tool${index}`, description: 'd'.repeat(500) })) }) },
      permissions: { user: { allow: ['Read'] }, workspace: { ask: ['WebFetch'] }, subagent: { deny: ['Bash(curl:*)'] } },
      subAgents: { coded: { description: 'In code', prompt: 'Coded.', appendPrompt: 'The end.', capabilities: { customTools: [ownTool('Read', 'its entry'), ownTool('own_tool', 'its entry')], skills: [{ name: 'inner', description: 'Inner.', instructions: 'Do.' }], allowedTools: ['Read', 'Edit', 'Skill'] } } },
    };

    before(async () => {
      server = await RecordedAimock.start();
      server.mock.on({ predicate: () => true }, () => ({ content: '{"n":1}' }));
    });

    after(() => server.stop());

    beforeEach(async () => {
      server.requests.length = 0;
      provider = wire.create(server.url, KEY);
      fixture = await startAgent([], { provider, ...options });
      const [agents, skills] = ['agents', 'skills'].map((name) => join(fixture.storageDir, '..', name)) as [string, string];
      await mkdir(agents);
      for (const [name, fields] of Object.entries(DEFINITIONS)) await writeFile(join(agents, `${name}.md`), ['---', `description: About ${name}`, ...fields, '---', `You are **${name}**.`, '', ' Indented ünïcode 🦦.', ''].join('\n'));
      await mkdir(join(skills, 'letters'), { recursive: true });
      await writeFile(join(skills, 'letters/SKILL.md'), skillText('letters'));
      fixture.agent.configure({ agents: { directory: agents }, skills: { directory: skills } });
      await fixture.agent.definitions.reload();
    });

    afterEach(async () => {
      await fixture.end();
      wire.restore();
    });

    const sentFor = async (name: string, model?: string): Promise<SentSetup> => {
      const from = server.requests.length;
      const group = await (await fixture.agent.openSession()).delegate([{ display_name: name, subagent_type: name, prompt: `Work of ${name}.`, ...(model !== undefined && { model }) }]);
      await fixture.recorder.until('group.settled', ({ groupId }) => groupId === group.groupId);
      const request = server.requests.slice(from).find(({ body }) => JSON.stringify(body).includes(`Work of ${name}.`));
      assert.ok(request, `${name} has sent nothing: ${JSON.stringify(fixture.agent.group(group.groupId)?.children[0]?.outcome)}`);
      assertWireFormat(request);
      const [child] = group.children;
      assert.equal(child?.maxTurns, (await childOf(name, model)).maxTurns);
      return sentSetup(request);
    };
    const childOf = async (name: string, model?: string): Promise<EffectiveChild> => {
      const { child, problems } = await fixture.agent.preview(name, model === undefined ? {} : { model });
      assert.deepEqual(problems, []);
      assert.ok(child);
      return child;
    };

    it('are the same, for every kind of definition: prompt, tools, model, effort, limits', async () => {
      for (const name of EVERY) {
        const child = await childOf(name);
        assert.deepEqual(setupOf(child), await sentFor(name), name);
      }
    });

    it('are the same for a model that the task names', async () => {
      const child = await childOf('heavy', 'simple');
      assert.deepEqual(setupOf(child), await sentFor('heavy', 'simple'));
      assert.deepEqual([child.modelFrom, child.model.tier, child.effortFrom, child.model.reasoningEffort], ['task', 'simple', 'definition', 'low']);
    });

    it('stays with the preview: no model is asked, no child starts, nothing is stored', async () => {
      const stored = async (): Promise<readonly string[]> => (await readdir(fixture.storageDir, { recursive: true })).filter((path) => !path.startsWith('hosts'));
      const before = await stored();
      for (const name of EVERY) await childOf(name);
      assert.deepEqual(server.requests, []);
      assert.deepEqual(fixture.agent.groups(), []);
      assert.deepEqual(await stored(), before);
      assert.ok(fixture.recorder.events.every(({ type }) => ['definitions.reloaded', 'skills.reloaded', 'connection.changed'].includes(type)), 'nobody hears of it');
    });

    it('covers what differs between the definitions', async () => {
      const all = new Map<string, EffectiveAgent>();
      for (const name of EVERY) all.set(name, await fixture.agent.preview(name));
      const toolsOf = (name: string): string => (all.get(name)?.child?.tools ?? []).map((tool) => tool.name).join(' ');
      assert.equal(toolsOf('few'), 'Read Grep Bash');
      assert.equal(toolsOf('none'), '');
      const waits = (name: string): boolean => all.get(name)?.child?.waiting.some((tool) => tool.name === 'AskUser') === true;
      assert.deepEqual([waits('plain'), waits('silent')], [true, false]);
      assert.equal(toolsOf('connected'), 'Read mcp__s__look');
      assert.match(toolsOf('ownServer'), /mcp__own__special/);
      assert.match(toolsOf('skilled'), /^Read Skill$/);
      assert.match(toolsOf('crowded'), /FindTool/);
      assert.equal(toolsOf('coded'), 'Read Edit Skill own_tool');
      assert.match(all.get('broken')?.child?.system ?? '', /# What is missing\n- .*lost.*\n- .*gone/);
      assert.match(all.get('formed')?.child?.system ?? '', /# The form of your answer/);
    });
  });
}

/** What the preview says that the child's requests would be. */
function setupOf({ model, system, tools, maxOutputTokens }: EffectiveChild): SentSetup {
  return { model: model.model, system, tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })), effort: model.reasoningEffort, maxOutputTokens, temperature: model.temperature, topP: model.topP };
}
