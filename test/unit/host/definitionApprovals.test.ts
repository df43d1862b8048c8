import assert from 'node:assert/strict';
import { storedApprovals } from '../../../src/host/definitionApprovals.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';

const definition = (hash: string | undefined, path: string | undefined = '/w/.claude/agents/a.md'): AgentDefinition => ({
  name: 'a', description: 'd', prompt: 'p', tools: 'inherit', disallowedTools: [], delegable: true, source: 'claude_project', ...(path !== undefined && { path }), ...(hash !== undefined && { hash }),
});

/** State in memory that keeps what JSON keeps. */
function memory(values = new Map<string, string>()) {
  return {
    values,
    get: <T>(key: string): T | undefined => (values.has(key) ? (JSON.parse(values.get(key) ?? '') as T) : undefined),
    update: async (key: string, value: unknown): Promise<void> => void values.set(key, JSON.stringify(value)),
  };
}

describe('approved definitions', () => {
  it('are approved as they were when someone looked, in that folder, in later windows too', async () => {
    const state = memory();
    const approvals = storedApprovals(state, '/w');
    assert.equal(approvals.isApproved(definition('h1')), false);
    await approvals.approve(definition('h1'));
    assert.equal(storedApprovals(state, '/w').isApproved(definition('h1')), true);
    assert.equal(approvals.isApproved(definition('h2')), false);
    assert.equal(approvals.isApproved(definition('h1', '/w/.claude/agents/b.md')), false);
    assert.equal(storedApprovals(state, '/other').isApproved(definition('h1')), false);
  });

  it('stay approved when another version is, as when branches are switched', async () => {
    const approvals = storedApprovals(memory(), '/w');
    for (let version = 1; version <= 50; version++) await approvals.approve(definition(`h${version}`));
    await approvals.approve(definition('h1'));
    await approvals.approve(definition('h51'));
    assert.deepEqual(['h1', 'h2', 'h3', 'h51'].map((hash) => approvals.isApproved(definition(hash))), [true, false, true, true]);
  });

  it('are never those without a file or hash, nor what a damaged state holds', async () => {
    const state = memory();
    const approvals = storedApprovals(state, '/w');
    await approvals.approve(definition('h1'));
    for (const key of state.values.keys()) state.values.set(key, '"h1"');
    assert.equal(approvals.isApproved(definition('h1')), false);
    assert.equal(approvals.isApproved(definition(undefined)), false);
    await assert.rejects(approvals.approve(definition(undefined)));
  });
});
