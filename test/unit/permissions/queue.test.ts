import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { ApprovalDecision } from '../../../src/runtime/domain/approvals.ts';
import { narrowestRule } from '../../../src/runtime/permissions/narrowestRule.ts';
import { child, ROOT, wanted, WatchedQueue } from '../../support/permissionsCalls.ts';
import { runs } from '../../support/permissionsSubjects.ts';

const signal = new AbortController().signal;

/** The id of the newest request. */
function newest(queue: WatchedQueue): string {
  const id = queue.pending().at(-1)?.id;
  assert.ok(id !== undefined);
  return id;
}

function kinds(queue: WatchedQueue): string[] {
  return queue.events.map((event) => (event.type === 'approval.decided' ? `${event.type} ${event.decision.kind} ${event.by}` : event.type));
}

describe('the approval queue', () => {
  it('keeps the order of arrival and answers by id in any order (11)', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    const answers = Array.from({ length: 20 }, (_, index) => queue.request(wanted({ agent: child(`${index}`, `g${index}`), callId: `${index}` }), signal));
    assert.deepEqual(queue.pending().map(({ callId }) => callId), Array.from({ length: 20 }, (_, index) => `${index}`));
    for (const { id, callId } of [...queue.pending()].reverse()) assert.equal(await queue.decide(id, { kind: 'deny', message: callId }), true);
    assert.deepEqual(await Promise.all(answers), Array.from({ length: 20 }, (_, index) => ({ kind: 'deny', message: `${index}` })));
    assert.deepEqual(queue.pending(), []);
  });

  it('publishes each request with who asks, and its end, once (1, 8)', async () => {
    const queue = new WatchedQueue({ now: () => 5 });
    queue.attach();
    const answer = queue.request(wanted({ agent: child('a') }), signal);
    const [request] = queue.pending();
    assert.ok(request);
    assert.deepEqual(request.agent, child('a'));
    assert.equal(request.requestedAt, 5);
    await queue.decide(request.id, { kind: 'allow_once' });
    assert.equal(await queue.decide(request.id, { kind: 'deny' }), false);
    assert.deepEqual(await answer, { kind: 'allow_once' });
    assert.deepEqual(queue.events, [
      { type: 'approval.wanted', request },
      { type: 'approval.decided', request, decision: { kind: 'allow_once' }, by: 'person' },
    ]);
    assert.equal(await queue.decide('unknown', { kind: 'deny' }), false);
  });

  it('takes a denial whose message is no text as one without', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    for (const message of [5, null, {}]) {
      const answer = queue.request(wanted(), signal);
      await queue.decide(newest(queue), { kind: 'deny', message } as unknown as ApprovalDecision);
      assert.deepEqual(await answer, { kind: 'deny' });
    }
  });

  it('denies at once while nobody is attached', async () => {
    const queue = new WatchedQueue();
    assert.equal((await queue.request(wanted(), signal)).kind, 'deny');
    assert.deepEqual(kinds(queue), ['approval.wanted', 'approval.decided deny no_handler']);
    const attached = queue.attach();
    attached.dispose();
    attached.dispose();
    queue.attach().dispose();
    assert.equal((await queue.request(wanted(), signal)).kind, 'deny');
    assert.deepEqual(queue.pending(), []);
  });

  it('no decision is no decision: a request stays pending when views close and open again (6, 7)', async () => {
    const queue = new WatchedQueue();
    const view = queue.attach();
    const answer = queue.request(wanted(), signal);
    view.dispose();
    assert.equal(queue.pending().length, 1);
    queue.attach();
    assert.deepEqual(kinds(queue), ['approval.wanted']);
    await queue.decide(newest(queue), { kind: 'allow_once' });
    assert.deepEqual(await answer, { kind: 'allow_once' });
  });

  it('a listener may decide while it hears of the request', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    const decided = queue.whenPending(1).then(() => queue.decide(newest(queue), { kind: 'allow_once' }));
    assert.deepEqual(await queue.request(wanted(), signal), { kind: 'allow_once' });
    assert.equal(await decided, true);
  });

  it('an abort withdraws its own request only', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    const controller = new AbortController();
    const cancelled = queue.request(wanted({ callId: '1' }), controller.signal);
    const other = queue.request(wanted({ callId: '2' }), signal);
    const [first] = queue.pending();
    controller.abort();
    await assert.rejects(cancelled, isAbort);
    assert.equal(await queue.decide(first?.id ?? '', { kind: 'allow_once' }), false);
    assert.deepEqual(queue.pending().map(({ callId }) => callId), ['2']);
    await queue.decide(newest(queue), { kind: 'deny' });
    await other;
    assert.deepEqual(kinds(queue), ['approval.wanted', 'approval.wanted', 'approval.withdrawn', 'approval.decided deny person']);
  });

  it('takes nothing from an agent that is cancelled already', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    await assert.rejects(queue.request(wanted(), AbortSignal.abort()), isAbort);
    assert.deepEqual(queue.events, []);
  });

  it('2: a child that asks again after its group was cancelled is shown under its own name', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    const first = new AbortController();
    const cancelled = queue.request(wanted({ agent: child('a', 'g1') }), first.signal);
    first.abort();
    await assert.rejects(cancelled, isAbort);
    const again = queue.request(wanted({ agent: child('a', 'g2') }), signal);
    assert.deepEqual(queue.pending().map(({ agent }) => agent), [child('a', 'g2')]);
    await queue.decide(newest(queue), { kind: 'allow_once' });
    assert.deepEqual(await again, { kind: 'allow_once' });
  });

  it('dispose withdraws everything and closes the queue', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    const answers = [queue.request(wanted(), signal), queue.request(wanted(), signal)];
    queue.dispose();
    queue.dispose();
    for (const answer of answers) await assert.rejects(answer, isAbort);
    await assert.rejects(queue.request(wanted(), signal), (error) => isAppError(error, 'closed'));
    assert.deepEqual(kinds(queue), ['approval.wanted', 'approval.wanted', 'approval.withdrawn', 'approval.withdrawn']);
  });
});

