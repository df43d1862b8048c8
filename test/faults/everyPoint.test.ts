import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { messagesOf } from '../../src/runtime/agent/conversation.ts';
import type { LiteSession } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, startAgent, toolResults, type AgentFixture } from '../support/agentFixture.ts';
import { assertWellFormed, type ScriptedTurn } from '../support/scriptedModel.ts';

const NAMES = ['A', 'B', 'C'];

/** Three children side by side: a batch of reads and a write that asks, then one fails, one hits a denied call, one answers. */
function script(request: ModelRequest): ScriptedTurn {
  if (isRoot(request)) {
    if (lastUserText(request) !== 'go') return { text: 'Noted.' };
    return { calls: [{ name: 'Agent', input: { tasks: NAMES.map((name) => ({ display_name: name, prompt: name })) } }] };
  }
  if (request.messages.length > 1) return toolResults(request).some(({ isError }) => isError) ? { text: 'Not all of it.' } : { text: 'Done.' };
  const read = { name: 'Read', input: { file_path: 'a.txt' } };
  return { text: 'Looking.', calls: [read, read, { name: 'Write', input: { file_path: `${request.messages.length}.txt`, content: 'x' } }] };
}

type Act = (fixture: AgentFixture, session: LiteSession) => void;
const ACTS: Readonly<Record<string, Act>> = {
  'the child is cancelled': ({ agent }) => void agent.cancelChild(agent.groups()[0]?.children[1]?.agentId ?? ''),
  'the group is cancelled': ({ agent }) => void agent.cancelGroup(agent.groups()[0]?.groupId ?? ''),
  'the root is stopped': (_, session) => session.stop(),
  'a call is denied': ({ agent }) => void agent.approvals.decide(agent.approvals.pending()[0]?.id ?? '', { kind: 'deny' }),
};

/** Runs the whole story and does the act at that event. False when there were fewer events. */
async function runWith(act: Act, at: number): Promise<boolean> {
  const fixture = await startAgent(script, { workspace: { 'a.txt': 'a' } });
  const { agent, recorder, model } = fixture;
  try {
    agent.approvals.attach();
    const session = await agent.openSession();
    let seen = 0;
    let acted = false;
    agent.subscribe((event) => {
      if (seen++ === at) {
        acted = true;
        // Not inside the delivery of the event, where nobody acts, but before anything else can happen.
        queueMicrotask(() => act(fixture, session));
      }
      if (event.type === 'approval.wanted') setImmediate(() => void agent.approvals.decide(event.request.id, { kind: 'allow_once' }));
    });
    await session.send('go');
    if (agent.groups().length > 0) await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    // The conversation can go on, which the model double checks in each of its requests.
    const isOver = acted;
    const { status } = await session.send('and now?');
    if (isOver) assert.equal(status, 'completed');
    model.assertClean();
    await assertSettledOnce(fixture);
    return acted;
  } finally {
    await fixture.end();
  }
}

async function assertSettledOnce({ agent, recorder }: AgentFixture): Promise<void> {
  assert.deepEqual(agent.approvals.pending(), []);
  assert.equal(recorder.of('group.settled').length, agent.groups().length);
  const settled = recorder.of('child.settled').map(({ agentId }) => agentId);
  assert.equal(new Set(settled).size, settled.length);
  assert.equal(settled.length, agent.groups().length * NAMES.length);
  for (const child of agent.groups().flatMap(({ children }) => children)) {
    assert.equal(child.status === 'completed', child.taskStatus === 'review', `${child.status} with a task in ${child.taskStatus}`);
    if (child.startedAt === undefined) continue;
    const messages = messagesOf(await agent.transcript(child.agentId));
    assertWellFormed({ model: '', system: '', tools: [], signal: new AbortController().signal, messages });
  }
}

describe('a group of three with tool calls', () => {
  for (const [name, act] of Object.entries(ACTS)) {
    it(`settles once, with every call answered, when ${name} at any point`, async function () {
      this.timeout(60_000);
      for (let at = 0; await runWith(act, at); at += 1);
    });
  }
});
