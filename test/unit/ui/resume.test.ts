import assert from 'node:assert/strict';
import { AppError, isAppError } from '../../../src/runtime/base/errors.ts';
import type { ChildView, GroupSpec, GroupView } from '../../../src/runtime/domain/agents.ts';
import { groupsOf } from '../../../src/ui/commands/targets.ts';
import { letGoOn, type OfferModel } from '../../../src/ui/resume/letGoOn.ts';
import { interruptedOf, resumable } from '../../../src/ui/resume/resumptions.ts';
import { interruptedGroups, isUnfinished, unfinishedRuns } from '../../../src/ui/rounds.ts';
import { child, group } from './fakes.ts';

/** Groups as an agent shows them. */
function views(groups: readonly GroupView[]): { readonly group: (id: string) => GroupView | undefined; readonly child: (id: string) => ChildView | undefined } {
  return {
    group: (id) => groups.find(({ groupId }) => groupId === id),
    child: (id) => groups.flatMap(({ children }) => children).find(({ agentId }) => agentId === id),
  };
}

const A = child({ agentId: 'a', status: 'interrupted' });
const B = child({ agentId: 'b', status: 'completed' });
const C = child({ agentId: 'c', status: 'failed', groupId: 'g2', roundGroupId: 'g2' });
const D = child({ agentId: 'd', status: 'cancelled', groupId: 'g2', roundGroupId: 'g2' });
/** Settled once; its child was interrupted in a later round. */
const E = child({ agentId: 'e', status: 'interrupted', groupId: 'g3', roundGroupId: 'g4', round: 2 });
const GROUPS = [
  group([A, B], { status: 'interrupted' }),
  group([C, D], { groupId: 'g2', status: 'partial' }),
  group([E], { groupId: 'g3', status: 'interrupted' }),
  group([E], { groupId: 'g4', status: 'interrupted', isRound: true }),
];
const agent = views(GROUPS);
const row = ({ groupId, agentId }: ChildView) => ({ groupId, agentId });

describe('what the chosen rows let go on', () => {
  it('is the interrupted children and groups, each once', () => {
    assert.deepEqual(interruptedOf(agent, [row(A), row(B), row(C)]), [{ kind: 'child', agentId: 'a' }]);
    assert.deepEqual(interruptedOf(agent, [row(A), { groupId: 'g1' }, { groupId: 'g2' }]), [{ kind: 'group', groupId: 'g1' }]);
  });

  it('is the later round of a child where the row of its first group stands for it', () => {
    assert.deepEqual(interruptedOf(agent, [{ groupId: 'g3' }, row(E)]), [{ kind: 'group', groupId: 'g4' }]);
    assert.deepEqual(interruptedOf(agent, [row(E)]), [{ kind: 'child', agentId: 'e' }]);
  });

  it('is all of them where nothing is interrupted any more, so that the agent says why they can not', () => {
    assert.deepEqual(interruptedOf(agent, [{ groupId: 'g2' }, row(B)]), [{ kind: 'group', groupId: 'g2' }, { kind: 'child', agentId: 'b' }]);
  });

  it('is of a selection what is in a fitting state', () => {
    assert.deepEqual(resumable(agent, [row(A), row(B), row(C), row(D)], ['failed', 'cancelled']).map(({ agentId }) => agentId), ['c', 'd']);
    assert.deepEqual(resumable(agent, [row(B)], ['failed', 'cancelled']).map(({ agentId }) => agentId), ['b']);
    assert.deepEqual(resumable(agent, [{ groupId: 'g2' }], ['failed']), []);
  });
});

