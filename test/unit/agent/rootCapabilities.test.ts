import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resolveAgent } from '../../../src/runtime/agent/resolveAgent.ts';
import { effectiveRoot, rootCapabilities } from '../../../src/runtime/agent/rootCapabilities.ts';
import type { AgentCapabilities } from '../../../src/runtime/domain/capabilities.ts';
import type { RootOptions } from '../../../src/runtime/domain/liteAgent.ts';
import type { SkillDefinition } from '../../../src/runtime/domain/skills.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { ownTool } from '../../support/ownTools.ts';

const skill = (name: string): SkillDefinition => ({ name, description: name, instructions: name });
const from = (tools: readonly ToolDefinition[] = []): readonly string[] => tools.map(({ name, description }) => `${name} ${description}`);
const NOTHING = { connectionTools: [], skills: [] };

describe('the capabilities of the root', () => {
  it('join the tools of every source, top level first', () => {
    const options = { customTools: [ownTool('a', 'options')], capabilities: { customTools: [ownTool('b', 'capabilities')], connectionTools: [ownTool('d', 'capabilities')] } };
    const joined = rootCapabilities(options, { ...NOTHING, connectionTools: [ownTool('c', 'servers')] });
    assert.deepEqual(from(joined.customTools), ['a from options', 'b from capabilities']);
    assert.deepEqual(from(joined.connectionTools), ['c from servers', 'd from capabilities']);
  });

  it('have of two tools with one name that of the capabilities, in each source, and a connection before a custom one', () => {
    const options = {
      customTools: [ownTool('custom', 'options'), ownTool('both', 'options')],
      capabilities: { customTools: [ownTool('custom', 'capabilities')], connectionTools: [ownTool('connected', 'capabilities')] },
    };
    const topLevel = { ...NOTHING, connectionTools: [ownTool('connected', 'servers'), ownTool('both', 'servers')] };
    const { tools } = resolveAgent({ builtinTools: [] }, rootCapabilities(options, topLevel), { name: 'root' });
    assert.deepEqual(from(tools), ['custom from capabilities', 'both from servers', 'connected from capabilities']);
  });

  it('replace the skills of folders, also by none, and have them where they say nothing', () => {
    const topLevel = { ...NOTHING, skills: [skill('found')] };
    const names = (capabilities: AgentCapabilities): readonly string[] | undefined => rootCapabilities({ capabilities }, topLevel).skills?.map(({ name }) => name);
    assert.deepEqual(names({ skills: [skill('own')] }), ['own']);
    assert.deepEqual(names({ skills: [] }), []);
    assert.deepEqual(names({}), ['found']);
    assert.deepEqual(rootCapabilities({}, topLevel).skills, topLevel.skills);
  });

  it('fall back to the top level field by field, and the top level never to them', () => {
    const custom = [ownTool('a', 'options')];
    assert.deepEqual(rootCapabilities({ customTools: custom, capabilities: { allowedTools: ['Read'] } }, NOTHING), { allowedTools: ['Read'], customTools: custom, connectionTools: [], skills: [] });
  });
});

describe('the root options that count for a request', () => {
  const agent: Required<RootOptions> = {
    rootModel: 'simple',
    prompt: 'agent prompt',
    appendPrompt: 'agent end',
    rootMaxTurns: 5,
    customTools: [ownTool('a', 'agent')],
    mcpServers: { hub: { command: 'hub' } },
    capabilities: { customTools: [ownTool('b', 'agent')], connectionTools: [ownTool('c', 'agent')], skills: [skill('s')], allowedTools: ['Read'], disallowedTools: ['Bash'] },
  };
  const request: Required<RootOptions> = {
    rootModel: 'complex',
    prompt: 'request prompt',
    appendPrompt: 'request end',
    rootMaxTurns: 1,
    customTools: [],
    mcpServers: {},
    capabilities: { customTools: [], connectionTools: [], skills: [], allowedTools: [], disallowedTools: [] },
  };

  it('are the agent’s where the request says nothing', () => {
    assert.deepEqual(effectiveRoot(agent), agent);
    assert.deepEqual(effectiveRoot(agent, {}), agent);
    assert.deepEqual(effectiveRoot(agent, { prompt: undefined, capabilities: { skills: undefined } } as unknown as RootOptions), agent);
  });

  for (const field of ['prompt', 'appendPrompt', 'rootMaxTurns', 'customTools', 'mcpServers'] as const) {
    it(`are the request’s in ${field} where it says that alone`, () => {
      assert.deepEqual(effectiveRoot(agent, { [field]: request[field] }), { ...agent, [field]: request[field] });
      assert.deepEqual(effectiveRoot({}, { [field]: request[field] }), { [field]: request[field], capabilities: {} });
    });
  }

  for (const field of ['customTools', 'connectionTools', 'skills', 'allowedTools', 'disallowedTools'] as const) {
    it(`are the request’s in capabilities.${field} where it says that alone`, () => {
      const capabilities = { [field]: request.capabilities[field] };
      assert.deepEqual(effectiveRoot(agent, { capabilities }), { ...agent, capabilities: { ...agent.capabilities, ...capabilities } });
    });
  }

  it('are the request’s where both say all', () => assert.deepEqual(effectiveRoot(agent, request), request));

  it('follow what changes over time, also in objects of a class', () => {
    class Live implements AgentCapabilities {
      names = ['Bash'];
      get disallowedTools(): readonly string[] {
        return this.names;
      }
    }
    const capabilities = new Live();
    assert.deepEqual(effectiveRoot({ capabilities }).capabilities, { disallowedTools: ['Bash'] });
    capabilities.names = ['Read'];
    assert.deepEqual(effectiveRoot({ capabilities }, {}).capabilities, { disallowedTools: ['Read'] });
  });
});
