import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { messagesOf } from '../../src/runtime/agent/conversation.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, reopenAgent, startAgent, toolResults, type AgentFixture } from '../support/agentFixture.ts';
import { completionsIn, crashed, type Folders } from '../support/crash.ts';
import { assertWellFormed, type ScriptedTurn } from '../support/scriptedModel.ts';

const NAMES = ['A', 'B', 'C'];

/** Three children, one of which waits for a slot: reads and a write side by side, and then an answer. */
function script(request: ModelRequest): ScriptedTurn {
  if (isRoot(request)) {
    if (lastUserText(request) !== 'go') return { text: 'Noted.' };
    return { calls: [{ name: 'Agent', input: { tasks: NAMES.map((name) => ({ display_name: name, prompt: name })) } }] };
  }
  if (toolResults(request).length > 0 || request.messages.length > 1) return { text: 'Done.' };
  const read = { name: 'Read', input: { file_path: 'a.txt' } };
  return { text: 'Looking.', calls: [read, read, { name: 'Write', input: { file_path: `${request.messages.length}.txt`, content: 'x' } }] };
}

type Left = Folders & { remove(): Promise<void> };
type Leave = (fixture: AgentFixture) => Promise<Left>;
const WAYS: Readonly<Record<string, Leave>> = {
  reloaded: async (fixture) => {
    await fixture.agent.suspend();
    return { ...fixture, remove: async () => undefined };
  },
  killed: crashed,
};

/** Runs the whole story, leaves it in that way at that event, and goes on with it in another window. False when there were fewer events. */
async function runWith(leave: Leave, at: number): Promise<boolean> {
  const options = { permissions: { user: { allow: ['Edit'] } }, maxParallelSubagents: 2 };
  const fixture = await startAgent(script, { workspace: { 'a.txt': 'a' }, ...options });
  try {
    const session = await fixture.agent.openSession();
    const left = Promise.withResolvers<Left | undefined>();
    let seen = 0;
    fixture.agent.subscribe((event) => {
      if (seen++ === at) queueMicrotask(() => left.resolve(leave(fixture)));
      if (event.type === 'turn.ended' && event.cause.kind === 'completion') setImmediate(() => left.resolve(undefined));
    });
    const turn = session.send('go', { turnId: 't1' }).catch(() => undefined);
    const folders = await left.promise;
    if (!folders) return false;
    await turn;
    const later = await reopenAgent(folders, script, options);
    try {
      await goOn(later, session.sessionId);
      await later.end();
      later.model.assertClean();
      await assertReportedOnce(later.agent, session.sessionId);
    } finally {
      await later.end();
      await folders.remove();
    }
    return true;
  } finally {
    await fixture.end();
  }
}

async function goOn({ agent, recorder, model }: AgentFixture, sessionId: string): Promise<void> {
  for (const group of agent.groups()) {
    assert.ok(group.children.every(({ status }) => status !== 'running' && status !== 'queued'));
    const isTold = group.status !== 'interrupted' && (await completionsIn(agent, sessionId)).length > 0;
    if (group.status === 'interrupted') await agent.resumeGroup(group.groupId);
    // What was told already may be marked so before anybody listens.
    if (!isTold) await recorder.until('group.delivered');
    assert.deepEqual(agent.group(group.groupId)?.children.map(({ status }) => status), ['completed', 'completed', 'completed']);
  }
  const again = await agent.openSession({ from: { sessionId, turnId: 't1' } });
  assert.equal((await again.send('and now?')).status, 'completed');
  model.assertClean();
}

async function assertReportedOnce(agent: LiteAgent, sessionId: string): Promise<void> {
  assert.equal((await completionsIn(agent, sessionId).catch(() => [])).length, agent.groups().length);
  assert.deepEqual(agent.tasks.list().filter(({ groupId }) => agent.group(groupId ?? '')).map(({ status }) => status), agent.groups().flatMap(({ children }) => children.map(() => 'review')));
  for (const { agentId } of agent.groups().flatMap(({ children }) => children)) {
    const messages = messagesOf(await agent.transcript(agentId));
    assertWellFormed({ model: '', system: '', tools: [], signal: new AbortController().signal, messages });
  }
}

describe('a group whose window goes', () => {
  for (const [way, leave] of Object.entries(WAYS)) {
    it(`goes on and reports once, with every call answered, when it is ${way} at any point (case 74)`, async function () {
      this.timeout(120_000);
      for (let at = 0; await runWith(leave, at); at += 1);
    });
  }
});
