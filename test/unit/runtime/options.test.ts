import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import type { LiteAgentOptions } from '../../../src/runtime/domain/liteAgent.ts';
import { createLiteAgent } from '../../../src/runtime/runtime.ts';
import { startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { ScriptedModel } from '../../support/scriptedModel.ts';

describe('options of an agent', () => {
  let fixture: AgentFixture | undefined;
  afterEach(async () => {
    await fixture?.end();
    fixture = undefined;
  });

  const good: LiteAgentOptions = { cwd: '/nowhere', storageDir: '/nowhere/storage', provider: new ScriptedModel([]), model: { provider: 'scripted', model: 'm' } };
  const bad: readonly Partial<LiteAgentOptions>[] = [
    ...(['maxParallelSubagents', 'maxTasksPerCall', 'maxTurns'] as const).flatMap((name) => [NaN, 0, -1, 1.5, Infinity].map((value) => ({ [name]: value }))),
    ...(['tokens', 'cost'] as const).flatMap((name) => [NaN, 0, -1, Infinity].map((value) => ({ budget: { [name]: value } }))),
    { rootReviews: 'sometimes' as 'always' },
    { cwd: 'relative' },
    { storageDir: '' },
    { roots: ['/fine', '../beside'] },
    { models: {} },
    { defaultModel: 'simple' },
    { rootModel: 'simple' },
    { askUser: 'always' as 'approvals' },
    { config: { get: true } as never },
    { webFetch: {} as never },
    { webSearch: 'brave' as never },
    { cron: { list: async () => [] } as never },
  ];
  for (const options of bad) {
    const [[name = '', value] = []] = Object.entries(options);
    it(`are refused with ${name} ${inspect(value)}`, async () => {
      await assert.rejects(createLiteAgent({ ...good, ...options }), (error: Error) => 'reason' in error && error.reason === 'invalid_input' && error.message.includes(name));
    });
  }

  it('stay as they were when a change is refused', async () => {
    fixture = await startAgent(() => ({ text: 'ok' }));
    const { agent } = fixture;
    assert.throws(() => agent.configure({ maxParallelSubagents: 0, permissions: { user: { allow: ['Bash'] } } }), { reason: 'invalid_input' });
    const session = await agent.openSession();
    const { children } = await session.delegate([{ display_name: 'A', prompt: 'A' }]);
    assert.equal(children.length, 1);
  });

  it('are judged together where only one of them changes', async () => {
    const model = { provider: 'scripted', model: 'm' };
    fixture = await startAgent(() => ({ text: 'ok' }), { models: { simple: model, complex: model }, defaultModel: 'complex' });
    const { agent } = fixture;
    assert.throws(() => agent.configure({ models: { simple: model } }), { reason: 'invalid_input' });
    assert.throws(() => agent.configure({ defaultModel: 'medium' }), { reason: 'invalid_input' });
    agent.configure({ models: { medium: model }, defaultModel: 'medium' });
    agent.configure({ models: undefined, defaultModel: undefined });
  });

  it('that change twice while definitions are read end with the later ones', async () => {
    fixture = await startAgent([]);
    const { agent, recorder, cwd } = fixture;
    const many = join(cwd, 'many');
    await mkdir(many);
    for (let index = 0; index < 40; index++) await writeFile(join(many, `agent-${index}.md`), `---\ndescription: x\n---\n${'text\n'.repeat(1000)}`);
    agent.configure({ agents: { project: many } });
    agent.configure({ agents: {} });
    await recorder.until('definitions.reloaded', () => recorder.of('definitions.reloaded').length === 2);
    assert.deepEqual(agent.definitions.list().map(({ name }) => name), ['Explore', 'general-purpose']);
  });
});
