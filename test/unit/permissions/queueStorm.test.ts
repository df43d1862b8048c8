import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { ApprovalDecision } from '../../../src/runtime/domain/approvals.ts';
import type { PermissionLayer } from '../../../src/runtime/domain/permissions.ts';
import { covered } from '../../../src/runtime/permissions/coverage.ts';
import { createGate } from '../../../src/runtime/permissions/gate.ts';
import { call, child, command, tempFolder, WatchedQueue } from '../../support/permissionsCalls.ts';
import { runs } from '../../support/permissionsSubjects.ts';

type Choice = Exclude<ApprovalDecision['kind'], 'answer'>;

const CHILDREN = 20;
const GROUPS = 4;
const CALLS = 100;
const COMMANDS = ['npm test', 'npm test -- -w', 'git status', 'git status && npm test', 'make all', 'echo $x', 'git push', 'git fetch'];
/** One rule asks for what a person may allow for a group, never for always; one denies. */
const LISTS = { allow: ['Bash(ls:*)'], ask: ['Bash(git status:*)'], deny: ['Bash(git push:*)'] };

/** One call on its way through the gate, and what came of it. */
interface Job {
  readonly callId: string;
  readonly child: number;
  readonly command: string;
  readonly controller: AbortController;
  readonly ends: string[];
}

type Step =
  | { readonly do: 'decide'; readonly at: number; readonly kind: Choice }
  | { readonly do: 'call' | 'cancel_call' | 'cancel_child' | 'cancel_group' | 'close'; readonly at: number };

const kind = fc.constantFrom<Choice>('allow_once', 'allow_group', 'allow_always', 'deny');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('call' as const), at: fc.nat() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('decide' as const), at: fc.nat(), kind }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel_call' as const, 'cancel_child' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel_group' as const, 'close' as const), at: fc.integer({ min: 0, max: 400 }) }) },
);

