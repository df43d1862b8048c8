import assert from 'node:assert/strict';
import { AppError, isAppError, type ErrorReason } from '../../../src/runtime/base/errors.ts';
import type { GroupSpec } from '../../../src/runtime/domain/agents.ts';
import { sendMessage } from '../../../src/ui/steering/sendMessage.ts';
import { child } from './fakes.ts';

const CHILDREN = [child({ agentId: 'a' }), child({ agentId: 'late', status: 'completed' }), child({ agentId: 'other' })];

/** An agent that refuses messages to the named children. */
function fake(refusals: Readonly<Record<string, ErrorReason>>) {
  const calls: string[] = [];
  return {
    calls,
    child: (id: string) => CHILDREN.find(({ agentId }) => agentId === id),
    group: () => undefined,
    tellChild: async (id: string, text: string): Promise<void> => {
      const reason = refusals[id];
      if (reason !== undefined) throw new AppError(reason, `${id}: ${reason}.`);
      calls.push(`tell ${id}: ${text}`);
    },
    resumeChild: async (id: string, { prompt = '' }: { readonly prompt?: string } = {}): Promise<GroupSpec> => {
      calls.push(`resume ${id}: ${prompt}`);
      return { groupId: 'g2', sessionId: 's1', cwd: '/w', children: [] };
    },
    resumeGroup: (): Promise<GroupSpec> => Promise.reject(new AppError('internal', 'asked')),
  };
}

const model = (): Promise<string | undefined> => Promise.resolve(undefined);
const never = (): Promise<boolean> => Promise.reject(new AppError('internal', 'asked'));

describe('a message that a person sends to subagents', () => {
  it('goes to each of them', async () => {
    const to = fake({});
    await sendMessage(to, ['a', 'other'], 'Hello.', { resume: never, model });
    assert.deepEqual(to.calls, ['tell a: Hello.', 'tell other: Hello.']);
  });

  it('becomes the prompt of those that have ended meanwhile, if the person wants that', async () => {
    for (const wants of [true, false]) {
      const to = fake({ late: 'conflict' });
      const asked: (readonly string[])[] = [];
      await sendMessage(to, ['late', 'a'], 'Hello.', { resume: (ids) => (asked.push(ids), Promise.resolve(wants)), model });
      assert.deepEqual(asked, [['late']]);
      assert.deepEqual(to.calls, ['tell a: Hello.', ...(wants ? ['resume late: Hello.'] : [])]);
    }
  });

  it('that is refused for another reason is told so, after the others have theirs', async () => {
    const to = fake({ other: 'conflict' });
    await assert.rejects(sendMessage(to, ['other', 'a'], 'Hello.', { resume: never, model }), (error) => isAppError(error, 'conflict'));
    assert.deepEqual(to.calls, ['tell a: Hello.']);
  });
});
