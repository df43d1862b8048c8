import assert from 'node:assert/strict';
import { followupsFor, type Standing } from '../../../src/ui/chat/followupChoices.ts';
import { child, english, group } from '../ui/fakes.ts';

const standing = (patch: Partial<Standing> = {}): Standing => ({ groups: [], isRunning: false, isFirst: false, ...patch });
const commands = (patch: Partial<Standing>): readonly (string | undefined)[] => followupsFor(standing(patch), english).map(({ command }) => command);

describe('what can be asked next', () => {
  it('is who there is at the start, and then nothing without a reason', () => {
    assert.deepEqual(commands({ isFirst: true }), ['agents']);
    assert.deepEqual(commands({}), []);
  });

  it('follows what the groups have come to, what needs the person first', () => {
    const reviewed = group([child({ status: 'completed', taskId: 't', taskStatus: 'review' })], { status: 'completed' });
    const interrupted = group([child({ agentId: 'agent-2', status: 'interrupted' })], { status: 'interrupted' });
    assert.deepEqual(commands({ groups: [interrupted, reviewed], isRunning: true, isFirst: true }), ['review', 'resume', 'status']);
    assert.deepEqual(commands({ isRunning: true, isFirst: true }), ['status']);
  });

  it('lets what failed try again, by name, but not what is another window’s', () => {
    const failed = group(['A', 'B', 'C', 'D'].map((name) => child({ agentId: `agent-${name}`, displayName: `${name}\n`, status: 'failed' })), { status: 'failed' });
    const [retry] = followupsFor(standing({ groups: [failed] }), english);
    assert.deepEqual([retry?.command, retry?.prompt], [undefined, 'Let the subagents that failed try again: A, B, C and 1 more']);
    assert.deepEqual(followupsFor(standing({ groups: [{ ...failed, isElsewhere: true }] }), english), []);
  });
});