describe('a hundred calls of twenty children', function () {
  this.timeout(60_000);
  let folder: string;
  let remove: () => Promise<void>;
  before(async () => ({ folder, remove } = await tempFolder()));
  after(() => remove());

  it('each settle exactly once with their own answer, whatever people answer and cancel, and none is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...COMMANDS), { minLength: CALLS, maxLength: CALLS }), fc.array(step, { minLength: CALLS, maxLength: 3 * CALLS }), async (commands, steps) => {
        await storm(folder, commands, steps);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});

async function storm(folder: string, commands: readonly string[], steps: readonly Step[]): Promise<void> {
  const saved: string[] = [];
  const queue = new WatchedQueue({ saveRule: () => async (rule) => void saved.push(rule) });
  queue.attach();
  const layers = (): readonly PermissionLayer[] => [{ name: 'user', lists: { ...LISTS, allow: [...LISTS.allow, ...saved] } }];
  const gate = createGate(queue);
  const jobs: Job[] = [];
  const work: Promise<unknown>[] = [];
  const accepted = new Map<string, ApprovalDecision>();
  let closed = false;

  const start = (text: string): void => {
    const index = jobs.length;
    const job: Job = { callId: `call-${index}`, child: index % CHILDREN, command: text, controller: new AbortController(), ends: [] };
    jobs.push(job);
    const agent = child(`${job.child}`, `group-${job.child % GROUPS}`);
    const gated = { ...call(folder, 'Bash', [command(text)], { agent, layers: layers(), signal: job.controller.signal }), callId: job.callId };
    work.push(
      gate(gated).then(
        (answer) => job.ends.push(answer.allowed ? 'ran' : answer.message),
        (error: unknown) => job.ends.push(isAbort(error) ? 'aborted' : `error ${String(error)}`),
      ),
    );
  };
  const decide = (id: string, callId: string, chosen: Choice): void => {
    const decision: ApprovalDecision = chosen === 'deny' ? { kind: chosen, message: `no to ${callId}` } : { kind: chosen };
    const settled = (counted: boolean): void => {
      if (!counted) return;
      assert.ok(!accepted.has(callId), 'two answers counted');
      accepted.set(callId, decision);
    };
    // "Always" is refused where no rule could be offered or one asks; the request then stays.
    work.push(queue.decide(id, decision).then(settled, (error: unknown) => assert.ok(chosen === 'allow_always' && isAppError(error, 'invalid_input'))));
  };

  const waiting = [...commands];
  for (const each of steps) {
    const pending = queue.pending();
    const target = pending[each.at % Math.max(pending.length, 1)];
    switch (each.do) {
      case 'call': {
        const next = waiting.shift();
        if (next !== undefined) start(next);
        break;
      }
      case 'decide':
        if (target) decide(target.id, target.callId, each.kind);
        break;
      case 'cancel_call':
        jobs[each.at % Math.max(jobs.length, 1)]?.controller.abort();
        break;
      case 'cancel_child':
        for (const job of jobs) if (job.child === each.at % CHILDREN) job.controller.abort();
        break;
      case 'cancel_group':
        for (const job of jobs) if (job.child % GROUPS === each.at % GROUPS) job.controller.abort();
        queue.endGroup(`group-${each.at % GROUPS}`);
        break;
      case 'close':
        if (each.at > 390) {
          queue.dispose();
          closed = true;
        }
        break;
    }
    if (each.at % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const text of waiting) start(text);
  await settleAll(queue, jobs, decide);
  await Promise.all(work);

  assert.equal(jobs.length, CALLS);
  assert.deepEqual(queue.pending(), []);
  for (const job of jobs) assertSettled(job, queue, accepted, saved, closed);
}

/** Answers from the back whatever still comes, until every call has ended. */
async function settleAll(queue: WatchedQueue, jobs: readonly Job[], decide: (id: string, callId: string, kind: Choice) => void): Promise<void> {
  for (let round = 0; jobs.some(({ ends }) => ends.length === 0); round++) {
    assert.ok(round < 5000, 'a call never ends');
    for (const { id, callId } of [...queue.pending()].reverse()) decide(id, callId, 'deny');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The rules that a person allowed for the group of the call's child. */
function rulesOfGroup(job: Job, queue: WatchedQueue): readonly string[] {
  return queue.events.flatMap((event) => {
    if (event.type !== 'approval.decided' || event.decision.kind !== 'allow_group' || event.by !== 'person') return [];
    const { agent, rule } = event.request;
    return agent.kind === 'child' && agent.groupId === `group-${job.child % GROUPS}` && rule !== undefined ? [rule] : [];
  });
}

function assertSettled(job: Job, queue: WatchedQueue, accepted: ReadonlyMap<string, ApprovalDecision>, saved: readonly string[], closed: boolean): void {
  const events = queue.events.filter((event) => 'request' in event && event.request.callId === job.callId);
  const [wanted, end, ...more] = events;
  const answer = accepted.get(job.callId);
  assert.equal(job.ends.length, 1, job.callId);
  assert.deepEqual(more, [], 'one request has one end');
  assert.equal(events.length === 1, false, 'a request without an end');
  const ending = job.ends[0] ?? '';

  if (wanted?.type === 'approval.wanted') {
    const { canAlways, rule } = wanted.request;
    assert.equal(canAlways, rule !== undefined && !job.command.includes('git status'), `"always" for ${job.command}`);
    assert.notEqual(job.command, 'git push', 'what a rule denies never asks');
  }
  if (answer?.kind === 'allow_always') assert.ok(wanted?.type === 'approval.wanted' && wanted.request.canAlways);
  if (ending === 'ran') {
    if (end?.type === 'approval.decided' && end.by === 'person') {
      assert.notEqual(end.decision.kind, 'deny');
      assert.deepEqual(answer, end.decision);
    } else {
      assert.ok(end === undefined || end.type === 'approval.decided');
      assert.ok(covered([...saved, ...rulesOfGroup(job, queue)], runs(job.command)), `${job.command} ran without its verdict`);
    }
    return;
  }
  if (ending === 'aborted') {
    assert.ok(job.controller.signal.aborted || closed, `${job.callId} ended without a reason`);
    return;
  }
  if (answer?.kind === 'deny') assert.match(ending, new RegExp(`"no to ${job.callId}"$`));
  else assert.match(ending, closed ? /rule Bash\(git push|No approvals are taken/ : /rule Bash\(git push/);
}
