import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import type { ServiceOptions } from '../../../src/runtime/domain/services.ts';
import { anthropicBody } from '../../../src/runtime/providers/anthropic/request.ts';
import { chatBody } from '../../../src/runtime/providers/openai/chatRequest.ts';
import { isRoot, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { toolNames } from '../../support/ownTools.ts';
import { delegatesAsTold, delivered, named } from '../../support/tiers.ts';

const BUDGET = 6000;
/** Of that, what is left for a folder with a long path. */
const ROOM = 150;
const reader = { provider: 'p', model: 'm', wire: 'w', address: 'a' };

/** Bytes of what a request says before its conversation, as it is sent. */
const SIZES: Readonly<Record<string, (request: ModelRequest) => readonly number[]>> = {
  Messages(request) {
    const { system, tools } = anthropicBody(request, reader);
    return [system, tools].map(bytes);
  },
  'Chat Completions'(request) {
    const { messages, tools } = chatBody({ ...request, messages: [] }, reader, false);
    return [messages.filter(({ role }) => role === 'system'), tools].map(bytes);
  },
};

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

describe('the first request of a child', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  const SERVICES: ServiceOptions = { askUser: 'approvals', webFetch: () => assert.fail('nobody fetches'), webSearch: () => assert.fail('nobody searches') };
  const READING = ['Read', 'Glob', 'Grep', 'Bash'];
  const ALL = ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash'];
  const KINDS: readonly (readonly [string, string, ServiceOptions, readonly string[]])[] = [
    ['general-purpose', 'without services', {}, [...ALL, 'TaskGet', 'TaskList']],
    ['general-purpose', 'with the services of a host', SERVICES, [...ALL, 'FindTool', 'TaskGet', 'TaskList']],
    ['Explore', 'without services', {}, READING],
    // Its list of tools has no FindTool, so that nothing waits.
    ['Explore', 'with the services of a host', SERVICES, [...READING, 'WebFetch', 'WebSearch']],
  ];
  for (const [kind, setting, services, tools] of KINDS) {
    it(`of the kind ${kind} ${setting}, with all of its built-in tools, has system prompt and schemas in less than ${BUDGET} bytes, with room for a long path`, async () => {
      fixture = await startAgent(delegatesAsTold, services);
      const group = await (await fixture.agent.openSession()).delegate([named('A', { subagent_type: kind })]);
      await delivered(fixture, group.groupId);
      const request = fixture.model.requests.find((one) => !isRoot(one)) ?? assert.fail('no request');
      assert.deepEqual(toolNames(request), tools);
      for (const [wire, sizeOf] of Object.entries(SIZES)) {
        const [system = 0, tools = 0] = sizeOf(request);
        console.log(`      ${kind} on ${wire}: system prompt ${system} + tools ${tools} = ${system + tools} bytes`);
        assert.ok(system > 0 && tools > 0 && system + tools + ROOM < BUDGET, `${system + tools} bytes`);
      }
    });
  }
});
