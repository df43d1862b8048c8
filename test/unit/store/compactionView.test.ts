import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentRef, ChildView } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { RunProjection } from '../../../src/runtime/store/projection.ts';
import { isStoredEvent } from '../../../src/runtime/store/storedEvent.ts';

const KEY = { sessionId: 's', groupId: 'g', agentId: 'a' };
const AGENT: AgentRef = { kind: 'child', displayName: 'A', ...KEY };
const COMPACTED: RuntimeEventBody = { type: 'context.compacted', agent: AGENT, how: 'summarised', tokensBefore: 900, tokensAfter: 200 };

function after(...events: readonly RuntimeEventBody[]): ChildView | undefined {
  const projection = new RunProjection();
  const spec = { agentId: 'a', displayName: 'A', definition: 'general-purpose', model: { provider: 'p', model: 'm' }, prompt: 'A', maxTurns: 9, tools: [], round: 1 };
  const before: RuntimeEventBody[] = [
    { type: 'group.accepted', group: { groupId: 'g', sessionId: 's', cwd: '/', children: [spec] }, hostId: 'h' },
    { type: 'child.started', ...KEY },
  ];
  for (const event of [...before, ...events]) projection.apply({ at: 0, ...event });
  return projection.child('a');
}

describe('the view of a child whose conversation was made shorter', () => {
  it('says so until its model answers', () => {
    assert.match(after(COMPACTED)?.activity?.text ?? '', /Summarised/);
    assert.match(after({ ...COMPACTED, how: 'cleared' })?.activity?.text ?? '', /Cleared/);
    assert.equal(after(COMPACTED, { type: 'text.delta', agent: AGENT, text: 'Hi' })?.activity, undefined);
  });

  it('counts what a summary used, and no turn for it', () => {
    const view = after({ type: 'model.ended', agent: AGENT, stop: 'stop', usage: { ...NO_USAGE, input: 7 }, isSummary: true }, { type: 'model.ended', agent: AGENT, stop: 'stop', usage: { ...NO_USAGE, input: 2 } });
    assert.deepEqual([view?.turns, view?.usage.input], [1, 9]);
  });

  it('can be stored', () => {
    assert.ok(isStoredEvent({ at: 1, ...COMPACTED }));
    assert.ok(!isStoredEvent({ at: 1, ...COMPACTED, tokensAfter: 'few' }));
  });
});