describe('allow for this group', () => {
  function asking(queue: WatchedQueue, command: string, agent = child('a')): Promise<ApprovalDecision> {
    const call = runs(command);
    return queue.request(wanted({ agent, action: command, rule: narrowestRule(call) }), signal, call);
  }

  it('settles what waits in the group and is covered, nothing else, and is remembered until the group ends', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    const first = asking(queue, 'npm test');
    const [head] = queue.pending();
    const sibling = asking(queue, 'npm test -- -w', child('b'));
    void asking(queue, 'npm install', child('b'));
    void asking(queue, 'npm test', child('c', 'other'));
    void asking(queue, 'npm test', ROOT);
    await queue.decide(head?.id ?? '', { kind: 'allow_group' });
    assert.deepEqual([await first, await sibling], [{ kind: 'allow_group' }, { kind: 'allow_group' }]);
    assert.deepEqual(queue.pending().map(({ action }) => action), ['npm install', 'npm test', 'npm test']);
    assert.deepEqual(kinds(queue).slice(-2), ['approval.decided allow_group person', 'approval.decided allow_group group_rule']);
    assert.equal(queue.groupAllows(child('z'), runs('npm test x')), true);
    assert.equal(queue.groupAllows(child('z'), runs('npm test && rm x')), false);
    assert.equal(queue.groupAllows(child('z', 'other'), runs('npm test')), false);
    assert.equal(queue.groupAllows(ROOT, runs('npm test')), false);
    queue.endGroup('g');
    assert.equal(queue.groupAllows(child('z'), runs('npm test')), false);
  });

  it('for a root agent means its session', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    void asking(queue, 'npm test', ROOT);
    await queue.decide(newest(queue), { kind: 'allow_group' });
    assert.equal(queue.groupAllows(ROOT, runs('npm test')), true);
    assert.equal(queue.groupAllows({ kind: 'root', sessionId: 'other' }, runs('npm test')), false);
    assert.equal(queue.groupAllows(child('a'), runs('npm test')), false);
  });

  it('several remembered rules together cover a compound command that waits', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    void asking(queue, 'npm test');
    void asking(queue, 'git status');
    const both = asking(queue, 'npm test && git status');
    for (const { id } of queue.pending().slice(0, 2)) await queue.decide(id, { kind: 'allow_group' });
    assert.deepEqual(await both, { kind: 'allow_group' });
  });

  it('without a rule to remember is for this call alone', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    const first = asking(queue, 'echo $x');
    const [head] = queue.pending();
    void asking(queue, 'echo $x');
    await queue.decide(head?.id ?? '', { kind: 'allow_group' });
    assert.deepEqual(await first, { kind: 'allow_group' });
    assert.equal(queue.pending().length, 1);
  });
});