describe('the groups that rows and links mean', () => {
  it('are not those of chosen children', () => {
    assert.deepEqual(groupsOf([row(A), { groupId: 'g2' }, { groupId: 'g2' }, { requestId: 'r' }]), ['g2']);
  });

  it('hold, when they are cancelled, what their row shows as unfinished', () => {
    assert.deepEqual(GROUPS.map((one) => unfinishedRuns(one)), [['g1'], [], ['g4'], ['g4']]);
  });

  it('are interrupted where a child is, a later round by itself, and never in another window', () => {
    assert.deepEqual(interruptedGroups(GROUPS).map(({ groupId }) => groupId), ['g1', 'g4']);
    assert.deepEqual(interruptedGroups([group([A], { isElsewhere: true })]), []);
    assert.deepEqual([isUnfinished(group([])), isUnfinished(group([], { isElsewhere: true })), isUnfinished(group([], { status: 'failed' }))], [true, false, false]);
  });
});

describe('letting work go on', () => {
  /** An agent that refuses what is listed, until a model is given; it notes each call that counted. */
  function fake(refusals: Readonly<Record<string, AppError>>) {
    const calls: string[] = [];
    const run = (id: string, model?: string, prompt?: string): Promise<GroupSpec> => {
      const refusal = refusals[id];
      if (refusal !== undefined && (refusal.reason !== 'unavailable' || model === undefined)) return Promise.reject(refusal);
      calls.push([id, prompt, model].filter((part) => part !== undefined).join(' '));
      return Promise.resolve({ groupId: id, sessionId: 's1', cwd: '/w', children: [] });
    };
    return {
      calls,
      group: agent.group,
      resumeChild: (id: string, options: { readonly prompt?: string; readonly model?: string } = {}) => run(id, options.model, options.prompt),
      resumeGroup: (id: string) => run(id),
    };
  }

  const never: OfferModel = () => Promise.reject(new AppError('internal', 'asked'));
  const gone = new AppError('unavailable', 'm1 can not be reached.');

  it('hands on the words for a child', async () => {
    const to = fake({});
    await letGoOn(to, [{ kind: 'child', agentId: 'a', prompt: 'Go on.' }, { kind: 'group', groupId: 'g4' }], never);
    assert.deepEqual(to.calls, ['a Go on.', 'g4']);
  });

  it('lets the others go on where one can not, and says why as the agent did', async () => {
    const to = fake({ a: new AppError('conflict', 'a runs.'), b: new AppError('not_found', 'b is gone.') });
    const one = letGoOn(to, [{ kind: 'child', agentId: 'a' }, { kind: 'child', agentId: 'c' }], never);
    await assert.rejects(one, (error) => isAppError(error, 'conflict') && error.message === 'a runs.');
    assert.deepEqual(to.calls, ['c']);
    const two = letGoOn(to, [{ kind: 'child', agentId: 'a' }, { kind: 'child', agentId: 'b' }, { kind: 'child', agentId: 'a' }], never);
    await assert.rejects(two, (error) => isAppError(error) && error.message === 'a runs. b is gone.');
  });

  it('asks once where models are out of reach, and keeps the words', async () => {
    const to = fake({ a: gone, b: gone });
    const asked: string[] = [];
    await letGoOn(to, [{ kind: 'child', agentId: 'a', prompt: 'Go on.' }, { kind: 'child', agentId: 'b' }, { kind: 'child', agentId: 'c' }], (message) => {
      asked.push(message);
      return Promise.resolve('m2');
    });
    assert.deepEqual(asked, ['m1 can not be reached.']);
    assert.deepEqual(to.calls, ['c', 'a Go on. m2', 'b m2']);
  });

  it('leaves a child alone whose offer is declined', async () => {
    const to = fake({ a: gone });
    await letGoOn(to, [{ kind: 'child', agentId: 'a' }], () => Promise.resolve(undefined));
    assert.deepEqual(to.calls, []);
  });

  it('moves of a group only the children whose model is out of reach', async () => {
    const other = child({ agentId: 'x', status: 'interrupted' });
    const to = { ...fake({ g1: gone, a: gone }), group: views([group([A, B, other], { status: 'interrupted' })]).group };
    await letGoOn(to, [{ kind: 'group', groupId: 'g1' }], () => Promise.resolve('m2'));
    assert.deepEqual(to.calls, ['x', 'a m2']);
  });
});
