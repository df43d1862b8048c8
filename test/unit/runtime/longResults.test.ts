import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { ownTool } from '../../support/ownTools.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

describe('a result of a host’s own tool that is too long', () => {
  let fixture: AgentFixture;
  afterEach(async () => {
    await fixture.end();
    fixture.model.assertClean();
  });

  it('reaches the model with both ends, and all of it in a file that it may read without asking', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `entry ${index}`).join('\n');
    const read = (path: string | undefined): ScriptedTurn => ({ calls: [{ name: 'Read', input: { file_path: path ?? '', offset: 10_001, limit: 1 } }] });
    fixture = await startAgent(
      (request) => {
        const [result] = toolResults(request);
        if (!result) return { calls: [{ name: 'mcp__hub__dump', input: {} }] };
        return result.text.includes('left out here') ? read(/All of the output is in (\S+):/.exec(result.text)?.[1]) : { text: 'Done.' };
      },
      { capabilities: { connectionTools: [ownTool('mcp__hub__dump', 'hub', { execute: async () => ({ content: [{ type: 'text', text }] }) })] } },
    );
    await (await fixture.agent.openSession()).send('go');
    const [cut, found] = fixture.model.requests.flatMap(toolResults);
    assert.match(cut?.text ?? '', /^entry 0\n[^]*left out here[^]*\nentry 19999$/);
    assert.ok((cut?.text.length ?? Infinity) < 31_000);
    assert.match(found?.text ?? '', /^10001\tentry 10000\n/);
  });
});
