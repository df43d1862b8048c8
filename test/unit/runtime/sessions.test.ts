import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { createLiteAgent } from '../../../src/runtime/runtime.ts';
import { delegating, isRoot, lastUserText, promptOf, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { ScriptedModel } from '../../support/scriptedModel.ts';

const userTexts = ({ messages }: ModelRequest): (string | false)[] => messages.filter(({ role }) => role === 'user').map((message) => message.role === 'user' && message.content[0]?.type === 'text' && message.content[0].text);

describe('conversations', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  it('go on where they are, and fork from an earlier turn without the later ones', async () => {
    fixture = await startAgent(() => ({ text: 'ok' }));
    const first = await fixture.agent.openSession();
    await first.send('one', { turnId: 't1' });
    await first.send('two', { turnId: 't2' });
    const same = await fixture.agent.openSession({ from: { sessionId: first.sessionId, turnId: 't2' } });
    assert.equal(same.sessionId, first.sessionId);

    const fork = await fixture.agent.openSession({ from: { sessionId: first.sessionId, turnId: 't1' } });
    assert.notEqual(fork.sessionId, first.sessionId);
    await fork.send('three');
    assert.deepEqual(userTexts(fixture.model.requests.at(-1) as ModelRequest), ['one', 'three']);
  });

  it('are new for an unknown id or turn', async () => {
    fixture = await startAgent(() => ({ text: 'ok' }));
    for (const from of [{ sessionId: 'session-gone', turnId: 't' }, { sessionId: '../../etc', turnId: 't' }]) {
      const session = await fixture.agent.openSession({ from });
      await session.send('hello');
      assert.deepEqual(userTexts(fixture.model.requests.at(-1) as ModelRequest), ['hello']);
    }
  });

  it('go on in another window from what is stored', async () => {
    fixture = await startAgent(() => ({ text: 'ok' }));
    const session = await fixture.agent.openSession();
    await session.send('one', { turnId: 't1' });
    await fixture.agent.close();
    const model = new ScriptedModel(() => ({ text: 'ok' }));
    const later = await createLiteAgent({ cwd: fixture.cwd, storageDir: fixture.storageDir, provider: model, model: { provider: 'scripted', model: 'm' } });
    try {
      const restored = await later.openSession({ from: { sessionId: session.sessionId, turnId: 't1' } });
      assert.equal(restored.sessionId, session.sessionId);
      await restored.send('two');
      assert.deepEqual(userTexts(model.requests[0] as ModelRequest), ['one', 'two']);
    } finally {
      await later.close();
    }
  });

  it('stay the same one when a completion came after the turn, even while it is being written', async () => {
    const hold = deferred<void>();
    const script = delegating({ A: [{ text: 'a' }] });
    fixture = await startAgent((request) => {
      if (isRoot(request) && lastUserText(request)?.startsWith('<background')) return { text: 'heard', wait: hold.promise };
      return typeof script === 'function' ? script(request) : {};
    });
    const session = await fixture.agent.openSession();
    await session.send('go', { turnId: 't1' });
    const completion = await fixture.recorder.until('turn.started', ({ cause }) => cause.kind === 'completion');
    for (const turnId of ['t1', completion.turnId]) {
      const same = await fixture.agent.openSession({ from: { sessionId: session.sessionId, turnId } });
      assert.equal(same.sessionId, session.sessionId);
    }
    hold.resolve();
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
  });

  it('take turns one after the other, and a stop ends only the one that runs', async () => {
    fixture = await startAgent((request) => (lastUserText(request) === 'slow' ? { wait: deferred().promise } : { text: 'ok' }));
    const session = await fixture.agent.openSession();
    const slow = session.send('slow');
    const next = session.send('next');
    await fixture.recorder.until('turn.started');
    session.stop();
    assert.equal((await slow).status, 'cancelled');
    assert.equal((await next).status, 'completed');
  });

  it('hear of a group that the user started past the model', async () => {
    fixture = await startAgent((request) => ({ text: isRoot(request) ? 'ok' : `did ${promptOf(request)}` }));
    const session = await fixture.agent.openSession();
    await session.delegate([{ display_name: 'Mine', prompt: 'mine' }]);
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const [started, completed] = userTexts(fixture.model.requests.at(-1) as ModelRequest);
    assert.match(String(started), /I started.*Mine/);
    assert.match(String(completed), /did mine/);
  });

  it('start nothing from a bad delegation, and say all that is wrong', async () => {
    fixture = await startAgent(() => ({ text: 'ok' }));
    const session = await fixture.agent.openSession();
    const bad = session.delegate([{ display_name: ' ', prompt: 'x' }, { display_name: 'B', prompt: '', subagent_type: 'nobody' }]);
    await assert.rejects(bad, (error: Error) => ['display_name', 'prompt', 'nobody', 'general-purpose', 'Explore'].every((word) => error.message.includes(word)));
    assert.deepEqual(fixture.agent.groups(), []);
    assert.deepEqual(fixture.agent.tasks.list(), []);
  });

  it('remind the root, and no child, in each request of what is open, and keep that out of the conversation', async () => {
    const hold = deferred<void>();
    fixture = await startAgent(delegating({ A: [{ text: 'a', wait: hold.promise }] }));
    const session = await fixture.agent.openSession();
    await session.send('go');
    await session.send('hm?');
    const request = fixture.model.requests.filter(isRoot).at(-1) as ModelRequest;
    assert.match(request.reminder ?? '', /^- task-\S+ \(in_progress\) "A", subagent "A"$[^]*^- bg_\S+ "A": 0 of 1 ended$/m);
    assert.ok(!JSON.stringify(request.messages).includes('program-reminder'));
    const children = fixture.model.requests.filter((each) => !isRoot(each));
    assert.deepEqual(children.map(({ reminder }) => reminder), [undefined]);
    hold.resolve();
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
  });
});
