import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { delegating, startAgent, type AgentFixture } from '../../support/agentFixture.ts';

describe('the log of a group', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  it('holds no secret of an input, wherever an event repeats it', async () => {
    const secret = 'ghp_abcdefghijklmnopqrst1234';
    fixture = await startAgent(delegating({ A: [{ calls: ['echo', 'git'].map((program) => ({ name: 'Bash', input: { command: `${program} ${secret}` } })) }, { text: 'done' }] }), {
      permissions: { user: { ask: [`Bash(echo ${secret})`], deny: [`Bash(git ${secret})`] } },
    });
    const { agent } = fixture;
    agent.approvals.attach();
    agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void agent.approvals.decide(event.request.id, { kind: 'allow_once' });
    });
    await (await agent.openSession()).send('go');
    await fixture.recorder.until('group.settled');
    await agent.close();
    const log = await readFile(join(fixture.storageDir, 'groups', `${agent.groups()[0]?.groupId ?? ''}.jsonl`), 'utf8');
    assert.match(log, /approval\.decided[^]*permission\.denied/);
    assert.ok(!log.includes(secret));
  });
});
