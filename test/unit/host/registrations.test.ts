import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { PanelAgent, PanelSkill, PanelTool } from '../../../src/api.ts';
import { Registrations } from '../../../src/host/registrations/registrations.ts';
import { builtinAgents } from '../../../src/runtime/definitions/builtin.ts';
import { BUILTIN_NAMES } from '../../../src/runtime/definitions/names.ts';
import { entryProblems } from '../../../src/runtime/entryChecks.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import { isRoot, lastUserText, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';

const tool = (patch: Partial<PanelTool> = {}): PanelTool => ({ name: 'weather', description: 'Tells the weather.', inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }, invoke: async (input) => `Sunny: ${JSON.stringify(input)}`, ...patch });
const agent = (patch: Partial<PanelAgent> = {}): PanelAgent => ({ description: 'Knows more.', prompt: 'You know more.', ...patch });
const skill = (patch: Partial<PanelSkill> = {}): PanelSkill => ({ name: 'notes', description: 'How notes are written.', instructions: 'Briefly.', ...patch });
const names = (things: readonly { readonly name: string }[] = []): readonly string[] => things.map(({ name }) => name);

describe('what other extensions register', () => {
  const registrations = (): Registrations => new Registrations(SILENT_LOG);

  it('is there until it is disposed of, once', () => {
    const all = registrations();
    const capabilities = all.capabilities(() => []);
    const added = [all.addTool(tool()), all.addAgent('expert', agent()), all.addSkill(skill())];
    assert.deepEqual([names(capabilities.customTools), Object.keys(all.agents()), names(capabilities.skills)], [['weather'], ['expert'], ['notes']]);
    for (const one of added) one.dispose();
    all.addTool(tool());
    for (const one of added) one.dispose();
    assert.deepEqual([names(capabilities.customTools), Object.keys(all.agents()), names(capabilities.skills)], [['weather'], [], []]);
  });

  it('ends together, and tells of agents that came and went', () => {
    const all = registrations();
    let told = 0;
    all.onDidChangeAgents(() => told++);
    all.addAgent('a', agent()).dispose();
    all.addTool(tool());
    all.addAgent('b', agent());
    all.dispose();
    assert.deepEqual([told, all.agents(), all.capabilities(() => []).customTools], [3, {}, []]);
  });

  it('may not take a name that is taken, in any case', () => {
    const all = registrations();
    all.addTool(tool());
    all.addAgent('expert', agent());
    all.addSkill(skill());
    for (const name of ['WEATHER', 'Bash', 'bash', 'Agent', 'Read']) assert.throws(() => all.addTool(tool({ name })), { reason: 'conflict' }, name);
    for (const name of ['Expert', 'general-purpose', 'explore']) assert.throws(() => all.addAgent(name, agent()), { reason: 'conflict' }, name);
    assert.throws(() => all.addSkill(skill({ name: 'Notes' })), { reason: 'conflict' });
    assert.throws(() => all.addAgent('two', agent({ customTools: [tool(), tool()] })), { reason: 'conflict' });
  });

  it('must be what it says it is', () => {
    const all = registrations();
    const circular: Record<string, unknown> = { type: 'object' };
    circular['self'] = circular;
    for (const bad of [undefined, 7, {}, tool({ name: '' }), tool({ name: 'two words' }), tool({ name: 'mcp__hub__x' }), tool({ description: ' ' }), tool({ inputSchema: { type: 'string' } }), tool({ inputSchema: circular }), { ...tool(), invoke: 'x' }]) {
      assert.throws(() => all.addTool(bad as PanelTool), { reason: 'invalid_input' }, JSON.stringify(bad === undefined || typeof bad === 'number' ? bad : Object.keys(bad)));
    }
    for (const bad of [undefined, agent({ prompt: '' }), agent({ tools: [7 as unknown as string] }), agent({ disallowedTools: ['Bash(rm:*)'] }), agent({ model: 3 as unknown as string }), { ...agent(), customTools: 7 }, { ...agent(), maxTurns: 0 }, agent({ customTools: [tool({ name: '' })] }), agent({ skills: [skill({ instructions: '' })] })]) assert.throws(() => all.addAgent('x', bad as PanelAgent), { reason: 'invalid_input' });
    assert.throws(() => all.addAgent('two\nlines', agent()), { reason: 'invalid_input' });
    assert.throws(() => all.addSkill(undefined as unknown as PanelSkill), { reason: 'invalid_input' });
    assert.deepEqual([all.agents(), all.capabilities(() => []).customTools], [{}, []]);
  });

  it('is nothing that the runtime would refuse', () => {
    const all = registrations();
    all.addAgent('x'.repeat(64), agent({ model: 'simple', maxTurns: 1, tools: ['Read', 'mcp__hub__*'], disallowedTools: ['Bash', 'mcp__hub__x'], customTools: [tool()], skills: [skill()] }));
    all.addAgent('Zwei Wörter', agent());
    assert.deepEqual(entryProblems(all.agents()), []);
    assert.deepEqual(builtinAgents.map(({ name }) => name), BUILTIN_NAMES);
  });

  it('adds skills to those in folders, which win', () => {
    const all = registrations();
    all.addSkill(skill());
    all.addSkill(skill({ name: 'other' }));
    const found = [{ name: 'Notes', description: 'd', instructions: 'of the folder' }];
    assert.deepEqual(all.capabilities(() => found).skills?.map(({ name, instructions }) => [name, instructions]), [['Notes', 'of the folder'], ['other', 'Briefly.']]);
  });
});

