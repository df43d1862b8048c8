import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { ApprovalDecision } from '../../../src/runtime/domain/approvals.ts';
import { child, ROOT, wanted, WatchedQueue } from '../../support/permissionsCalls.ts';

const signal = new AbortController().signal;
const question = { question: 'Which\none?', options: [{ label: 'red' }, { label: 'blue', description: 'as the sky' }] };
const from = (agentId: string) => ({ agent: child(agentId), callId: `call-${agentId}` });

function attended(): WatchedQueue {
  const queue = new WatchedQueue({ saveRule: () => async () => undefined });
  queue.attach();
  return queue;
}

const idOf = (queue: WatchedQueue, callId: string): string => queue.pending().find((request) => request.callId === callId)?.id ?? assert.fail(callId);

describe('a question in the approval queue', () => {
  it('stands in line with the approvals, with who asks, and gets its own answer', async () => {
    const queue = attended();
    const approval = queue.request(wanted({ callId: 'first' }), signal);
    const answers = [queue.ask(question, from('a'), signal), queue.ask({ question: 'Really?' }, from('b'), signal)];
    assert.deepEqual(queue.pending().map(({ callId }) => callId), ['first', 'call-a', 'call-b']);
    const { agent, action, canAlways, rule, question: asked } = queue.pending()[1] ?? assert.fail('nothing waits');
    assert.deepEqual([agent, action, canAlways, rule, asked], [child('a'), 'Which one?', false, undefined, question]);

    assert.equal(await queue.decide(idOf(queue, 'call-b'), { kind: 'answer', text: 'yes' }), true);
    assert.equal(await queue.decide(idOf(queue, 'call-a'), { kind: 'answer', text: 'blue' }), true);
    assert.deepEqual(await Promise.all(answers), [{ kind: 'answered', text: 'blue' }, { kind: 'answered', text: 'yes' }]);
    assert.deepEqual(queue.pending().map(({ callId }) => callId), ['first']);
    await queue.decide(idOf(queue, 'first'), { kind: 'deny' });
    assert.equal((await approval).kind, 'deny');
  });

  it('is declined by a denial, with what the person says', async () => {
    const queue = attended();
    const answers = [queue.ask(question, from('a'), signal), queue.ask(question, from('b'), signal)];
    await queue.decide(idOf(queue, 'call-a'), { kind: 'deny' });
    await queue.decide(idOf(queue, 'call-b'), { kind: 'deny', message: 'ask later' });
    assert.deepEqual(await Promise.all(answers), [{ kind: 'declined' }, { kind: 'declined', message: 'ask later' }]);
  });

  it('takes no permission, and no answer that says nothing; it stays pending', async () => {
    const queue = attended();
    const answer = queue.ask(question, from('a'), signal);
    const id = idOf(queue, 'call-a');
    const useless: readonly unknown[] = [{ kind: 'allow_once' }, { kind: 'allow_group' }, { kind: 'allow_always' }, { kind: 'answer', text: ' \n' }, { kind: 'answer', text: '\u200b' }, { kind: 'answer' }, { kind: 'answer', text: 5 }];
    for (const decision of useless) await assert.rejects(queue.decide(id, decision as ApprovalDecision), (error) => isAppError(error, 'invalid_input'));
    assert.equal(queue.pending().length, 1);
    await queue.decide(id, { kind: 'answer', text: 'red' });
    assert.deepEqual(await answer, { kind: 'answered', text: 'red' });
    assert.equal(await queue.decide(id, { kind: 'answer', text: 'blue' }), false);
  });

  it('is no approval: an answer to one is refused, and it stays pending', async () => {
    const queue = attended();
    const answer = queue.request(wanted(), signal);
    const id = idOf(queue, 'c');
    await assert.rejects(queue.decide(id, { kind: 'answer', text: 'yes' }), (error) => isAppError(error, 'invalid_input'));
    await queue.decide(id, { kind: 'allow_once' });
    assert.equal((await answer).kind, 'allow_once');
  });

  it('is settled by no rule, whatever is allowed for its group or for always', async () => {
    const queue = attended();
    const asked = queue.ask(question, from('a'), signal);
    for (const kind of ['allow_group', 'allow_always'] as const) {
      const allowed = queue.request(wanted({ agent: child('a'), rule: '*' }), signal);
      await queue.decide(idOf(queue, 'c'), { kind });
      assert.equal((await allowed).kind, kind);
    }
    assert.deepEqual(queue.pending().map(({ callId }) => callId), ['call-a']);
    await queue.decide(idOf(queue, 'call-a'), { kind: 'answer', text: 'red' });
    await asked;
  });

  it('is withdrawn with its agent, alone, and with all others when the queue ends', async () => {
    const queue = attended();
    const cancelled = new AbortController();
    const first = queue.ask(question, from('a'), cancelled.signal);
    const second = queue.ask(question, { agent: ROOT, callId: 'root' }, signal);
    cancelled.abort();
    await assert.rejects(first, isAbort);
    assert.deepEqual(queue.pending().map(({ callId }) => callId), ['root']);
    queue.dispose();
    await assert.rejects(second, isAbort);
    await assert.rejects(queue.ask(question, from('b'), signal), (error) => isAppError(error, 'closed'));
    assert.deepEqual(queue.events.map(({ type }) => type), ['approval.wanted', 'approval.wanted', 'approval.withdrawn', 'approval.withdrawn']);
  });

  it('gets its own answer or none, whatever else waits and is decided, and in whatever order', async () => {
    const step = fc.record({ at: fc.nat(), does: fc.constantFrom('answer', 'decline', 'cancel', 'allow_once', 'allow_group', 'deny') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), fc.array(step, { maxLength: 60 }), async (kinds, steps) => {
        const queue = attended();
        const ends: Promise<string>[] = [];
        const controllers = kinds.map(() => new AbortController());
        kinds.forEach((isQuestion, index) => {
          const [agent, callId] = [child(`${index % 4}`), `${index}`];
          const { signal: own } = controllers[index] ?? assert.fail();
          const end: Promise<{ readonly kind: string; readonly text?: string }> = isQuestion ? queue.ask(question, { agent, callId }, own) : queue.request(wanted({ agent, callId }), own);
          ends.push(end.then(({ kind, text = '' }) => `${kind} ${text}`.trim(), (error: unknown) => (isAbort(error) ? 'withdrawn' : String(error))));
        });
        for (const { at, does } of steps) {
          const target = queue.pending()[at % Math.max(1, queue.pending().length)];
          if (!target) break;
          if (does === 'cancel') controllers[Number(target.callId)]?.abort();
          else await queue.decide(target.id, does === 'answer' ? { kind: does, text: `to ${target.callId}` } : { kind: does === 'decline' ? 'deny' : does }).catch((error: unknown) => assert.ok(isAppError(error, 'invalid_input')));
        }
        queue.dispose();
        (await Promise.all(ends)).forEach((end, index) => {
          const fitting = kinds[index] ? [`answered to ${index}`, 'declined', 'withdrawn'] : ['allow_once', 'allow_group', 'deny', 'withdrawn'];
          assert.ok(fitting.includes(end), `${index}: ${end}`);
        });
        assert.ok(queue.events.every((event) => event.type !== 'approval.decided' || event.by === 'person' || event.request.question === undefined), 'no rule answers');
      }),
      { numRuns: 60 },
    );
  });

  it('is told at once where nobody is there to answer', async () => {
    const queue = new WatchedQueue();
    await assert.rejects(queue.ask(question, from('a'), signal), (error) => isAppError(error, 'unavailable'));
    assert.deepEqual(queue.events.map((event) => (event.type === 'approval.decided' ? event.by : event.type)), ['approval.wanted', 'no_handler']);
  });
});
