import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { isRoot, lastUserText, reopenAgent, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

const ALLOWED: AgentFixtureOptions = { permissions: { user: { allow: ['*'] } } };
const bash = (command: string): ScriptedTurn => ({ calls: [{ name: 'Bash', input: { command } }] });

describe('the root, of what a subagent did,', () => {
  const open: AgentFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) await fixture.end();
  });
  const keep = (fixture: AgentFixture): AgentFixture => {
    open.push(fixture);
    return fixture;
  };

  /** A child that takes one turn and is done; the root then tries to complete its task, and says what it heard. */
  async function tries(turn: ScriptedTurn, options: AgentFixtureOptions = {}): Promise<readonly [string | undefined, string]> {
    let heard = '';
    const script: Script = (request) => {
      const [result] = toolResults(request);
      if (!isRoot(request)) return result ? { text: 'Done.' } : turn;
      if (result) heard = result.text;
      return lastUserText(request)?.startsWith('<background') === true && !result ? { calls: [{ name: 'TaskUpdate', input: { task_id: fixture.agent.tasks.list()[0]?.id ?? '', status: 'completed' } }] } : { text: 'Noted.' };
    };
    const fixture = keep(await startAgent(script, { ...ALLOWED, workspace: { 'a.txt': 'one', '.gitignore': 'dist\n' }, ...options }));
    await (await fixture.agent.openSession()).delegate([{ display_name: 'A', prompt: 'A' }]);
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    return [fixture.agent.tasks.list()[0]?.status, heard];
  }

  for (const [what, command, options] of [
    ['changed what git ignores', 'mkdir -p dist && echo x > dist/y.js', {}],
    ['changed something where changes are not kept', 'echo two > a.txt', { checkpoints: false }],
  ] as const) {
    it(`leaves the review to the user where a command ${what}`, async () => {
      const [status, heard] = await tries(bash(command), options);
      assert.equal(status, 'review');
      assert.match(heard, /A ran commands or tools that may have changed something that can't be seen/);
    });
  }

  it('leaves the review to the user where only a command in the background may have changed something', async () => {
    const [status, heard] = await tries({ calls: [{ name: 'Bash', input: { command: 'sleep 1000; echo two > a.txt', run_in_background: true } }] });
    assert.equal(status, 'review');
    assert.match(heard, /A ran commands or tools that may have changed something that can't be seen/);
  });

  it('completes it where it ran only what is known to change nothing, or what was refused', async () => {
    assert.equal((await tries(bash('cat a.txt')))[0], 'completed');
    assert.equal((await tries(bash('echo two > a.txt'), { permissions: { user: { deny: ['Bash'] } } }))[0], 'completed');
    assert.equal((await tries({ calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }))[0], 'completed');
  });

  it('completes nothing for another conversation than its own, nor for another window', async () => {
    const go = deferred<void>();
    const heard: string[] = [];
    const completes: Script = (request) => {
      const [result] = toolResults(request);
      if (result) heard.push(result.text);
      return result ? { text: 'Noted.' } : { calls: [{ name: 'TaskUpdate', input: { task_id: first.agent.tasks.list()[0]?.id ?? '', status: 'completed' } }], wait: go.promise };
    };
    const first = keep(await startAgent((request) => (!isRoot(request) ? { text: 'Done.' } : lastUserText(request) === 'go' || toolResults(request).length > 0 ? completes(request) : { text: 'Noted.' })));
    await (await first.agent.openSession()).delegate([{ display_name: 'A', prompt: 'A' }]);
    await first.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const second = keep(await reopenAgent(first, completes));
    go.resolve();
    for (const { agent } of [first, second]) await (await agent.openSession()).send('go');
    await first.agent.tasks.refresh();
    assert.equal(first.agent.tasks.list()[0]?.status, 'review');
    assert.equal(heard.length, 2);
    for (const text of heard) assert.match(text, /A worked for another conversation/);
  });
});