describe('a tool of another extension', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** Has the root call the tool, and gives the result. */
  async function call(given: PanelTool, { allow = ['weather'], stopAfter }: { readonly allow?: readonly string[]; readonly stopAfter?: Promise<unknown> } = {}): Promise<{ readonly text: string; readonly isError: boolean } | undefined> {
    const all = new Registrations(SILENT_LOG);
    all.addTool(given);
    let result: { readonly text: string; readonly isError: boolean } | undefined;
    fixture = await startAgent((request) => {
      assert.ok(isRoot(request));
      if (lastUserText(request) === 'go') return { calls: [{ name: 'weather', input: { city: 'Bern' } }] };
      [result] = toolResults(request);
      return { text: 'Done.' };
    }, { capabilities: all.capabilities(() => []), permissions: { user: { allow } } });
    const session = await fixture.agent.openSession();
    const stop = new AbortController();
    void stopAfter?.then(() => stop.abort());
    await session.send('go', { signal: stop.signal });
    return result;
  }

  it('is called by the root with checked input', async () => {
    assert.deepEqual(await call(tool()), { text: 'Sunny: {"city":"Bern"}', isError: false });
  });

  it('asks like any other: where nobody answers, it is refused', async () => {
    const result = await call(tool({ invoke: () => assert.fail('it was not allowed') }), { allow: [] });
    assert.ok(result?.isError, result?.text);
  });

  it('harms only its own call, whatever it does wrong', async () => {
    const broken: readonly Partial<PanelTool>[] = [
      { invoke: async () => Promise.reject(new Error('no sun')) },
      { invoke: () => { throw new Error('no sun'); } },
      { invoke: async () => 7 as unknown as string },
      { describe: () => { throw new Error('no words'); }, invoke: async () => Promise.reject(new Error('no sun')) },
    ];
    for (const patch of broken) {
      const result = await call(tool(patch));
      assert.ok(result?.isError && result.text.includes('weather'), result?.text);
      await fixture.end();
    }
  });

  it('ends with the turn, also where it does not listen', async () => {
    const { promise: called, resolve } = Promise.withResolvers<void>();
    let stopped = false;
    const result = await call(tool({
      invoke: (_input, { signal }) => {
        signal.addEventListener('abort', () => (stopped = true));
        resolve();
        return new Promise(() => undefined);
      },
    }), { stopAfter: called });
    assert.deepEqual([result, stopped], [undefined, true]);
  });
});
