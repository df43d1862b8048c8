import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ChildView, GroupSpec } from '../../../src/runtime/domain/agents.ts';
import { Claims } from '../../../src/runtime/store/claims.ts';
import { WorktreeHolds } from '../../../src/runtime/worktreeHolds.ts';
import { edits } from '../../support/reviewFixture.ts';
import { temporaryFolder } from '../../support/toolContext.ts';
import { reopenInWorktrees, startInWorktrees } from '../../support/worktrees.ts';

const NEVER = new AbortController().signal;
const always = (child: ChildView | undefined): child is ChildView => child === undefined || child.status === 'completed';

describe('the worktree of a child, in several windows,', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const dead = new Set<string>();
  /** What all windows come to know when they look. */
  let status: ChildView['status'];
  beforeEach(async () => {
    folder = await temporaryFolder();
    dead.clear();
    status = 'completed';
  });
  afterEach(() => folder.remove());

  /** One window; `looks` hears of each look at what the others did. */
  function windowOf(hostId: string, looks: () => void = () => undefined): WorktreeHolds {
    const claims = new Claims(folder.path, hostId, async (other) => !dead.has(other));
    let seen = status;
    return new WorktreeHolds({
      claim: async (subject) => ((await claims.take(subject, 'free')) ? () => claims.release(subject, 'free') : undefined),
      refresh: async () => {
        seen = status;
        looks();
      },
      archive: { child: () => ({ status: seen }) as ChildView, group: () => undefined, groups: () => [] },
    });
  }

  it('is left alone while the child runs in another, however old what this one knows is', async () => {
    const [one, two] = [windowOf('one'), windowOf('two')];
    await one.enter('a', NEVER);
    status = 'running';
    const worked: string[] = [];
    await two.whileFree('a', always, async () => void worked.push('two'));
    await two.ifFree('a', async () => void worked.push('two'));
    assert.equal(worked.length, 0);
    await one.leave('a');
    status = 'completed';
    await two.whileFree('a', always, async () => void worked.push('two'));
    assert.deepEqual(worked, ['two']);
  });

  it('is waited for while another only looks at it, by a look and by a run', async () => {
    const [one, two, three] = [windowOf('one'), windowOf('two', () => waiting.resolve()), windowOf('three')];
    const waiting = deferred<void>();
    const held = deferred<void>();
    const order: ('one' | 'two' | 'three')[] = [];
    const looking = deferred<void>();
    const first = one.whileFree('a', always, async () => {
      looking.resolve();
      await held.promise;
      order.push('one');
    });
    await looking.promise;
    const others = [two.whileFree('a', always, async () => void order.push('two')), three.enter('a', NEVER).then(() => order.push('three')).finally(() => three.leave('a'))];
    await waiting.promise;
    held.resolve();
    await Promise.all([first, ...others]);
    assert.equal(order.indexOf('one'), 0);
    assert.deepEqual([...order].sort(), ['one', 'three', 'two']);
  });

  it('goes to the next where the one that had it is dead', async () => {
    await windowOf('one').enter('a', NEVER);
    dead.add('one');
    assert.equal(await windowOf('two').whileFree('a', always, async () => 'done'), 'done');
  });

  it('is waited for no longer than until the child is cancelled', async () => {
    const [one, two] = [windowOf('one'), windowOf('two')];
    await one.enter('a', NEVER);
    await assert.rejects(two.enter('a', AbortSignal.abort()), { reason: 'aborted' });
  });
});

describe('a worktree in which nothing is left to lose', function () {
  this.timeout(30_000);

  it('stays where the child goes on in another window right then', async () => {
    const held = deferred<void>();
    const atWork = deferred<void>();
    const again = { text: 'Again.', get wait() {
      atWork.resolve();
      return held.promise;
    } };
    const one = await startInWorktrees({ A: [...edits('a.txt', ['a2', 'A2']), again] });
    try {
      const [{ agentId } = { agentId: '' }] = await one.run('A');
      const two = await reopenInWorktrees(one);
      const resumed = deferred<GroupSpec>();
      two.review.agent.subscribe((event) => {
        if (event.type === 'review.decided') one.review.agent.resumeChild(agentId, { prompt: 'More.' }).then((group) => resumed.resolve(group), (error: unknown) => resumed.reject(error));
      });
      await two.review.agent.reviews.accept(agentId);
      const { groupId } = await resumed.promise;
      await atWork.promise;
      // It ends what it had to look at.
      await two.end();
      assert.ok(existsSync(join(one.tree(agentId), 'a.txt')));
      held.resolve();
      await one.review.delivered(groupId);
      // Only now, by the window where it ran.
      await one.removed(agentId);
      assert.equal(one.review.child(agentId).outcome?.status, 'completed');
      assert.equal(await one.review.text('a.txt'), 'a1\nA2\na3\n');
    } finally {
      held.resolve();
      await one.end();
    }
  });
});
