import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { LiteSession } from '../../../src/runtime/domain/liteAgent.ts';
import { isRoot, lastUserText, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { ownTool, ownToolsOf, toolNames } from '../../support/ownTools.ts';
import type { Script } from '../../support/scriptedModel.ts';

describe('the root', () => {
  let fixture: AgentFixture;
  afterEach(async () => {
    await fixture.end();
    fixture.model.assertClean();
  });

  async function start(options: AgentFixtureOptions, script: Script = () => ({ text: 'Done.' })): Promise<LiteSession> {
    fixture = await startAgent(script, options);
    return fixture.agent.openSession();
  }
  const lastRequest = () => fixture.model.requests.at(-1);

  it('has the tools of the options and of the capabilities, of two with one name the latter', async () => {
    const session = await start({
      customTools: [ownTool('a', 'options'), ownTool('b', 'options')],
      capabilities: { customTools: [ownTool('b', 'capabilities')], connectionTools: [ownTool('mcp__hub__c', 'capabilities')] },
    });
    await session.send('go');
    assert.deepEqual(ownToolsOf(lastRequest()), { a: 'options', b: 'capabilities', mcp__hub__c: 'capabilities' });
  });

  it('has for one message what came with it, field by field, and for the next what it had', async () => {
    const session = await start({
      prompt: 'You are the agent.',
      appendPrompt: 'Be brief.',
      customTools: [ownTool('a', 'options')],
      capabilities: { customTools: [ownTool('b', 'options')], allowedTools: ['Read', 'Write'] },
    });
    await session.send('go');
    const usual = { system: lastRequest()?.system, tools: toolNames(lastRequest()) };
    assert.deepEqual(usual.tools, ['Read', 'Write', 'a', 'b']);

    await session.send('go', { root: { prompt: 'You are another.', customTools: [ownTool('c', 'message')], capabilities: { disallowedTools: ['Write'] } } });
    assert.match(lastRequest()?.system ?? '', /^You are another\.[^]*Be brief\.$/);
    assert.deepEqual(toolNames(lastRequest()), ['Read', 'c', 'b']);

    await session.send('go');
    assert.deepEqual({ system: lastRequest()?.system, tools: toolNames(lastRequest()) }, usual);
  });

  it('takes as many turns for one message as that says', async () => {
    const session = await start({ customTools: [ownTool('a', 'options')] }, () => ({ calls: [{ name: 'a', input: {} }] }));
    const outcome = await session.send('go', { root: { rootMaxTurns: 2 } });
    assert.equal(outcome.status === 'failed' && outcome.reason, 'max_turns');
    assert.equal(fixture.model.requests.length, 2);
  });

  it('gives a tool the skills that count for the message', async () => {
    const seen: string[][] = [];
    const spy = ownTool('spy', 'options', { execute: async (_, { skills }) => (seen.push(skills.map(({ name }) => name)), { content: [] }) });
    const skills = (name: string) => [{ name, description: name, instructions: name }];
    const session = await start({ customTools: [spy], capabilities: { skills: skills('usual') } }, ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { calls: [{ name: 'spy', input: {} }] }));
    await session.send('go');
    await session.send('go', { root: { capabilities: { skills: skills('once') } } });
    assert.deepEqual(seen, [['usual'], ['once']]);
  });

  it('says nothing of delegating where its lists took the Agent tool away', async () => {
    const session = await start({});
    await session.send('go');
    assert.match(lastRequest()?.system ?? '', /# Delegating/);
    for (const capabilities of [{ allowedTools: ['Read'] }, { disallowedTools: ['Agent'] }]) {
      await session.send('go', { root: { capabilities } });
      assert.ok(!toolNames(lastRequest()).includes('Agent'));
      assert.doesNotMatch(lastRequest()?.system ?? '', /# Delegating/);
    }
  });

  describe('that delegates', () => {
    const delegating: Script = (request) => {
      if (!isRoot(request)) return { text: 'Found.' };
      return lastUserText(request) === 'go' ? { calls: [{ name: 'Agent', input: { tasks: [{ display_name: 'A', prompt: 'A' }] } }] } : { text: 'Delegated.' };
    };
    const toolsOfChildren = () => fixture.model.requests.filter((request) => !isRoot(request)).map(toolNames);

    async function delegateOnce(session: LiteSession, root?: NonNullable<Parameters<LiteSession['send']>[1]>['root']): Promise<void> {
      const settled = fixture.recorder.until('group.settled');
      await session.send('go', root && { root });
      await settled;
    }

    it('hands down the built-in tools that its own lists leave it, and nothing else', async () => {
      const session = await start({ shell: false, capabilities: { allowedTools: ['Read', 'Glob', 'Write', 'Agent'], disallowedTools: ['Glob'], customTools: [ownTool('a', 'root')], connectionTools: [ownTool('mcp__hub__b', 'root')] } }, delegating);
      await delegateOnce(session);
      assert.deepEqual(toolsOfChildren(), [['Read', 'Write']]);
    });

    it('hands down no more than what one message left it', async () => {
      const session = await start({ shell: false }, delegating);
      await delegateOnce(session, { capabilities: { allowedTools: ['Read', 'Agent'] } });
      assert.deepEqual(toolsOfChildren(), [['Read']]);
      assert.deepEqual(fixture.agent.groups()[0]?.children[0]?.tools, ['Read']);
    });

    it('lets a child go on with no more than what the message left it', async () => {
      const resume = (): object => ({ resume: fixture.agent.groups()[0]?.children[0]?.agentId });
      const session = await start({ shell: false }, (request) => {
        const more = lastUserText(request) === 'resume' ? resume() : lastUserText(request) === 'go' ? {} : undefined;
        return isRoot(request) && more ? { calls: [{ name: 'Agent', input: { tasks: [{ display_name: 'A', prompt: 'A', ...more }] } }] } : { text: 'Done.' };
      });
      await delegateOnce(session);
      const first = fixture.agent.groups()[0]?.groupId;
      const again = fixture.recorder.until('group.settled', ({ groupId }) => groupId !== first);
      await session.send('resume', { root: { capabilities: { allowedTools: ['Read', 'Agent'] } } });
      await again;
      assert.deepEqual(toolsOfChildren().at(-1), ['Read']);
      assert.match(fixture.agent.groups()[0]?.children[0]?.notes?.join() ?? '', /Write/);
    });

    it('hands down its usual tools again with the next message', async () => {
      const session = await start({ shell: false, ripgrep: '/nowhere/rg' }, delegating);
      await delegateOnce(session, { capabilities: { disallowedTools: ['Write', 'Glob', 'Grep'] } });
      fixture.recorder.events.splice(0);
      await delegateOnce(session);
      assert.deepEqual(toolsOfChildren(), [['Read', 'Edit', 'TaskGet', 'TaskList'], ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'TaskGet', 'TaskList']]);
    });
  });
});
