import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { AgentServices } from '../../src/runtime/agent/services.ts';
import { createTiming } from '../../src/runtime/agent/timing.ts';
import { childCapabilities } from '../../src/runtime/childCapabilities.ts';
import { createChildRunner } from '../../src/runtime/delegation/childSession.ts';
import { LiveSessions } from '../../src/runtime/delegation/liveSessions.ts';
import type { ChildSpec, RunOutcome } from '../../src/runtime/domain/agents.ts';
import type { SubAgentEntry } from '../../src/runtime/domain/capabilities.ts';
import type { AgentDefinition } from '../../src/runtime/domain/definitions.ts';
import type { ModelProvider, ModelRef } from '../../src/runtime/domain/models.ts';
import type { ToolDefinition } from '../../src/runtime/domain/tools.ts';
import { createNodeFiles } from '../../src/runtime/store/nodeFiles.ts';
import { TranscriptStore } from '../../src/runtime/store/transcripts.ts';
import { findTool } from '../../src/runtime/tools/findTool.ts';
import { startAgent, type AgentFixture } from '../support/agentFixture.ts';
import { RecordedAimock } from '../support/aimock.ts';
import { callsOf, offers, textsOf } from '../support/modelServer.ts';
import { ownTool } from '../support/ownTools.ts';
import { temporaryFolder } from '../support/toolContext.ts';
import { assertWireFormat, type WireRequest } from '../support/wireFormat.ts';
import { KEY, WIRES } from './wires.ts';

/** What a request says as a whole, and what it offers. */
interface Sent {
  readonly text: string;
  readonly model: unknown;
  readonly tools: readonly string[];
}

function sent(request: WireRequest): Sent {
  assertWireFormat(request);
  const tools = (request.body['tools'] ?? []) as readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
  return { text: JSON.stringify(request.body), model: request.body['model'], tools: tools.map((tool) => tool.name ?? tool.function?.name ?? '') };
}

/** Tells of an agent's skills, as the tool that loads them does. */
const SKILL = ownTool('Skill', 'the runtime', { descriptionFor: ({ skills }) => skills.map(({ name, description }) => `${name}: ${description}`).join() });
const skill = (name: string, from: string) => ({ name, description: `${name} of ${from}`, instructions: `Instructions of ${from}.` });

