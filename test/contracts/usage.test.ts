import assert from 'node:assert/strict';
import type { ChildView } from '../../src/runtime/domain/agents.ts';
import { addUsage, type Usage } from '../../src/runtime/domain/usage.ts';
import { startAgent, type AgentFixture } from '../support/agentFixture.ts';
import { RawServer, type RecordedRequest } from '../support/rawServer.ts';
import { FRAMES_USAGE } from '../support/wireFrames.ts';
import { KEY, WIRES } from './wires.ts';

/** Dollars for a million tokens; those of the cache cost a tenth. */
const PRICE = { input: 10, output: 100, cacheRead: 1 };
const TURN_COST = (70 * 10 + 30 * 1 + 20 * 100) / 1e6;
/** How many turns each child takes: all but the last call a tool. */
const TURNS: Readonly<Record<string, number>> = { 'Look at one thing.': 1, 'Look at three things.': 3 };

const times = (count: number): Usage => Array.from({ length: count }, (): Usage => FRAMES_USAGE).reduce(addUsage);

/** Costs apart, since sums of prices aren't exact. */
function usageAndCost({ cost, ...usage }: Usage): { readonly usage: Usage; readonly cost: string | undefined } {
  return { usage, cost: cost?.toFixed(9) };
}

for (const wire of WIRES) {
  describe(`what two subagents use on the wire: ${wire.name}`, () => {
    let server: RawServer;
    let fixture: AgentFixture;
    const taken = new Map<string, number>();

    before(async () => {
      server = await RawServer.start();
      server.answer = ({ body }: RecordedRequest) => {
        const prompt = Object.keys(TURNS).find((text) => JSON.stringify(body).includes(text));
        const isChild = !JSON.stringify(body['tools']).includes('"Agent"');
        if (!isChild || prompt === undefined) return { chunks: wire.frames({ text: ['Noted.'] }) };
        const turn = (taken.get(prompt) ?? 0) + 1;
        taken.set(prompt, turn);
        return { chunks: wire.frames(turn < (TURNS[prompt] ?? 0) ? { calls: [{ id: `c${turn}`, name: 'Read', pieces: ['{"file_path":"a.txt"}'] }] } : { thinking: 'Hm.', text: ['Done.'] }) };
      };
      fixture = await startAgent([], { provider: wire.create(server.url, KEY), model: { provider: wire.name, model: wire.model, price: PRICE }, workspace: { 'a.txt': 'a' } });
    });

    after(async () => {
      await fixture.end();
      wire.restore();
      await server.stop();
    });

    it('is on the row of each, as a sum on that of their group, and cached tokens count once (case 99)', async () => {
      const { agent, recorder } = fixture;
      const session = await agent.openSession();
      const { groupId } = await session.delegate(Object.keys(TURNS).map((prompt) => ({ display_name: prompt, prompt })));
      await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
      const group = agent.group(groupId);
      assert.deepEqual(group?.children.map(({ status }) => status), ['completed', 'completed']);
      const expected = (turns: number): object => ({ usage: times(turns), cost: (turns * TURN_COST).toFixed(9) });
      assert.deepEqual(group.children.map(({ usage }: ChildView) => usageAndCost(usage)), [expected(1), expected(3)]);
      assert.deepEqual(usageAndCost(group.usage), expected(4));
      const { root, groups } = await agent.usage(session.sessionId);
      assert.deepEqual([usageAndCost(root), usageAndCost(groups)], [expected(1), expected(4)]);
    });
  });
}
