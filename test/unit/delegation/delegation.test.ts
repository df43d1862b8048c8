import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deferred } from '../../../src/runtime/base/async.ts';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { CANCELLED, completed, failed, Fixture, quiet, task } from './fixture.ts';

describe('delegation', () => {
  it('accepts a group, tells its life in order, and delivers once', async () => {
    const f = new Fixture();
    const group = await f.dispatch(['A', 'B']);
    assert.match(group.groupId, /^bg_[a-z2-7]{10}$/);
    assert.match(group.children[0]?.agentId ?? '', /^agent-general-purpose-[a-z2-7]{10}$/);
    f.end('B', completed('b'));
    await quiet();
    assert.equal(f.delivered.length, 0);
    f.end('A', completed('a'));
    await quiet();
    assert.deepEqual(f.events.map(({ type }) => type), ['group.accepted', 'child.queued', 'child.queued', 'child.started', 'child.started', 'child.settled', 'child.settled', 'group.settled', 'group.delivered']);
    assert.equal(f.all('group.settled')[0]?.status, 'completed');
    assert.deepEqual(f.delivered.map(({ sessionId, groupId }) => [sessionId, groupId]), [['s1', group.groupId]]);
    assert.ok(f.delivered[0]?.text.includes('label="Subagent group: A, B" status="completed"'));
  });

  it('hands the results over only once it is stored that the group has settled', async () => {
    const stored = deferred<void>();
    const f: Fixture = new Fixture({ stored: () => (f.all('group.settled').length > 0 ? stored.promise : Promise.resolve()) });
    await f.dispatch(['A']);
    f.end('A', completed('a'));
    await quiet();
    assert.deepEqual([f.all('group.settled').length, f.delivered.length], [1, 0]);
    stored.resolve();
    await quiet();
    assert.deepEqual([f.delivered.length, f.all('group.delivered').length], [1, 1]);
  });

  it('says of results that could not be delivered that they are still to be', async () => {
    const f = new Fixture({ deliver: async () => false });
    await f.dispatch(['A']);
    f.end('A', completed('a'));
    await quiet();
    assert.deepEqual([f.all('group.settled').length, f.all('group.delivered').length, f.delegation.running().length], [1, 0, 0]);
  });

  it('gives each child what its task resolves to', async () => {
    const f = new Fixture();
    const group = await f.delegation.dispatch({ sessionId: 's1', cwd: '/project', tasks: [task('A', { subagent_type: 'researcher', model: 'big' })] });
    const { agentId, ...rest } = group.children[0] ?? { agentId: '' };
    assert.match(agentId, /^agent-researcher-/);
    assert.deepEqual(rest, { displayName: 'A', definition: 'Researcher', model: { provider: 'other', model: 'big' }, prompt: 'Do A', maxTurns: 9, tools: ['Read'], round: 1 });
    await f.delegation.close();
  });

  it('starts nothing when any task is wrong', async () => {
    const f = new Fixture();
    await assert.rejects(f.delegation.dispatch({ sessionId: 's1', cwd: '/project', tasks: [task('A'), task('B', { model: 'unknown' })], others: { typo: 1 } }), (error) => isAppError(error, 'invalid_input') && error.message.includes('Task 2 ("B"), model') && error.message.includes('typo'));
    assert.deepEqual([f.events, f.children.size], [[], 0]);
  });

  it('lets a person pick what is hidden from the model', async () => {
    const f = new Fixture();
    const call = { sessionId: 's1', cwd: '/project', tasks: [task('A', { subagent_type: 'secret' })] };
    await assert.rejects(f.delegation.dispatch(call), (error) => isAppError(error, 'invalid_input'));
    assert.equal((await f.delegation.dispatch({ ...call, by: 'person' })).children[0]?.definition, 'secret');
    await f.delegation.close();
  });

  it('never runs more than five of two groups of three', async () => {
    const f = new Fixture();
    await Promise.all([f.dispatch(['A', 'B', 'C'], 's1'), f.dispatch(['D', 'E', 'F'], 's2')]);
    await quiet();
    assert.deepEqual([...f.children.keys()], ['A', 'B', 'C', 'D', 'E']);
    f.end('D', completed('d'));
    await quiet();
    assert.deepEqual([...f.children.keys()], ['A', 'B', 'C', 'D', 'E', 'F']);
    for (const name of f.children.keys()) f.end(name, completed(name));
    await quiet();
    assert.deepEqual(f.delivered.map(({ sessionId }) => sessionId).sort(), ['s1', 's2']);
  });

  it('takes a changed limit into use without dropping work', async () => {
    const f = new Fixture();
    f.maxParallel = 1;
    await f.dispatch(['A', 'B', 'C']);
    assert.equal(f.children.size, 1);
    f.maxParallel = 3;
    f.delegation.limitsChanged();
    assert.equal(f.children.size, 3);
    f.maxParallel = 0;
    assert.throws(() => f.delegation.limitsChanged(), (error) => isAppError(error, 'invalid_input'));
    await f.delegation.close();
  });

  it('delivers every outcome of a mixed group in input order, once, as partial', async () => {
    const f = new Fixture();
    await f.dispatch(['A', 'B', 'C', 'D']);
    f.end('D', completed('done d'));
    f.end('C', failed('max_turns'));
    f.children.get('B')?.end.reject(new Error('broken pipe'));
    await f.delegation.cancelChild(f.children.get('A')?.spec.agentId ?? '');
    await quiet();
    assert.equal(f.all('group.settled')[0]?.status, 'partial');
    assert.equal(f.delivered.length, 1);
    const headings = f.delivered[0]?.text.match(/^## .*$/gm)?.map((line) => line.replace(/\(agentId: \S+ status: /, '('));
    assert.deepEqual(headings, ['## A (cancelled)', '## B (failed)', '## C (failed)', '## D (completed)']);
    assert.ok(f.delivered[0]?.text.includes('Error: Subagent failed: broken pipe'));
    assert.ok(f.delivered[0]?.text.includes('Error: Subagent reached max turns'));
    assert.ok(f.delivered[0]?.text.includes('done d'));
  });

  it('passes a turn limit through as what it is, with its text as partial (case 68)', async () => {
    const f = new Fixture();
    await f.dispatch(['A']);
    const outcome: RunOutcome = { status: 'failed', reason: 'max_turns', message: '2 turns', partialText: 'half' };
    f.end('A', outcome);
    await quiet();
    assert.deepEqual(f.all('child.settled')[0]?.outcome, outcome);
    assert.equal(f.all('group.settled')[0]?.status, 'failed');
  });

  for (const text of ['', ' \n\t ']) {
    it(`never calls ${JSON.stringify(text)} a success`, async () => {
      const f = new Fixture();
      await f.dispatch(['A']);
      f.end('A', completed(text));
      await quiet();
      const outcome = f.all('child.settled')[0]?.outcome;
      assert.equal(outcome?.status === 'failed' && outcome.reason, 'no_text');
    });
  }

  it('settles a child that throws at once, throws an abort of its own, or ends (case 63)', async () => {
    const throwers = [(): never => { throw new Error('at once'); }, () => Promise.reject(new DOMException('late', 'AbortError')), () => Promise.resolve(CANCELLED), () => Promise.resolve(completed('x'))];
    for (const [index, runChild] of throwers.entries()) {
      const f = new Fixture({ runChild });
      await f.dispatch(['A']);
      await quiet();
      assert.deepEqual(f.settled(), [`A: ${['failed', 'failed', 'cancelled', 'completed'][index]}`]);
      assert.equal(f.delivered.length, 1);
      await f.delegation.close();
    }
  });

  it('starts nothing more of a provider that refuses, also in other groups (case 81)', async () => {
    const f = new Fixture();
    f.maxParallel = 2;
    await f.dispatch(['A', 'B', 'C']);
    await f.delegation.dispatch({ sessionId: 's2', cwd: '/project', tasks: [task('D'), task('E', { model: 'big' })] });
    f.end('A', failed('quota', 'Spend limit reached'));
    await quiet();
    assert.deepEqual([...f.children.keys()], ['A', 'B', 'E'], 'another provider goes on');
    assert.deepEqual(f.settled(), ['A: failed', 'C: failed', 'D: failed']);
    assert.equal(f.all('child.started').length, 3);
    f.end('B', completed('b'));
    f.end('E', completed('e'));
    await quiet();
    assert.ok(f.delivered[0]?.text.includes('(2 of 3 subagents of this group failed)'));
    await f.dispatch(['F']);
    assert.ok(f.children.has('F'), 'a later dispatch tries again');
    await f.delegation.close();
  });

  it('lets those go on that have another address of the provider whose quota is used up', async () => {
    const f = new Fixture({
      resolveChild: (_definition, { model = '' }) => ({ ok: true, model: { provider: 'main', model: 'small', ...(model && { baseUrl: model }) }, maxTurns: 9, tools: [], notes: [] }),
    });
    f.maxParallel = 1;
    const tasks = [task('A', { model: 'http://one' }), task('B', { model: 'http://one' }), task('C', { model: 'http://two' }), task('D')];
    await f.delegation.dispatch({ sessionId: 's', cwd: '/project', tasks });
    f.end('A', failed('auth', 'Wrong key'));
    await quiet();
    assert.deepEqual([f.settled(), [...f.children.keys()]], [['A: failed', 'B: failed'], ['A', 'C']]);
    await f.delegation.close();
  });

  it('reports a delivery that fails', async () => {
    const f = new Fixture({ deliver: () => { throw new Error('no session'); } });
    await f.dispatch(['A']);
    f.end('A', completed('a'));
    await quiet();
    assert.match(f.all('problem')[0]?.message ?? '', /no session/);
    assert.deepEqual(f.delegation.running(), []);
  });

  it('keeps groups apart when many are dispatched at once, ended in any order', async () => {
    const outcome = fc.constantFrom(completed('done'), failed('error'), failed('max_turns'), CANCELLED);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(outcome, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.nat(100)), async (groups, limit, picks) => {
        const f = new Fixture();
        f.maxParallel = limit;
        const names = groups.map((list, group) => list.map((_, index) => `g${group}c${index}`));
        await Promise.all(names.map((list, group) => f.dispatch(list, `s${group}`)));
        const byName = new Map<string, RunOutcome>(groups.flatMap((list, group) => list.map((end, index) => [`g${group}c${index}`, end] as const)));
        while (byName.size > 0) {
          const running = [...f.children.keys()].filter((name) => byName.has(name));
          assert.ok(running.length >= 1 && running.length <= limit);
          const name = running[(picks.next().value ?? 0) % running.length] ?? '';
          f.end(name, byName.get(name) ?? CANCELLED);
          byName.delete(name);
          await quiet();
        }
        assert.deepEqual([...f.children.keys()], names.flat(), 'order of arrival');
        assert.equal(f.delivered.length, groups.length);
        for (const { sessionId, text } of f.delivered) {
          const group = Number(sessionId.slice(1));
          const found = [...text.matchAll(/^## (\w+) .*status: (\w+)\)$/gm)].map(([, name, status]) => [name, status]);
          assert.deepEqual(found, groups[group]?.map(({ status }, index) => [names[group]?.[index], status]));
        }
      }),
      { numRuns: 60 },
    );
  });
});
