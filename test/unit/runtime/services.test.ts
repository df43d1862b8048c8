import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { RuntimeServices } from '../../../src/runtime/domain/services.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { isRoot, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { customTool } from '../../support/customTool.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

const SERVICES: RuntimeServices = {
  askUser: async () => ({ kind: 'declined' }),
  config: { get: (key) => `value of ${key}` },
  webFetch: async (url) => ({ kind: 'elsewhere', url }),
  webSearch: async () => [],
  cron: { create: () => assert.fail(), list: async () => [], remove: async () => false, listen: () => ({ dispose() {}, idle: async () => undefined }) },
};

/** The root looks, then two children look, and all end. */
function lookers(): Script {
  const look: ScriptedTurn = { calls: [{ name: 'look', input: {} }] };
  const root = [look, { calls: [{ name: 'Agent', input: { tasks: ['A', 'B'].map((name) => ({ display_name: name, prompt: name })) } }] }];
  const children = [look, look];
  return (request) => (isRoot(request) ? root : children).shift() ?? { text: 'Done.' };
}

describe('services of the host', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  async function seenBy(options: Parameters<typeof startAgent>[1]): Promise<readonly RuntimeServices[]> {
    const seen: RuntimeServices[] = [];
    const look: ToolDefinition = {
      ...customTool('look'),
      execute: async (_input, { services }) => {
        seen.push(services);
        return { content: [] };
      },
    };
    fixture = await startAgent(lookers(), { builtinTools: [look], ...options });
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('group.settled');
    assert.equal(seen.length, 3);
    return seen;
  }

  it('are the very same in the root and its children', async () => {
    for (const services of await seenBy(SERVICES)) {
      assert.deepEqual(Object.keys(services).toSorted(), Object.keys(SERVICES).toSorted());
      for (const name of ['askUser', 'config', 'webFetch', 'webSearch', 'cron'] as const) assert.equal(services[name], SERVICES[name], name);
      assert.equal(services.config?.get('a'), 'value of a');
    }
  });

  it('are absent where there are none', async () => {
    assert.deepEqual(await seenBy({}), [{}, {}, {}]);
  });

  it('ask by one function for all where questions are approvals', async () => {
    const [root, ...children] = await seenBy({ askUser: 'approvals' });
    assert.equal(typeof root?.askUser, 'function');
    for (const child of children) assert.equal(child.askUser, root?.askUser);
  });
});
