import assert from 'node:assert/strict';
import type { ModelCatalog, ModelProvider } from '../../src/runtime/domain/models.ts';
import { startAgent, type AgentFixture } from '../support/agentFixture.ts';
import { RecordedAimock } from '../support/aimock.ts';
import { callsOf, offers, textsOf } from '../support/modelServer.ts';
import { assertWireFormat, type WireRequest } from '../support/wireFormat.ts';
import { ANTHROPIC, KEY, RESPONSES, WIRES } from './wires.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How each wire says that a model is to think hard. */
const EFFORT: Readonly<Record<string, Fields>> = {
  [ANTHROPIC.name]: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
  [RESPONSES.name]: { reasoning: { effort: 'high', summary: 'auto' }, include: ['reasoning.encrypted_content'] },
};
const CHAT_EFFORT: Fields = { reasoning_effort: 'high' };
const SETTINGS = ['model', 'thinking', 'output_config', 'reasoning', 'include', 'reasoning_effort', 'temperature', 'top_p'];

function settingsOf({ body }: WireRequest): Fields {
  const limit = body['max_tokens'] ?? body['max_completion_tokens'] ?? body['max_output_tokens'];
  return { ...Object.fromEntries(Object.entries(body).filter(([name]) => SETTINGS.includes(name))), limit };
}

for (const wire of WIRES) {
  describe(`tiers as ${wire.name} is sent them`, () => {
    let server: RecordedAimock;
    let provider: ModelProvider;
    let fixture: AgentFixture | undefined;
    const price = { input: 4.25, output: 5.25 };
    const models: ModelCatalog = {
      simple: { provider: 'real', model: `${wire.model}-s`, displayName: 'Nimble Otter', reasoningEffort: 'high', maxOutputTokens: 900, price },
      complex: { provider: 'real', model: wire.model, displayName: 'Grand Walrus', temperature: 0.25, topP: 0.75, contextWindow: 54_321, price },
    };

    before(async () => {
      server = await RecordedAimock.start();
      server.mock.on({ predicate: () => true }, (request) => {
        const wantsGroup = offers(request, 'Agent') && callsOf(request).length === 0 && textsOf(request, 'user').includes('Delegate.');
        const tasks = [{ display_name: 'A', prompt: 'Work of A.', model: 'complex' }, { display_name: 'B', prompt: 'Work of B.' }];
        return wantsGroup ? { content: '', toolCalls: [{ name: 'Agent', arguments: JSON.stringify({ tasks }) }] } : { content: 'Done.' };
      });
    });

    after(() => server.stop());

    beforeEach(async () => {
      server.requests.length = 0;
      provider = wire.create(server.url, KEY);
      fixture = await startAgent([], { provider, model: { provider: 'real', model: 'unused' }, models, defaultModel: 'simple' });
    });

    afterEach(async () => {
      await fixture?.end();
      fixture = undefined;
      wire.restore();
    });

    it('are model, effort, limit and sampling, for root and children; never a name for people, a price or a tier', async () => {
      assert.ok(fixture);
      await (await fixture.agent.openSession()).send('Delegate.');
      await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
      const { requests } = server;
      for (const request of requests) assertWireFormat(request);
      const simple = { model: `${wire.model}-s`, ...(EFFORT[wire.name] ?? CHAT_EFFORT), limit: 900 };
      const complex = { model: wire.model, temperature: 0.25, top_p: 0.75, limit: 8192 };
      const sentTo = (prompt: string): readonly Fields[] => requests.filter(({ body }) => !JSON.stringify(body).includes('"Agent"') && JSON.stringify(body).includes(prompt)).map(settingsOf);
      assert.deepEqual(sentTo('Work of A.'), [complex]);
      assert.deepEqual(sentTo('Work of B.'), [simple]);
      const root = requests.filter(({ body }) => JSON.stringify(body).includes('"Agent"')).map(settingsOf);
      assert.deepEqual(root, [simple, simple, simple], 'the call, the answer to its result, the completion turn');
      for (const { body } of requests) assert.doesNotMatch(JSON.stringify(body), /Otter|Walrus|displayName|price|4\.25|5\.25|54321|"tier"/);
    });

    it('are in the tool that delegates, by their names alone', async () => {
      assert.ok(fixture);
      await (await fixture.agent.openSession()).send('Hi.');
      const tools = JSON.stringify(server.requests.at(-1)?.body['tools']);
      assert.match(tools, /"enum":\["simple","complex","inherit"\]/);
      assert.match(tools, /light to hard work: simple, complex\./);
    });

    it('that nobody has are refused before any request of a child is sent', async () => {
      assert.ok(fixture);
      const session = await fixture.agent.openSession();
      await assert.rejects(session.delegate([{ display_name: 'C', prompt: 'Work of C.', model: 'medium' }]), /"medium" is none of the models to choose from: simple, complex/);
      assert.deepEqual(server.requests, []);
    });
  });
}