for (const wire of WIRES) {
  describe(`what reaches ${wire.name} of an agent's own`, () => {
    let server: RecordedAimock;
    let provider: ModelProvider;
    let fixture: AgentFixture | undefined;
    const model: ModelRef = { provider: 'real', model: wire.model };

    before(async () => {
      server = await RecordedAimock.start();
      server.mock.on({ predicate: () => true }, (request) => {
        const wantsGroup = offers(request, 'Agent') && callsOf(request).length === 0 && textsOf(request, 'user').includes('Delegate.');
        const tasks = ['A', 'B'].map((name) => ({ display_name: name, prompt: `Work of ${name}.` }));
        return wantsGroup ? { content: '', toolCalls: [{ name: 'Agent', arguments: JSON.stringify({ tasks }) }] } : { content: 'Done.' };
      });
    });

    after(() => server.stop());

    beforeEach(() => {
      server.requests.length = 0;
      provider = wire.create(server.url, KEY);
    });

    afterEach(async () => {
      await fixture?.end();
      fixture = undefined;
      wire.restore();
    });

    it('is nothing of the parent’s with the children; built-in tools and model they inherit', async () => {
      fixture = await startAgent([], {
        provider,
        model,
        shell: false,
        ripgrep: '/nowhere/rg',
        builtinTools: [ownTool('HostTool', 'the host'), SKILL],
        prompt: 'You are the parent.',
        appendPrompt: 'End of the parent.',
        customTools: [ownTool('parent_custom', 'parent custom'), ownTool('parent_rare', 'parent rare', { isDeferred: true })],
        capabilities: {
          customTools: [ownTool('parent_capability', 'parent capability')],
          connectionTools: [ownTool('mcp__hub__parent', 'parent hub')],
          skills: [skill('parent_skill', 'the parent')],
        },
      });
      await (await fixture.agent.openSession()).send('Delegate.');
      await fixture.recorder.until('group.settled');
      const requests = server.requests.map(sent);
      const [root] = requests;
      const children = requests.filter(({ tools }) => !tools.includes('Agent'));
      assert.equal(children.length, 2);
      assert.ok(root);
      for (const own of ['parent_custom', 'from parent custom', 'parent_rare', 'parent_capability', 'from parent capability', 'mcp__hub__parent', 'from parent hub', 'parent_skill', 'parent_skill of the parent', 'You are the parent.', 'End of the parent.']) {
        assert.ok(root.text.includes(own), `the parent has ${own}`);
        for (const child of children) assert.ok(!child.text.includes(own), `a child has ${own}`);
      }
      for (const child of children) {
        assert.ok(!/parent/i.test(child.text), 'not a word of the parent');
        assert.deepEqual(child.tools, ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'HostTool', 'TaskGet', 'TaskList']);
        assert.equal(child.model, wire.model);
        assert.ok(child.text.includes('from the host'));
      }
    });

    it('is with each of two siblings its own, and nothing of the other’s', async () => {
      const children = ['first', 'second'];
      const entry = (name: string): SubAgentEntry => ({
        description: `Entry ${name}`,
        prompt: `Prompt of ${name}.`,
        capabilities: {
          customTools: [ownTool('Search', `custom of ${name}`), ownTool(`${name}_only`, `only of ${name}`), ownTool(`${name}_rare`, `rare of ${name}`, { isDeferred: true })],
          connectionTools: [ownTool(`mcp__${name}__list`, `hub of ${name}`)],
          skills: [skill(`${name}_skill`, name)],
          disallowedTools: name === 'first' ? ['Write'] : [],
        },
      });
      await runEntries(Object.fromEntries(children.map((name) => [name, entry(name)])), provider, model);
      const requests = server.requests.map(sent);
      assert.equal(requests.length, 2);
      for (const [mine, other] of [children, [...children].reverse()] as [string, string][]) {
        const request = requests.find(({ text }) => text.includes(`Work of ${mine}.`));
        assert.ok(request);
        assert.ok(!request.text.includes(other), `${mine} has something of ${other}`);
        for (const own of [`custom of ${mine}`, `only of ${mine}`, `hub of ${mine}`, `${mine}_rare`, `${mine}_skill of ${mine}`]) assert.ok(request.text.includes(own), `${mine} lacks ${own}`);
        const inherited = mine === 'first' ? ['Read'] : ['Read', 'Write'];
        assert.deepEqual(request.tools, [...inherited, 'FindTool', 'Skill', 'Search', `${mine}_only`, `mcp__${mine}__list`]);
        assert.equal(request.model, wire.model);
      }
    });
  });
}

/** Runs one child of each entry, side by side, on the same provider, services and built-in tools. */
async function runEntries(entries: Readonly<Record<string, SubAgentEntry>>, provider: ModelProvider, model: ModelRef): Promise<void> {
  const folder = await temporaryFolder();
  const services: AgentServices = {
    publish: () => undefined,
    gate: () => assert.fail('no call was to be made'),
    files: createNodeFiles(),
    transcripts: new TranscriptStore(join(folder.path, 'transcripts')),
    outputFolder: join(folder.path, 'output'),
    roots: () => [folder.path],
    timing: createTiming(() => undefined, () => ({})),
    noteProcess: () => ({ dispose() {} }),
  };
  const builtins: readonly ToolDefinition[] = [ownTool('Read', 'the runtime'), ownTool('Write', 'the runtime'), findTool, SKILL];
  const run = createChildRunner({
    services,
    provider: () => provider,
    sessions: new LiveSessions(),
    unread: () => [],
    builtins: () => builtins,
    resolving: () => ({}),
    capabilities: childCapabilities({
      entries: () => entries,
      builtins: () => builtins.map(({ name }) => name),
      unchanged: () => undefined,
      server: () => undefined,
      acquire: () => assert.fail('no server was to be reached'),
      release: async () => undefined,
      skills: async () => assert.fail('no folder was to be read'),
    }),
    layers: () => [],
    readsOnly: () => false,
  });
  const outcomes = await Promise.all(
    Object.entries(entries).map(([name, { description, prompt }]): Promise<RunOutcome> => {
      const definition: AgentDefinition = { name, description, prompt, tools: 'inherit', disallowedTools: [], delegable: true, source: 'code' };
      const spec: ChildSpec = { agentId: `agent-${name}`, displayName: name, definition: name, model, prompt: `Work of ${name}.`, maxTurns: 3, tools: builtins.map((tool) => tool.name), round: 1 };
      return run({ spec, definition, goesOn: false, overBudget: () => undefined, group: { groupId: 'g', sessionId: 's', cwd: folder.path, children: [spec] } }, new AbortController().signal);
    }),
  );
  await folder.remove();
  assert.deepEqual(outcomes, Object.keys(entries).map(() => ({ status: 'completed', text: 'Done.' })));
}
