import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { delegating, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const bash = (command: string) => ({ name: 'Bash', input: { command } });

describe('a refused call that is allowed once after all', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** One child, whose requests a person denies. */
  async function start(turns: readonly ScriptedTurn[], options: AgentFixtureOptions = {}): Promise<ChildView> {
    fixture = await startAgent(delegating({ worker: turns }), options);
    const { agent } = fixture;
    agent.approvals.attach();
    agent.subscribe((event: RuntimeEvent) => {
      if (event.type === 'approval.wanted') void agent.approvals.decide(event.request.id, { kind: 'deny' });
    });
    await (await agent.openSession()).send('go');
    return child();
  }

  function child(): ChildView {
    const view = fixture.agent.groups()[0]?.children[0];
    assert.ok(view);
    return view;
  }

  const ended = (): Promise<unknown> => fixture.recorder.until('child.settled', ({ agentId }) => agentId === child().agentId);

  /** The second end of the child. */
  const endedAgain = (groupId: string): Promise<unknown> => fixture.recorder.until('child.settled', (event) => event.groupId === groupId);

  it('lets a settled child go on, which makes exactly this call, and no other', async () => {
    await start([
      { calls: [bash('touch probe')] },
      { text: 'I could not.' },
      { calls: [bash('touch other'), bash('touch probe'), bash('touch probe')] },
      { text: 'Now I could.' },
    ]);
    await ended();
    const { agent, cwd, recorder, model } = fixture;
    const { agentId } = child();
    const [refused] = agent.approvals.refused(agentId);
    assert.deepEqual([refused?.tool, refused?.action], ['Bash', 'touch probe']);

    await agent.approvals.allowOnce(agentId, refused?.callId ?? '');
    const { roundGroupId } = child();
    await endedAgain(roundGroupId);
    assert.equal(child().round, 2);
    const results = recorder.of('tool.ended').filter(({ agent: who }) => who.kind === 'child').map(({ isDenied }) => isDenied);
    assert.deepEqual(results, [true, true, false, true]);
    assert.deepEqual(['probe', 'other'].map((name) => existsSync(join(cwd, name))), [true, false]);
    assert.match(lastTold(model.requests), /allows it once: Bash, touch probe\..*exactly the same input.*whole result/);
    // The second of the two asked anew.
    assert.deepEqual(agent.approvals.refused(agentId).map(({ action }) => action), ['touch other', 'touch probe']);
  });

  it('tells a running child, which reads it before its next turn', async () => {
    const held = Promise.withResolvers<void>();
    await start([
      { calls: [bash('touch probe')] },
      { text: 'Looking further.', calls: [{ name: 'Read', input: { file_path: 'none' } }], wait: held.promise },
      { calls: [bash('touch probe')] },
      { text: 'Done.' },
    ]);
    const { agent, cwd, recorder, model } = fixture;
    await recorder.until('tool.ended', ({ isDenied }) => isDenied);
    const { agentId } = child();
    await agent.approvals.allowOnce(agentId, agent.approvals.refused(agentId)[0]?.callId ?? '');
    held.resolve();
    await ended();
    assert.equal(recorder.of('message.delivered').length, 1);
    assert.match(lastTold(model.requests), /allows it once: Bash, touch probe/);
    assert.ok(existsSync(join(cwd, 'probe')));
    assert.equal(child().round, 1);
    assert.deepEqual([child().outcome?.status, child().outcome?.refused], ['completed', undefined]);
  });

  it('is recorded as a person’s decision, and no secret of it is told again', async () => {
    const secret = 'ghp_abcdefghijklmnopqrst1234';
    await start([{ calls: [bash(`echo ${secret}`)] }, { text: 'No.' }, { calls: [bash(`echo ${secret}`)] }, { text: 'Yes.' }]);
    await ended();
    const { agent, model } = fixture;
    const { agentId } = child();
    await agent.approvals.allowOnce(agentId, agent.approvals.refused(agentId)[0]?.callId ?? '');
    await endedAgain(child().roundGroupId);
    const records = await agent.approvals.decisions();
    assert.deepEqual(records.map(({ verdict, by, lasts, action }) => [verdict, by, lasts, action]), [['deny', 'person', undefined, 'echo ***'], ['allow', 'person', 'once', 'echo ***']]);
    assert.ok(!lastTold(model.requests).includes(secret));
    assert.match(model.requests.flatMap((request) => toolResults(request)).map(({ text }) => text).join('\n'), new RegExp(secret));
  });

  it('is none that a rule denies, and such a rule also stops one that was granted', async () => {
    await start([{ calls: [bash('touch probe'), bash('git push')] }, { text: 'No.' }, { calls: [bash('touch probe')] }, { text: 'Still no.' }], { permissions: { user: { deny: ['Bash(git push:*)'] } } });
    await ended();
    const { agent, cwd } = fixture;
    const { agentId } = child();
    assert.deepEqual(agent.approvals.refused(agentId).map(({ action }) => action), ['touch probe']);
    agent.configure({ permissions: { user: { deny: ['Bash'] } } });
    await agent.approvals.allowOnce(agentId, agent.approvals.refused(agentId)[0]?.callId ?? '');
    await endedAgain(child().roundGroupId);
    assert.equal(existsSync(join(cwd, 'probe')), false);
    assert.equal(agent.approvals.refused(agentId).length, 1, 'a grant that was not used ends with the run');
  });

  it('is allowed once only, and not where the child can not go on', async () => {
    await start([{ calls: [bash('touch probe')] }, { text: 'No.' }, { calls: [bash('touch probe')] }, { text: 'Yes.' }], { providerFor: () => undefined });
    await ended();
    const { agent, model } = fixture;
    const { agentId } = child();
    const [refused] = agent.approvals.refused(agentId);
    const callId = refused?.callId ?? '';
    agent.configure({ model: { provider: 'other', model: 'm' } });
    await assert.rejects(agent.approvals.allowOnce(agentId, callId), (error) => isAppError(error, 'unavailable'));
    assert.equal(agent.approvals.refused(agentId).length, 1);
    assert.deepEqual(fixture.recorder.of('permission.granted'), []);
    agent.configure({ model: { provider: 'scripted', model: 'm' }, provider: model });
    await agent.approvals.allowOnce(agentId, callId);
    await assert.rejects(agent.approvals.allowOnce(agentId, callId), (error) => isAppError(error, 'not_found'));
    await endedAgain(child().roundGroupId);
    await assert.rejects(agent.approvals.allowOnce(agentId, callId), (error) => isAppError(error, 'not_found'));
  });
});

/** What the worker was told last that isn't its task. */
function lastTold(requests: readonly ModelRequest[]): string {
  const messages = requests.flatMap((request) => request.messages);
  return messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : [])).findLast((text) => text.startsWith('A person has looked')) ?? '';
}
