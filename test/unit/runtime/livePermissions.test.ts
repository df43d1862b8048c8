import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { PermissionOptions } from '../../../src/runtime/domain/liteAgent.ts';
import { delegating, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const run = (command: string) => ({ name: 'Bash', input: { command } });

describe('permissions of a running child', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  it('hold an answer of "always" from its very next call on', async () => {
    const turns: ScriptedTurn[] = [{ calls: [run('git version'), run('git version --build-options')] }, { calls: [run('git version')] }, { text: 'done' }];
    const permissions = (allow: readonly string[]): PermissionOptions => ({
      user: { allow },
      saveRule: async (rule) => fixture.agent.configure({ permissions: permissions([...allow, rule]) }),
    });
    fixture = await startAgent(delegating({ A: turns }), { permissions: permissions([]) });
    fixture.agent.approvals.attach();
    fixture.agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void fixture.agent.approvals.decide(event.request.id, { kind: event.request.canAlways ? 'allow_always' : 'deny' });
    });
    const session = await fixture.agent.openSession();
    await session.send('go');
    await fixture.recorder.until('group.settled');
    assert.equal(fixture.recorder.of('approval.wanted').length, 1);
    assert.deepEqual(fixture.recorder.of('tool.ended').filter(({ tool }) => tool === 'Bash').map(({ isError }) => isError), [false, false, false]);
  });

  it('take in a rule that forbids', async () => {
    let forbid = (): void => undefined;
    fixture = await startAgent(delegating({ A: [{ calls: [run('git version')] }, { calls: [run('git version')], check: () => forbid() }, { text: 'done' }] }), { permissions: { user: { allow: ['Bash'] } } });
    forbid = () => fixture.agent.configure({ permissions: { user: { allow: ['Bash'], deny: ['Bash(git version:*)'] } } });
    const session = await fixture.agent.openSession();
    await session.send('go');
    await fixture.recorder.until('group.settled');
    assert.deepEqual(fixture.recorder.of('tool.ended').filter(({ tool }) => tool === 'Bash').map(({ isError }) => isError), [false, true]);
  });
});

describe('a search that a person allowed', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** Results of the calls, each of which a person allows when asked. */
  async function resultsOf(calls: readonly { readonly name: string; readonly input: unknown }[], permissions: PermissionOptions = {}): Promise<readonly string[]> {
    fixture = await startAgent([{ calls }, { text: 'done' }], { permissions, workspace: { '.env': 'needle=1\n', 'plain.txt': 'needle\n' } });
    const outside = join(fixture.cwd, '../outside');
    await mkdir(outside);
    for (const name of ['a.txt', '.env', 'b.secret']) await writeFile(join(outside, name), 'needle\n');
    fixture.agent.approvals.attach();
    fixture.agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void fixture.agent.approvals.decide(event.request.id, { kind: 'allow_once' });
    });
    await (await fixture.agent.openSession()).send('go');
    const request = fixture.model.requests[1];
    assert.ok(request);
    return toolResults(request).map(({ text }) => text);
  }

  it('shows what lies in the folder outside, but for files that a rule keeps back', async () => {
    const [grep = '', glob = ''] = await resultsOf(
      [{ name: 'Grep', input: { pattern: 'needle', path: '../outside' } }, { name: 'Glob', input: { pattern: '*', path: '../outside' } }],
      { user: { deny: ['Read(**/*.secret)'] } },
    );
    for (const text of [grep, glob]) {
      assert.match(text, /outside\/a\.txt/);
      assert.doesNotMatch(text, /\.env|secret/);
    }
  });

  it('shows it under a closed allow list too, which asked for that very search', async () => {
    const [grep = ''] = await resultsOf([{ name: 'Grep', input: { pattern: 'needle', path: '../outside' } }], { user: { deny: ['Read(**/*.secret)'] }, workspace: { allow: ['Read(src/**)'] } });
    assert.match(grep, /outside\/a\.txt/);
    assert.doesNotMatch(grep, /\.env|secret/);
  });

  it('shows the very file that was allowed', async () => {
    const [text = ''] = await resultsOf([{ name: 'Grep', input: { pattern: 'needle', path: '.env' } }]);
    assert.match(text, /needle=1/);
  });

  it('of the workspace still leaves out what would ask', async () => {
    const [text = ''] = await resultsOf([{ name: 'Grep', input: { pattern: 'needle' } }]);
    assert.match(text, /plain\.txt/);
    assert.doesNotMatch(text, /\.env/);
  });
});
