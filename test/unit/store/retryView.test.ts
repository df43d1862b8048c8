import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentRef, ChildView } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { RunProjection } from '../../../src/runtime/store/projection.ts';

const KEY = { sessionId: 's', groupId: 'g', agentId: 'a' };
const AGENT: AgentRef = { kind: 'child', displayName: 'A', ...KEY };
const RETRY = { attempt: 2, until: 5000, failure: 'overloaded', message: 'busy' } as const;

function after(...events: readonly RuntimeEventBody[]): ChildView | undefined {
  const projection = new RunProjection();
  const spec = { agentId: 'a', displayName: 'A', definition: 'general-purpose', model: { provider: 'p', model: 'm' }, prompt: 'A', maxTurns: 9, tools: [], round: 1 };
  const before: RuntimeEventBody[] = [
    { type: 'group.accepted', group: { groupId: 'g', sessionId: 's', cwd: '/', children: [spec] }, hostId: 'h' },
    { type: 'child.started', ...KEY },
    { type: 'retry.scheduled', agent: AGENT, ...RETRY },
  ];
  for (const event of [...before, ...events]) projection.apply({ at: 0, ...event });
  return projection.child('a');
}

describe('the view of a child that waits to ask its model again', () => {
  it('says what for and until when', () => assert.deepEqual(after()?.retry, RETRY));

  it('says the latest wait', () => assert.equal(after({ type: 'retry.scheduled', agent: AGENT, ...RETRY, until: 9000 })?.retry?.until, 9000));

  for (const event of [
    { type: 'text.delta', agent: AGENT, text: 'Hi' },
    { type: 'thinking.delta', agent: AGENT, text: 'Hm' },
    { type: 'model.ended', agent: AGENT, stop: 'tool_calls', usage: NO_USAGE },
    { type: 'child.settled', ...KEY, outcome: { status: 'cancelled' } },
    { type: 'child.interrupted', ...KEY },
  ] satisfies RuntimeEventBody[]) {
    it(`says nothing of it after ${event.type}`, () => assert.equal(after(event)?.retry, undefined));
  }
});
