import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { lastUserText, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { ownTool } from '../../support/ownTools.ts';

describe('calls of one turn', () => {
  let fixture: AgentFixture;
  afterEach(async () => {
    await fixture.end();
    fixture.model.assertClean();
  });

  it('run side by side where they only read, whoever made the tools, and one by one where they may write', async () => {
    const running = new Set<string>();
    const readers = ['host', 'custom', 'mcp__hub__read'];
    const allRun = deferred<void>();
    const alone: string[] = [];
    const reads = (name: string): ToolDefinition =>
      ownTool(name, 'test', {
        actsOnRun: false,
        // Ends only when all the others run as well.
        execute: async () => {
          running.add(name);
          if (running.size === readers.length) allRun.resolve();
          await allRun.promise;
          return { content: [{ type: 'text', text: name }] };
        },
      });
    let writing = 0;
    const writes = (name: string): ToolDefinition =>
      ownTool(name, 'test', {
        actsOnRun: false,
        isReadOnly: false,
        execute: async () => {
          writing += 1;
          await new Promise((resolve) => setImmediate(resolve));
          if (writing === 1) alone.push(name);
          writing -= 1;
          return { content: [{ type: 'text', text: name }] };
        },
      });
    const calls = [...readers, 'save', 'mcp__hub__write'];
    fixture = await startAgent((request) => (lastUserText(request) === 'go' ? { calls: calls.map((name) => ({ name, input: {} })) } : { text: 'Done.' }), {
      builtinTools: [reads('host')],
      customTools: [reads('custom'), writes('save')],
      capabilities: { connectionTools: [reads('mcp__hub__read'), writes('mcp__hub__write')] },
      permissions: { user: { allow: ['*'] } },
    });
    await (await fixture.agent.openSession()).send('go');
    assert.deepEqual(fixture.model.requests.flatMap(toolResults), calls.map((text) => ({ text, isError: false })));
    assert.deepEqual(alone, ['save', 'mcp__hub__write']);
  });
});
