import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { isAppError, type ErrorReason } from '../../../src/runtime/base/errors.ts';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { MAX_MESSAGE, Steering } from '../../../src/runtime/steering.ts';
import { delegating, isRoot, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { crashed } from '../../support/crash.ts';
import { startDefined } from '../../support/definedChildren.ts';
import { ManualClock, quiet } from '../../support/manualClock.ts';
import { processesWith } from '../../support/processes.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

const rejects = (work: Promise<unknown>, reason: ErrorReason, words = /./): Promise<void> => assert.rejects(work, (error) => isAppError(error, reason) && words.test(error.message));
/** What the user said in a request, with the prompt. */
const said = ({ messages }: ModelRequest): readonly string[] => messages.flatMap((message) => (message.role === 'user' ? [`${message.source}: ${textOf(message.content)}`] : []));

describe('steering', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.end();
  });

  /** One child for each name, with its turns. */
  async function start(children: Readonly<Record<string, readonly ScriptedTurn[]>>, options: AgentFixtureOptions = {}): Promise<AgentFixture> {
    return delegated(delegating(children), Object.keys(children), options);
  }
  async function delegated(script: Script, names: readonly string[], options: AgentFixtureOptions = {}): Promise<AgentFixture> {
    const fixture = await startAgent(script, options);
    open.push(fixture);
    await (await fixture.agent.openSession()).delegate(names.map((name) => ({ display_name: name, prompt: name })));
    return fixture;
  }
  const child = ({ agent }: Pick<AgentFixture, 'agent'>, name = 'A'): ChildView => {
    const found = agent.groups().flatMap(({ children }) => children).findLast(({ displayName }) => displayName === name);
    assert.ok(found);
    return found;
  };
  const ended = ({ recorder }: AgentFixture, { agentId, roundGroupId }: ChildView): Promise<unknown> => recorder.until('child.settled', (event) => event.agentId === agentId && event.groupId === roundGroupId);
  const requestsOf = ({ model }: AgentFixture, name = 'A'): readonly ModelRequest[] => model.requests.filter((request) => !isRoot(request) && promptOf(request) === name);
  /** Until the child's model is asked, the first time or a later one. */
  const asked = async (fixture: AgentFixture, name = 'A', times = 1): Promise<void> => {
    while (requestsOf(fixture, name).length < times) await quiet();
  };
  const waiting = (view: ChildView): readonly string[] => (view.unread ?? []).map(({ text }) => text);

  describe('a message to a child', () => {
    it('that waits for its turn is read as it begins, after its prompt', async () => {
      const held = deferred<void>();
      const fixture = await start({ A: [{ text: 'First.', wait: held.promise }], B: [{ text: 'Second.' }] }, { maxParallelSubagents: 1 });
      await fixture.recorder.until('child.started');
      await fixture.agent.tellChild(child(fixture, 'B').agentId, '  Only the docs.\n');
      assert.deepEqual(waiting(child(fixture, 'B')), ['Only the docs.']);
      held.resolve();
      await ended(fixture, child(fixture, 'B'));
      assert.deepEqual(requestsOf(fixture, 'B').map(said), [['user: B', 'steering: Only the docs.']]);
      assert.equal(child(fixture, 'B').unread, undefined);
    });

    it('that is about to give its answer is read, and answered', async () => {
      const held = deferred<void>();
      const fixture = await start({ A: [{ text: 'First.', wait: held.promise }, { text: 'Second.' }] });
      await asked(fixture);
      await fixture.agent.tellChild(child(fixture).agentId, 'More.');
      held.resolve();
      await ended(fixture, child(fixture));
      assert.deepEqual(child(fixture).outcome, { status: 'completed', text: 'Second.' });
      assert.deepEqual(fixture.recorder.of('message.delivered').map(({ text }) => text), ['More.']);
    });

    it('that still waits for its servers is read as it begins', async () => {
      const [asks, key] = [deferred<void>(), deferred<never>()];
      const fixture = await startDefined({ A: { fields: ['mcpServers: [slow]'], turns: [{ text: 'Done.' }] } }, {
        mcpServers: { slow: { command: 'none' } },
        resolveServer: () => (asks.resolve(), key.promise),
      });
      open.push(fixture);
      await (await fixture.agent.openSession()).delegate([{ display_name: 'A', prompt: 'A', subagent_type: 'A' }]);
      await fixture.recorder.until('child.started');
      await asks.promise;
      await rejects(fixture.agent.retryTurn(child(fixture).agentId), 'conflict', /just starting/);
      await fixture.agent.tellChild(child(fixture).agentId, 'Hello.');
      key.reject(new Error('No key.'));
      await ended(fixture, child(fixture));
      assert.deepEqual(requestsOf(fixture).map(said), [['user: A', 'steering: Hello.']]);
    });

    it('that waits for approval is read after the answer, and no request is withdrawn', async () => {
      const fixture = await start({ A: [{ calls: [{ name: 'Bash', input: { command: 'touch x' } }] }, { text: 'Done.' }] });
      const { agent, recorder } = fixture;
      agent.approvals.attach();
      const { request } = await recorder.until('approval.wanted');
      await agent.tellChild(child(fixture).agentId, 'Hurry.');
      assert.equal(agent.approvals.pending().length, 1);
      await agent.approvals.decide(request.id, { kind: 'deny' });
      await ended(fixture, child(fixture));
      assert.deepEqual(requestsOf(fixture).at(-1)?.messages.map(({ role }) => role), ['user', 'assistant', 'tool', 'user']);
    });

    it('that waits to ask its model again is read at the turn after that', async () => {
      const clock = new ManualClock();
      const fixture = await start({ A: [{ stop: 'error', error: { failure: 'network', message: 'gone' } }, { text: 'First.' }, { text: 'Second.' }] }, { timing: { clock, retry: { random: () => 0.5 } } });
      await fixture.recorder.until('retry.scheduled');
      await fixture.agent.tellChild(child(fixture).agentId, 'More.');
      clock.advanceToNext();
      await ended(fixture, child(fixture));
      assert.deepEqual(requestsOf(fixture).map((request) => said(request).length), [1, 1, 2]);
    });

    it('that has ended is refused, with what to do instead', async () => {
      const fixture = await start({ A: [{ text: 'Done.' }] });
      await ended(fixture, child(fixture));
      await rejects(fixture.agent.tellChild(child(fixture).agentId, 'More.'), 'conflict', /Resume it with these words/);
      assert.equal(child(fixture).unread, undefined);
    });

    it('that is done and still ends what it left in the background is told to wait for that', async () => {
      const steering = new Steering({
        archive: { child: () => ({ ...view, status: 'running' }), group: () => undefined },
        sessions: { isEnding: () => true, retryStep: () => false },
        publish: () => assert.fail('Nothing was sent.'),
        stored: async () => undefined,
      });
      const fixture = await start({ A: [{ text: 'Done.' }] });
      const view = child(fixture);
      await rejects(steering.tell(view.agentId, 'More.'), 'conflict', /just ending/);
    });

    it('must be one, of a length that makes sense, and to someone', async () => {
      const held = deferred<void>();
      const fixture = await start({ A: [{ text: 'Done.', wait: held.promise }] });
      const { agentId } = child(fixture);
      await rejects(fixture.agent.tellChild(agentId, ' \n'), 'invalid_input');
      await rejects(fixture.agent.tellChild(agentId, 'x'.repeat(MAX_MESSAGE + 1)), 'invalid_input', /Put the rest into a file/);
      await rejects(fixture.agent.tellChild('agent-none', 'Hello.'), 'not_found');
      await rejects(fixture.agent.retryTurn('agent-none'), 'not_found');
      assert.deepEqual(fixture.recorder.of('message.sent'), []);
    });

    it('that fails before it read that is read when it goes on, before what it goes on with', async () => {
      const held = deferred<void>();
      const fixture = await start({ A: [{ stop: 'refusal', wait: held.promise }, { text: 'Done.' }] });
      await asked(fixture);
      await fixture.agent.tellChild(child(fixture).agentId, 'Gently.');
      held.resolve();
      await ended(fixture, child(fixture));
      assert.deepEqual(waiting(child(fixture)), ['Gently.']);
      await fixture.agent.resumeChild(child(fixture).agentId, { prompt: 'Go on.' });
      await ended(fixture, child(fixture));
      assert.deepEqual(said(requestsOf(fixture).at(-1) as ModelRequest), ['user: A', 'steering: Gently.', 'user: Go on.']);
      assert.equal(child(fixture).unread, undefined);
    });

    for (const how of ['a reload', 'a crash'] as const) {
      for (const state of ['running', 'queued'] as const) {
        it(`that is ${state} outlives ${how}`, async () => {
          const held = deferred<void>();
          const fixture = await start({ A: [{ text: 'x', wait: held.promise }], B: [{ text: 'x', wait: held.promise }] }, { maxParallelSubagents: state === 'running' ? 2 : 1 });
          await fixture.recorder.until('child.started', ({ agentId }) => agentId === child(fixture, state === 'running' ? 'B' : 'A').agentId);
          if (state === 'running') await asked(fixture, 'B');
          assert.equal(child(fixture, 'B').status, state);
          await fixture.agent.tellChild(child(fixture, 'B').agentId, 'One.');
          await fixture.agent.tellChild(child(fixture, 'B').agentId, 'Two.');
          if (how === 'a reload') await fixture.agent.suspend();
          const copy = await crashed(fixture);
          open.push({ end: () => copy.remove() });
          const next = await reopenAgent(how === 'a reload' ? fixture : copy, () => ({ text: 'Done.' }));
          open.push(next);
          assert.deepEqual(waiting(child(next, 'B')), ['One.', 'Two.']);
          await next.agent.resumeGroup(child(next).groupId);
          await ended(next, child(next, 'B'));
          assert.deepEqual(requestsOf(next, 'B').map(said), [['user: B', 'steering: One.', 'steering: Two.']]);
          held.resolve();
        });
      }
    }

    it('that a crash cuts off between keeping and telling it is not given twice', async () => {
      const [first, never] = [deferred<void>(), deferred<void>()];
      const fixture = await start({ A: [{ text: 'x', wait: first.promise }, { text: 'y', wait: never.promise }] });
      await asked(fixture);
      await fixture.agent.tellChild(child(fixture).agentId, 'One.');
      first.resolve();
      await asked(fixture, 'A', 2);
      const copy = await crashed(fixture);
      open.push({ end: () => copy.remove() });
      const groups = join(copy.storageDir, 'groups');
      for (const name of await readdir(groups)) {
        const lines = (await readFile(join(groups, name), 'utf8')).split('\n');
        await writeFile(join(groups, name), lines.filter((line) => !line.includes('"message.delivered"')).join('\n'));
      }
      const next = await reopenAgent(copy, () => ({ text: 'Done.' }));
      open.push(next);
      assert.deepEqual(waiting(child(next)), ['One.']);
      await next.agent.resumeGroup(child(next).groupId);
      await ended(next, child(next));
      assert.deepEqual(said(requestsOf(next)[0] as ModelRequest), ['user: A', 'steering: One.']);
      assert.equal(child(next).unread, undefined);
      never.resolve();
    });

    it('is no sign of its life', async () => {
      const clock = new ManualClock();
      const held = deferred<void>();
      const fixture = await start({ A: [{ text: 'Done.', wait: held.promise }] }, { timing: { clock } });
      await asked(fixture);
      const { lastActivityAt, agentId } = child(fixture);
      clock.advance(1000);
      await fixture.agent.tellChild(agentId, 'Are you there?');
      assert.equal(child(fixture).lastActivityAt, lastActivityAt);
      held.resolve();
      await ended(fixture, child(fixture));
    });
  });

  describe('another try at a turn', () => {
    it('is taken by a child that hangs in its model, in the same turn', async () => {
      const fixture = await start({ A: [{ text: 'x', wait: new Promise(() => undefined) }, { text: 'Done.' }] });
      await asked(fixture);
      await fixture.agent.retryTurn(child(fixture).agentId);
      await ended(fixture, child(fixture));
      assert.deepEqual([child(fixture).outcome, child(fixture).turns], [{ status: 'completed', text: 'Done.' }, 1]);
      assert.equal(child(fixture).usage.isPartial, true);
    });

    it('ends a command with all that it started, and the child goes on', async () => {
      const marker = `9${Date.now() % 1_000_000}.5`;
      let results: readonly { readonly text: string }[] = [];
      const fixture = await start({ A: [{ calls: [{ name: 'Bash', input: { command: `echo on; sleep ${marker} & sleep ${marker}` } }] }, { text: 'Done.', check: (request) => (results = toolResults(request)) }] }, { permissions: { user: { allow: ['Bash'] } } });
      await fixture.recorder.until('tool.progress', ({ text }) => text.includes('on'));
      assert.ok(processesWith(`sleep ${marker}`).length > 0);
      await fixture.agent.retryTurn(child(fixture).agentId);
      await ended(fixture, child(fixture));
      assert.deepEqual(processesWith(`sleep ${marker}`), []);
      assert.match(results[0]?.text ?? '', /Stopped by the user/);
      assert.deepEqual([child(fixture).outcome, child(fixture).turns], [{ status: 'completed', text: 'Done.' }, 2]);
    });

    it('withdraws the request that waits', async () => {
      const fixture = await start({ A: [{ calls: [{ name: 'Bash', input: { command: 'touch x' } }] }, { text: 'Done.' }] });
      fixture.agent.approvals.attach();
      await fixture.recorder.until('approval.wanted');
      await fixture.agent.retryTurn(child(fixture).agentId);
      await ended(fixture, child(fixture));
      assert.deepEqual([fixture.recorder.of('approval.withdrawn').length, fixture.agent.approvals.pending().length, child(fixture).approvals.length], [1, 0, 0]);
      assert.deepEqual([child(fixture).outcome?.status, child(fixture).outcome?.refused], ['completed', undefined]);
    });

    it('is refused to a child that waits for its turn, or has ended', async () => {
      const held = deferred<void>();
      const fixture = await start({ A: [{ text: 'x', wait: held.promise }], B: [{ text: 'x' }] }, { maxParallelSubagents: 1 });
      await fixture.recorder.until('child.started');
      await rejects(fixture.agent.retryTurn(child(fixture, 'B').agentId), 'conflict', /waits for its turn/);
      held.resolve();
      await ended(fixture, child(fixture, 'B'));
      await rejects(fixture.agent.retryTurn(child(fixture).agentId), 'conflict', /Resume it instead/);
    });
  });

  describe('a child of another window', () => {
    it('is that window’s to speak to', async () => {
      const held = deferred<void>();
      const fixture = await start({ A: [{ text: 'x', wait: held.promise }] });
      await fixture.recorder.until('child.started');
      const other = await reopenAgent(fixture, () => ({ text: 'x' }));
      open.push(other);
      const { agentId } = child(other);
      await rejects(other.agent.tellChild(agentId, 'Hello.'), 'conflict', /Another window/);
      await rejects(other.agent.retryTurn(agentId), 'conflict', /Another window/);
      held.resolve();
      await ended(fixture, child(fixture));
    });
  });
});