describe('always allow', () => {
  it('writes the rule first, then settles the request and others that the rule covers', async () => {
    const saved: string[] = [];
    const queue = new WatchedQueue({ saveRule: () => async (rule) => void saved.push(rule) });
    queue.attach();
    const first = queue.request(wanted(), signal, runs('npm test'));
    const [head] = queue.pending();
    const other = queue.request(wanted({ agent: child('b', 'other') }), signal, runs('npm test x'));
    void queue.request(wanted({ agent: child('c'), canAlways: false }), signal, runs('npm test y'));
    assert.equal(await queue.decide(head?.id ?? '', { kind: 'allow_always' }), true);
    assert.deepEqual(saved, ['Bash(npm test:*)']);
    assert.deepEqual([await first, await other], [{ kind: 'allow_always' }, { kind: 'allow_always' }]);
    assert.deepEqual(queue.pending().map(({ agent }) => agent), [child('c')]);
  });

  it('stays pending when the rule cannot be written', async () => {
    const queue = new WatchedQueue({ saveRule: () => () => Promise.reject(new Error('read-only settings')) });
    queue.attach();
    const answer = queue.request(wanted(), signal);
    await assert.rejects(queue.decide(newest(queue), { kind: 'allow_always' }), /read-only settings/);
    assert.equal(queue.pending().length, 1);
    await queue.decide(newest(queue), { kind: 'allow_once' });
    assert.deepEqual(await answer, { kind: 'allow_once' });
  });

  it('is offered only where it would work', async () => {
    const queue = new WatchedQueue();
    queue.attach();
    void queue.request(wanted(), signal);
    assert.equal(queue.pending()[0]?.canAlways, false);
    await assert.rejects(queue.decide(newest(queue), { kind: 'allow_always' }), (error) => isAppError(error, 'invalid_input'));
    assert.equal(queue.pending().length, 1);
    const saving = new WatchedQueue({ saveRule: () => async () => {} });
    saving.attach();
    void saving.request(wanted(), signal);
    void saving.request(wanted({ canAlways: false }), signal);
    void saving.request(wanted({ rule: undefined }), signal);
    assert.deepEqual(saving.pending().map(({ canAlways }) => canAlways), [true, false, false]);
  });

  it('a second answer waits while the rule is written; the first one counts', async () => {
    const writing = deferred<void>();
    const queue = new WatchedQueue({ saveRule: () => () => writing.promise });
    queue.attach();
    const answer = queue.request(wanted(), signal);
    const always = queue.decide(newest(queue), { kind: 'allow_always' });
    const denial = queue.decide(newest(queue), { kind: 'deny' });
    writing.resolve();
    assert.deepEqual([await always, await denial, await answer], [true, false, { kind: 'allow_always' }]);
  });

  it('a second answer counts when writing the rule failed', async () => {
    const writing = deferred<void>();
    const queue = new WatchedQueue({ saveRule: () => () => writing.promise });
    queue.attach();
    const answer = queue.request(wanted(), signal);
    const always = assert.rejects(queue.decide(newest(queue), { kind: 'allow_always' }));
    const denial = queue.decide(newest(queue), { kind: 'deny' });
    writing.reject(new Error('full disk'));
    await always;
    assert.deepEqual([await denial, await answer], [true, { kind: 'deny' }]);
  });

  it('a request withdrawn while the rule is written stays withdrawn', async () => {
    const writing = deferred<void>();
    const queue = new WatchedQueue({ saveRule: () => () => writing.promise });
    queue.attach();
    const controller = new AbortController();
    const cancelled = assert.rejects(queue.request(wanted(), controller.signal), isAbort);
    const always = queue.decide(newest(queue), { kind: 'allow_always' });
    controller.abort();
    writing.resolve();
    assert.equal(await always, false);
    await cancelled;
    assert.deepEqual(kinds(queue), ['approval.wanted', 'approval.withdrawn']);
  });
});

