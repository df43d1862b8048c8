import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { AgentFixture } from '../../support/agentFixture.ts';
import { heardBy, runGroup, startDefined } from '../../support/definedChildren.ts';

const bash = (command: string) => ({ name: 'Bash', input: { command } });
const DENYING = { user: { deny: ['Bash(touch:*)', 'Read(**/*.secret)'] } } as const;

describe('a dry run', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  it('runs what rules would ask for or deny, shows all that a search finds, and says so in the record', async () => {
    const turns = [{ calls: [bash('touch probe'), { name: 'Write', input: { file_path: '.vscode/x.json', content: '{}' } }, { name: 'Grep', input: { pattern: 'needle' } }] }, { text: 'done' }];
    fixture = await startDefined({ A: { fields: ['permission: {onAsk: deny}'], turns } }, { permissions: { ...DENYING, mode: 'dry-run' } }, { 'a.secret': 'needle', '.env': 'needle' });
    const completion = await runGroup(fixture);
    const { recorder, cwd, agent } = fixture;
    assert.equal(await readFile(join(cwd, '.vscode/x.json'), 'utf8'), '{}');
    assert.equal(await readFile(join(cwd, 'probe'), 'utf8'), '');
    assert.match(heardBy(fixture, 'A')[2] ?? '', /\.env[^]*a\.secret/);
    assert.deepEqual(recorder.of('permission.dry_run').map(({ verdict, action }) => [verdict, action]), [['deny', 'touch probe'], ['deny', 'write .vscode/x.json']]);
    assert.deepEqual([recorder.of('approval.wanted'), recorder.of('permission.denied')], [[], []]);
    assert.doesNotMatch(completion, /Refused/);
    const decisions = await agent.approvals.decisions();
    assert.deepEqual(decisions.map(({ by, verdict, action }) => [by, verdict, action]), [['dry_run', 'deny', 'touch probe'], ['dry_run', 'deny', 'write .vscode/x.json']]);
  });

  it('lets through nothing that is no matter of rules: delegation by a child, unknown tools, broken input, impossible paths', async () => {
    const calls = [
      { name: 'Agent', input: { tasks: [{ display_name: 'x', prompt: 'x' }] } },
      { name: 'Nonsense', input: {} },
      { name: 'Bash', input: { cmd: 'ls' } },
      { name: 'Read', input: { file_path: '/dev/zero' } },
    ];
    fixture = await startDefined({ A: { turns: [{ calls }, { text: 'done' }] } }, { permissions: { mode: 'dry-run' } });
    await runGroup(fixture);
    const heard = heardBy(fixture, 'A');
    assert.equal(heard.length, 4);
    for (const [index, expected] of [/can't start subagents/, /no tool named Nonsense/, /Invalid input/, /Denied.*system/].entries()) assert.match(heard[index] ?? '', expected);
    assert.equal(fixture.agent.groups().length, 1);
  });

  it('ends when it is switched off, from the next call on', async () => {
    let enforce = (): void => undefined;
    const turns = [{ calls: [bash('touch one')] }, { calls: [bash('touch two')], check: () => enforce() }, { text: 'done' }];
    fixture = await startDefined({ A: { turns } }, { permissions: { ...DENYING, mode: 'dry-run' } });
    enforce = () => fixture.agent.configure({ permissions: DENYING });
    await runGroup(fixture);
    assert.deepEqual(fixture.recorder.of('tool.ended').filter(({ tool }) => tool === 'Bash').map(({ isDenied }) => isDenied), [false, true]);
  });
});
