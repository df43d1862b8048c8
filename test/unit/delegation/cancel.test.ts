import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { RuntimeEventType } from '../../../src/runtime/domain/events.ts';
import { CANCELLED, completed, Fixture, quiet } from './fixture.ts';

describe('cancelling delegated work', () => {
  it('stops a group with 3 running and 2 queued; the queued never start (case 57)', async () => {
    const f = new Fixture();
    f.maxParallel = 3;
    const group = await f.dispatch(['A', 'B', 'C', 'D', 'E']);
    await f.delegation.cancelGroup(group.groupId);
    assert.deepEqual([...f.children.keys()], ['A', 'B', 'C']);
    assert.ok([...f.children.values()].every(({ signal }) => signal.aborted));
    assert.deepEqual(f.settled().toSorted(), ['A: cancelled', 'B: cancelled', 'C: cancelled', 'D: cancelled', 'E: cancelled']);
    assert.equal(f.all('group.settled')[0]?.status, 'cancelled');
    assert.equal(f.delivered.length, 1);
  });

  it('resolves only when what it cancelled has really stopped', async () => {
    const f = new Fixture();
    f.stopsOnAbort = false;
    f.maxParallel = 1;
    const group = await f.dispatch(['A', 'B']);
    let stopped = false;
    const cancel = f.delegation.cancelChild(group.children[0]?.agentId ?? '').then(() => (stopped = true));
    await quiet();
    assert.equal(stopped, false);
    assert.equal(f.children.size, 1, 'the slot is held until then');
    f.stopsOnAbort = true;
    f.end('A', CANCELLED);
    await cancel;
    assert.deepEqual([...f.children.keys()], ['A', 'B']);
    await f.delegation.close();
  });

  it('frees the place of a queued child at once and leaves its siblings', async () => {
    const f = new Fixture();
    f.maxParallel = 1;
    const group = await f.dispatch(['A', 'B', 'C']);
    await f.delegation.cancelChild(group.children[1]?.agentId ?? '');
    assert.deepEqual(f.settled(), ['B: cancelled']);
    f.end('A', completed('a'));
    await quiet();
    assert.deepEqual([...f.children.keys()], ['A', 'C']);
    await f.delegation.close();
  });

  it('is idempotent, and nothing for what is unknown or settled', async () => {
    const f = new Fixture();
    const group = await f.dispatch(['A']);
    const id = group.children[0]?.agentId ?? '';
    await Promise.all([f.delegation.cancelChild(id), f.delegation.cancelChild(id), f.delegation.cancelGroup(group.groupId), f.delegation.cancelAll()]);
    await Promise.all([f.delegation.cancelChild(id), f.delegation.cancelGroup(group.groupId), f.delegation.cancelGroup('bg_none'), f.delegation.cancelSession('none')]);
    assert.deepEqual([f.settled().length, f.delivered.length], [1, 1]);
  });

  it('cancels the groups of one session only', async () => {
    const f = new Fixture();
    await f.dispatch(['A'], 's1');
    await f.dispatch(['B'], 's2');
    await f.delegation.cancelSession('s1');
    assert.deepEqual([f.settled(), f.delegation.running().map(({ spec }) => spec.sessionId)], [['A: cancelled'], ['s2']]);
    await f.delegation.close();
  });

  it('keeps a result that came before the cancel could stop it', async () => {
    const f = new Fixture();
    f.stopsOnAbort = false;
    const group = await f.dispatch(['A']);
    const cancel = f.delegation.cancelGroup(group.groupId);
    f.end('A', completed('just in time'));
    await cancel;
    assert.deepEqual(f.settled(), ['A: completed']);
    assert.ok(f.delivered[0]?.text.includes('just in time'));
  });

  it('makes whatever a cancelled child throws a cancel', async () => {
    const f = new Fixture();
    f.stopsOnAbort = false;
    const group = await f.dispatch(['A']);
    const cancel = f.delegation.cancelGroup(group.groupId);
    f.children.get('A')?.end.reject(new Error('socket closed'));
    await cancel;
    assert.deepEqual(f.settled(), ['A: cancelled']);
  });

  for (const type of ['group.accepted', 'child.queued', 'child.started', 'child.settled', 'group.settled'] satisfies RuntimeEventType[]) {
    it(`settles everything once when cancelled at the moment of ${type}`, async () => {
      const f = new Fixture();
      f.maxParallel = 2;
      const cancels: Promise<void>[] = [];
      f.listener = (event) => {
        if (event.type === type) cancels.push(f.delegation.cancelAll());
      };
      await f.dispatch(['A', 'B', 'C']);
      f.end('A', completed('a'));
      await quiet();
      for (const name of ['B', 'C']) f.end(name, completed(name));
      await quiet();
      await Promise.all(cancels);
      assert.equal(f.settled().length, 3);
      assert.equal(f.all('group.settled').length, 1);
      assert.equal(f.delivered.length, 1);
      assert.ok(type === 'group.settled' || !f.children.has('C'));
    });
  }

  it('does not run a child that was cancelled while it started', async () => {
    const f = new Fixture();
    f.listener = (event) => {
      if (event.type === 'child.started') void f.delegation.cancelChild(event.agentId);
    };
    await f.dispatch(['A']);
    await quiet();
    assert.deepEqual([f.children.size, f.settled()], [0, ['A: cancelled']]);
  });

  it('delivers once when cancelled from within the delivery', async () => {
    let count = 0;
    const f: Fixture = new Fixture({ deliver: async ({ groupId }) => { count++; void f.delegation.cancelGroup(groupId); return true; } });
    await f.dispatch(['A']);
    f.end('A', completed('a'));
    await quiet();
    assert.equal(count, 1);
  });

  it('settles each child and each group exactly once, whatever is cancelled when', async () => {
    const step = fc.record({ do: fc.constantFrom('end', 'throw', 'cancelChild', 'cancelGroup', 'wait'), pick: fc.nat(11) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 25 }), async (limit, script) => {
        const f = new Fixture();
        f.maxParallel = limit;
        const groups = await Promise.all([0, 1, 2].map((group) => f.dispatch([0, 1, 2, 3].map((index) => `g${group}c${index}`), `s${group}`)));
        const specs = groups.flatMap(({ children }) => children);
        for (const { do: action, pick } of script) {
          const spec = specs[pick];
          const name = spec?.displayName ?? '';
          if (action === 'end') f.end(name, completed(name));
          else if (action === 'throw') f.children.get(name)?.end.reject(new Error('broken'));
          else if (action === 'cancelChild') void f.delegation.cancelChild(spec?.agentId ?? '');
          else if (action === 'cancelGroup') void f.delegation.cancelGroup(groups[pick % 3]?.groupId ?? '');
          else await quiet();
        }
        await f.delegation.cancelAll();
        assert.equal(new Set(f.all('child.settled').map(({ agentId }) => agentId)).size, 12);
        assert.deepEqual([f.all('child.settled').length, f.all('group.settled').length, f.delivered.length], [12, 3, 3]);
        assert.ok(f.all('child.settled').every(({ outcome }) => outcome.status !== 'completed' || outcome.text !== ''));
        const started = new Set(f.all('child.started').map(({ agentId }) => agentId));
        assert.equal(f.children.size, [...started].length);
        await f.delegation.close();
      }),
      { numRuns: 80 },
    );
  });
});

describe('closing delegation', () => {
  it('cancels everything, waits for it, delivers nothing, and refuses what comes later', async () => {
    const f = new Fixture();
    f.stopsOnAbort = false;
    f.maxParallel = 1;
    await f.dispatch(['A', 'B']);
    let closed = false;
    const closing = Promise.all([f.delegation.close(), f.delegation.close()]).then(() => (closed = true));
    await assert.rejects(f.dispatch(['C']), (error) => isAppError(error, 'closed'));
    await quiet();
    assert.equal(closed, false);
    f.end('A', CANCELLED);
    await closing;
    assert.deepEqual([f.settled().toSorted(), f.delivered, f.children.size], [['A: cancelled', 'B: cancelled'], [], 1]);
    await f.delegation.close();
  });

  it('lets no dispatch that was under way slip through', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const f = new Fixture();
      const dispatch = f.dispatch(['A']).then(() => 'started', () => 'refused');
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await f.delegation.close();
      assert.equal(f.all('child.settled').length, (await dispatch) === 'started' ? 1 : 0);
      assert.equal(f.delivered.length, 0);
    }
  });
});