describe('whatever people do', () => {
  const COMMANDS = ['npm test', 'npm test x', 'git status', 'git status && npm test', 'echo $x'];
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('request' as const), agent: fc.nat(5), command: fc.constantFrom(...COMMANDS) }) },
    fc.record({ do: fc.constantFrom('allow_once', 'allow_group', 'allow_always', 'deny', 'abort'), at: fc.nat(50) }),
  );

  it('each request settles exactly once, with its own answer, and none is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
        const queue = new WatchedQueue({ saveRule: () => async () => {} });
        queue.attach();
        const runsOf = new Map<string, { controller: AbortController; ends: string[] }>();
        const given = new Map<string, string>();
        const jobs: Promise<unknown>[] = [];
        const answer = (id: string, kind: 'allow_once' | 'allow_group' | 'allow_always' | 'deny'): void => {
          const decision: ApprovalDecision = kind === 'deny' ? { kind, message: id } : { kind };
          jobs.push(queue.decide(id, decision).then((counted) => {
            if (!counted) return;
            assert.equal(given.has(id), false);
            given.set(id, kind);
          }, (error: unknown) => assert.ok(isAppError(error, 'invalid_input'))));
        };
        for (const step of actions) {
          if (step.do === 'request') {
            const call = runs(step.command);
            const controller = new AbortController();
            const ends: string[] = [];
            const request = wanted({ agent: child(`${step.agent}`, `g${step.agent % 2}`), action: step.command, rule: narrowestRule(call) });
            jobs.push(queue.request(request, controller.signal, call).then((decision) => ends.push(decision.kind === 'deny' ? `deny ${decision.message}` : decision.kind), (error: unknown) => ends.push(isAbort(error) ? 'aborted' : 'error')));
            runsOf.set(newest(queue), { controller, ends });
            continue;
          }
          const waiting = queue.pending();
          const target = waiting[step.at % Math.max(waiting.length, 1)];
          if (!target) continue;
          if (step.do === 'abort') runsOf.get(target.id)?.controller.abort();
          else answer(target.id, step.do);
        }
        // The rest is answered from the back, which is as good an order as any.
        for (const { id } of [...queue.pending()].reverse()) answer(id, 'deny');
        await Promise.all(jobs);
        assert.deepEqual(queue.pending(), []);
        for (const [id, { ends }] of runsOf) {
          const events = queue.events.filter((event) => 'request' in event && event.request.id === id);
          assert.equal(events.length, 2);
          assert.equal(events[0]?.type, 'approval.wanted');
          const end = events[1];
          const expected = end?.type === 'approval.decided' ? (end.decision.kind === 'deny' ? `deny ${id}` : end.decision.kind) : 'aborted';
          assert.deepEqual(ends, [expected]);
          if (end?.type === 'approval.decided' && end.by === 'person') assert.equal(end.decision.kind, given.get(id));
          else assert.equal(given.has(id), false);
        }
      }),
      { numRuns: 300 },
    );
  });
});
