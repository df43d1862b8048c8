import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { SubAgentEntry } from '../../../src/runtime/domain/capabilities.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import { anthropicBody } from '../../../src/runtime/providers/anthropic/request.ts';
import { chatBody } from '../../../src/runtime/providers/openai/chatRequest.ts';
import { responsesBody } from '../../../src/runtime/providers/openai/responsesRequest.ts';
import { isRoot, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { define, delegateTo, requestsOf } from '../../support/codedChildren.ts';
import { tool } from '../../support/permissionsCalls.ts';
import { definition } from '../delegation/fixture.ts';

const PROMPT = 'reply OK';
const READING = ['Read', 'Grep', 'Glob', 'Bash', 'TaskGet', 'TaskList'];

interface Level {
  readonly definition: AgentDefinition;
  readonly tools: readonly string[];
  readonly entry?: SubAgentEntry;
}

const LEVELS: Readonly<Record<string, Level>> = {
  'only reads': { definition: definition('reader', { readOnly: true }), tools: READING },
  'has no tools': { definition: definition('talker', { tools: [] }), tools: [] },
  'has one tool': { definition: definition('viewer', { tools: ['Read'] }), tools: ['Read'] },
  'inherits all tools': { definition: definition('worker'), tools: [...READING, 'Write', 'Edit'] },
  'has one tool of its own': {
    definition: definition('owner', { tools: [], source: 'code' }),
    tools: ['Lookup'],
    entry: { description: 'Looks up.', prompt: 'Look up.', capabilities: { customTools: [tool('Lookup')], allowedTools: [] } },
  },
  'is Explore': { definition: definition('Explore'), tools: READING },
};

describe('a child that is told to reply OK (case 56)', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  for (const [what, { definition: own, tools, entry }] of Object.entries(LEVELS)) {
    it(`and ${what}, does so in one request that every provider takes`, async () => {
      fixture = await startAgent((request) => ({ text: isRoot(request) ? 'Noted.' : 'OK' }), entry ? { subAgents: { [own.name]: entry } } : {});
      define(fixture, own);
      const [agentId = ''] = await delegateTo(fixture, { [own.name]: PROMPT });
      assert.deepEqual(fixture.agent.child(agentId)?.outcome, { status: 'completed', text: 'OK' });
      fixture.model.assertClean();

      const [request, ...more] = requestsOf(fixture, PROMPT);
      assert.ok(request);
      assert.deepEqual(more, []);
      assert.deepEqual(request.tools.map(({ name }) => name).sort(), [...tools].sort());
      const reader = { provider: 'p', model: 'm', wire: 'w', address: 'a' };
      for (const body of [anthropicBody(request, reader), chatBody(request, reader, false), chatBody(request, reader, true), responsesBody(request, reader)]) {
        assert.equal('tools' in body ? body.tools?.length : 0, tools.length);
        assert.equal('tools' in body, tools.length > 0);
        assert.ok(!('tool_choice' in body) && !('parallel_tool_calls' in body));
      }
    });
  }
});
