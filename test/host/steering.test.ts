import assert from 'node:assert/strict';
import { AppError } from '../../src/runtime/base/errors.ts';
import type { ChildView } from '../../src/runtime/domain/agents.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import { redirect } from '../../src/ui/steering/redirect.ts';
import { steerable, steered } from '../../src/ui/steering/steerable.ts';
import { child, group } from '../unit/ui/fakes.ts';

const noModel = (): Promise<string | undefined> => Promise.resolve(undefined);

describe('subagents at work', () => {
  let children: readonly ChildView[];
  let told: string[];
  /** What becomes of a child that is cancelled. */
  let end: Partial<ChildView>;
  let agent: LiteAgent;

  beforeEach(() => {
    told = [];
    end = { status: 'cancelled' };
    agent = {
      groups: () => [group(children)],
      group: () => group(children),
      child: (id: string) => children.find(({ agentId }) => agentId === id),
      cancelChild: async (id: string) => {
        told.push(`cancel ${id}`);
        await new Promise((resolve) => setImmediate(resolve));
        children = children.map((one) => (one.agentId === id ? { ...one, ...end } : one));
        told.push(`${id} ended`);
      },
      resumeChild: async (id: string, { prompt }: { readonly prompt?: string }) => void told.push(`resume ${id}: ${prompt}`),
    } as unknown as LiteAgent;
  });

  it('are stopped, and go on with other words once they have really ended', async () => {
    children = [child({ agentId: 'a' }), child({ agentId: 'b' })];
    await redirect(agent, ['a', 'b'], 'The docs instead.', noModel);
    assert.deepEqual(told, ['cancel a', 'cancel b', 'a ended', 'b ended', 'resume a: The docs instead.', 'resume b: The docs instead.']);
  });

  it('do not go on where they have not ended, or can not be stopped', async () => {
    children = [child({ agentId: 'a' })];
    end = { status: 'interrupted' };
    await redirect(agent, ['a'], 'More.', noModel);
    const cancelChild = (): Promise<void> => Promise.reject(new AppError('conflict', 'Another window runs this group.'));
    await assert.rejects(redirect({ ...agent, cancelChild }, ['a'], 'More.', noModel), /Another window/);
    assert.deepEqual(told, ['cancel a', 'a ended']);
  });

  it('are those of this window that run, and of the chosen rows those, each once', async () => {
    children = [child({ agentId: 'a' }), child({ agentId: 'b', status: 'queued' }), child({ agentId: 'c', status: 'completed' })];
    assert.deepEqual(steerable(agent, ['running']).map(({ agentId }) => agentId), ['a']);
    assert.deepEqual(steerable(agent, ['running', 'queued']).map(({ agentId }) => agentId), ['a', 'b']);
    assert.deepEqual(steerable({ groups: () => [group(children, { isElsewhere: true })] }, ['running']), []);
    assert.deepEqual(await steered(agent, [{ agentId: 'c' }, { agentId: 'a' }, { agentId: 'c' }], ['running'], ''), ['c', 'a']);
  });
});
