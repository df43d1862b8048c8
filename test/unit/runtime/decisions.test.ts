import assert from 'node:assert/strict';
import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { ApprovalDecision } from '../../../src/runtime/domain/approvals.ts';
import { startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { runGroup, startDefined } from '../../support/definedChildren.ts';

const bash = (command: string) => ({ name: 'Bash', input: { command } });
const SECRET = 'ghp_abcdefghijklmnopqrst1234';

/** Answers each request by its action. */
function answer({ agent }: AgentFixture, answers: Readonly<Record<string, ApprovalDecision>>): void {
  agent.approvals.attach();
  agent.subscribe((event) => {
    if (event.type === 'approval.wanted') void agent.approvals.decide(event.request.id, answers[event.request.action] ?? { kind: 'allow_once' });
  });
}

describe('the record of decisions', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  it("says who decided what on a child's calls, and why, oldest first", async () => {
    const calls = ['git version', 'git status', 'make', 'git push'].map(bash);
    fixture = await startDefined({ A: { turns: [{ calls: [...calls, { name: 'Read', input: { file_path: 'a.txt' } }] }, { text: 'done' }] } }, { permissions: { user: { deny: ['Bash(git push:*)'] }, saveRule: async () => undefined } }, { 'a.txt': '' });
    answer(fixture, { 'git version': { kind: 'allow_always' }, 'git status': { kind: 'allow_group' }, make: { kind: 'deny', message: `not with ${SECRET}` } });
    await runGroup(fixture);
    const decisions = await fixture.agent.approvals.decisions();
    assert.deepEqual(decisions.map(({ action, verdict, by, lasts, rule, message }) => [action, verdict, by, lasts, rule, message]), [
      ['git version', 'allow', 'person', 'always', 'Bash(git version:*)', undefined],
      ['git status', 'allow', 'person', 'group', 'Bash(git status:*)', undefined],
      ['make', 'deny', 'person', undefined, undefined, 'not with ***'],
      ['git push', 'deny', 'rule', undefined, 'Bash(git push:*)', undefined],
    ]);
    for (const { agent, at, why, tool } of decisions) assert.ok(agent.kind === 'child' && agent.displayName === 'A' && at > 0 && why !== '' && tool === 'Bash');
  });

  it("holds the root's too, masked, survives the agent, and is the same for another window", async () => {
    fixture = await startAgent([{ calls: [bash(`echo ${SECRET}`), { name: 'Read', input: { file_path: '/dev/zero' } }] }, { text: 'done' }]);
    answer(fixture, {});
    await (await fixture.agent.openSession()).send('go');
    const before = await fixture.agent.approvals.decisions();
    assert.deepEqual(before.map(({ agent, action, verdict, by }) => [agent.kind, action, verdict, by]), [
      ['root', 'echo ***', 'allow', 'person'],
      ['root', 'Read {"file_path":"/dev/zero"}', 'deny', 'rule'],
    ]);
    await fixture.agent.close();
    const folder = join(fixture.storageDir, 'decisions');
    for (const name of await readdir(folder)) assert.ok(!(await readFile(join(folder, name), 'utf8')).includes(SECRET));
    assert.deepEqual(await fixture.agent.approvals.decisions(), before);
  });

  it('is empty where nothing was decided, and a disk that refuses is a problem, never a denial', async () => {
    fixture = await startAgent([{ calls: [bash('git version')] }, { text: 'done' }]);
    assert.deepEqual(await fixture.agent.approvals.decisions(), []);
    await mkdir(fixture.storageDir, { recursive: true });
    await writeFile(join(fixture.storageDir, 'decisions'), 'in the way');
    answer(fixture, {});
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('problem', ({ message }) => message.includes('decision'));
    assert.deepEqual(fixture.recorder.of('tool.ended').map(({ isError }) => isError), [false]);
    await assert.rejects(fixture.agent.approvals.decisions());
  });
});
