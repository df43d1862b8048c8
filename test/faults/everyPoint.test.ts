import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { messagesOf } from '../../src/runtime/agent/conversation.ts';
import type { DelegationTool, LiteSession } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, startAgent, toolResults, type AgentFixture } from '../support/agentFixture.ts';
import { completionsIn, resultsIn } from '../support/crash.ts';
import { assertWellFormed, type Script, type ScriptedTurn } from '../support/scriptedModel.ts';

const NAMES = ['A', 'B', 'C'];

/** Three children side by side: a batch of reads and a write that asks, then one fails, one hits a denied call, one answers. */
const script = (tool: DelegationTool) => (request: ModelRequest): ScriptedTurn => {
  if (isRoot(request)) {
    if (lastUserText(request) !== 'go') return { text: 'Noted.' };
    return { calls: [{ name: tool, input: { tasks: NAMES.map((name) => ({ display_name: name, prompt: name })) } }] };
  }
  if (request.messages.length > 1) return toolResults(request).some(({ isError }) => isError) ? { text: 'Not all of it.' } : { text: 'Done.' };
  const read = { name: 'Read', input: { file_path: 'a.txt' } };
  return { text: 'Looking.', calls: [read, read, { name: 'Write', input: { file_path: `${request.messages.length}.txt`, content: 'x' } }] };
};

/** The same, but each try that comes first breaks: after some words, or because the provider has too much to do. */
function flaky(): (request: ModelRequest) => ScriptedTurn {
  const asked = new Set<string>();
  const answer = script('Agent');
  return (request) => {
    const turn = JSON.stringify(request.messages);
    if (asked.has(turn)) return answer(request);
    asked.add(turn);
    const failure = request.messages.length > 1 ? 'network' : 'overloaded';
    return { text: 'Broken off', calls: [{ name: 'Write', input: { file_path: 'never.txt', content: 'x' } }], stop: 'error', error: { failure, message: failure } };
  };
}

const SCRIPTS: Readonly<Record<string, () => Script>> = { 'with tool calls': () => script('Agent'), 'whose model calls fail at first': flaky, 'for which its root waits': () => script('MultiTask') };

type Act = (fixture: AgentFixture, session: LiteSession) => void;
const ACTS: Readonly<Record<string, Act>> = {
  'the child is cancelled': ({ agent }) => void agent.cancelChild(agent.groups()[0]?.children[1]?.agentId ?? ''),
  'the group is cancelled': ({ agent }) => void agent.cancelGroup(agent.groups()[0]?.groupId ?? ''),
  'the root is stopped': (_, session) => session.stop(),
  'a call is denied': ({ agent }) => void agent.approvals.decide(agent.approvals.pending()[0]?.id ?? '', { kind: 'deny' }),
};

/** Runs the whole story and does the act at that event. False when there were fewer events. */
async function runWith(act: Act, at: number, script: Script): Promise<boolean> {
  const fixture = await startAgent(script, { workspace: { 'a.txt': 'a' }, timing: { retry: { baseDelayMs: 1, spreadMs: 1 } }, delegationTools: ['Agent', 'MultiTask'] });
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
    if (agent.groups().length > 0) await recorder.until('group.delivered');
    // The conversation can go on, which the model double checks in each of its requests.
    const isOver = acted;
    const { status } = await session.send('and now?');
    if (isOver) assert.equal(status, 'completed');
    model.assertClean();
    await assertSettledOnce(fixture);
    const told = [...(await completionsIn(agent, session.sessionId)), ...(await resultsIn(agent, session.sessionId))];
    assert.equal(told.length, agent.groups().length);
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
    // Of a try that another followed nothing is kept; one that was cut by a cancel is.
    assert.ok(child.status === 'cancelled' || !JSON.stringify(messages).includes('Broken off'));
  }
}

for (const [story, createScript] of Object.entries(SCRIPTS)) {
  describe(`a group of three ${story}`, () => {
    for (const [name, act] of Object.entries(ACTS)) {
      it(`settles once, with every call answered, when ${name} at any point`, async function () {
        this.timeout(60_000);
        for (let at = 0; await runWith(act, at, createScript()); at += 1);
      });
    }
  });
}
