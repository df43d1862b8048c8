import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { childLayers } from '../../../src/runtime/delegation/childSetup.ts';
import type { AgentPermission } from '../../../src/runtime/domain/permissions.ts';
import { definition } from './fixture.ts';

describe('the layers of a child', () => {
  const withPermission = (permission: AgentPermission) => definition('quiet', { permission });

  it('hold both from the definition that it started with and from today’s', () => {
    const lists = childLayers(withPermission({ deny: ['Bash'] }), withPermission({ ask: ['Read'] }), {}).map((layer) => layer.lists);
    assert.deepEqual(lists.slice(1), [{ deny: ['Bash'] }, { ask: ['Read'] }]);
  });

  it('never ask where either of the two says so', () => {
    const silent = withPermission({ onAsk: 'deny' });
    const asking = withPermission({});
    assert.ok(childLayers(silent, asking, {}).some(({ onAsk }) => onAsk === 'deny'));
    assert.ok(childLayers(asking, silent, {}).some(({ onAsk }) => onAsk === 'deny'));
    assert.ok(!childLayers(asking, asking, {}).some(({ onAsk }) => onAsk === 'deny'));
  });
});
