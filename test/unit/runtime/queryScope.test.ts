import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventStream } from '../../../src/runtime/api/eventStream.ts';
import { QueryScope } from '../../../src/runtime/api/queryScope.ts';
import type { GroupSpec } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEvent, RuntimeEventBody, TurnCause } from '../../../src/runtime/domain/events.ts';

const user = { kind: 'user' } as const;
const completionOf = (groupId: string): TurnCause => ({ kind: 'completion', groupId });
const started = (turnId: string, cause: TurnCause = user, sessionId = 's'): RuntimeEventBody => ({ type: 'turn.started', sessionId, turnId, cause });
const ended = (turnId: string, cause: TurnCause = user, text = turnId): RuntimeEventBody => ({ type: 'turn.ended', sessionId: 's', turnId, cause, outcome: { status: 'completed', text } });
const accepted = (groupId: string, sessionId = 's'): RuntimeEventBody => ({ type: 'group.accepted', hostId: 'h', group: { groupId, sessionId, cwd: '/', children: [] } satisfies GroupSpec });
const delivered = (groupId: string): RuntimeEventBody => ({ type: 'group.delivered', sessionId: 's', groupId });
const text = (sessionId = 's'): RuntimeEventBody => ({ type: 'text.delta', agent: { kind: 'root', sessionId }, text: 'x' });
const childText = (groupId: string): RuntimeEventBody => ({ type: 'text.delta', agent: { kind: 'child', sessionId: 's', groupId, agentId: 'a', displayName: 'A' }, text: 'x' });

describe('the scope of a request', () => {
  /** What it takes of the events, and whether it is over after them. */
  async function follow(...events: readonly RuntimeEventBody[]): Promise<{ readonly takes: readonly boolean[]; readonly isOver: boolean; readonly scope: QueryScope }> {
    const scope = new QueryScope('s', 'mine');
    let isOver = false;
    void scope.over.then(() => (isOver = true));
    const takes = events.map((event) => scope.take({ at: 0, ...event }));
    await Promise.resolve();
    return { takes, isOver, scope };
  }

  it('is over with its turn, where that starts nothing', async () => {
    assert.equal((await follow(started('mine'))).isOver, false);
    const { isOver, scope } = await follow(started('mine'), ended('mine'));
    assert.equal(isOver, true);
    assert.deepEqual(scope.outcome, { status: 'completed', text: 'mine' });
  });

  it('leaves out the turns, groups and words of others, and of other conversations', async () => {
    const others = [started('other'), text(), accepted('theirs'), childText('theirs'), ended('other'), started('elsewhere', user, 's2')];
    assert.deepEqual((await follow(...others)).takes, others.map(() => false));
    const mixed = await follow(started('mine'), text(), text('s2'), accepted('ours'), accepted('theirs', 's2'), childText('ours'), childText('theirs'), ended('mine'), text());
    assert.deepEqual(mixed.takes, [true, true, false, true, false, true, false, true, false]);
    assert.equal(mixed.isOver, false);
  });

  it('leaves out the turns on scheduled prompts of its conversation, and the groups that they start', async () => {
    const scheduled: TurnCause = { kind: 'scheduled', promptId: 'cron-1', title: 'Look' };
    const { takes, isOver, scope } = await follow(started('mine'), accepted('ours'), ended('mine'), started('s1', scheduled), text(), accepted('theirs'), ended('s1', scheduled), started('c', completionOf('ours')), ended('c', completionOf('ours')));
    assert.deepEqual(takes, [true, true, true, false, false, false, false, true, true]);
    assert.deepEqual([isOver, scope.outcome], [true, { status: 'completed', text: 'c' }]);
  });

  it('takes what belongs to nobody in particular', async () => {
    assert.deepEqual((await follow({ type: 'problem', message: 'x' }, { type: 'cooldown.started', provider: 'p', until: 1 })).takes, [true, true]);
  });

  it('waits for the turn on the results of each group, not for their delivery alone', async () => {
    const before = [started('mine'), accepted('g'), ended('mine'), started('c', completionOf('g')), delivered('g')];
    assert.equal((await follow(...before)).isOver, false);
    const { isOver, scope } = await follow(...before, ended('c', completionOf('g')));
    assert.equal(isOver, true);
    assert.deepEqual(scope.outcome, { status: 'completed', text: 'c' });
  });

  it('waits for groups that such a turn starts', async () => {
    const first = [started('mine'), accepted('g'), ended('mine'), started('c', completionOf('g')), accepted('h'), ended('c', completionOf('g'))];
    assert.equal((await follow(...first)).isOver, false);
    assert.equal((await follow(...first, started('d', completionOf('h')), ended('d', completionOf('h')))).isOver, true);
  });

  it('waits for no turn on a group whose results a call of its own turn has given', async () => {
    assert.equal((await follow(started('mine'), accepted('g'), delivered('g'))).isOver, false);
    assert.equal((await follow(started('mine'), accepted('g'), delivered('g'), ended('mine'))).isOver, true);
    assert.deepEqual((await follow(started('mine'), accepted('g'), ended('mine'))).scope.openGroups, ['g']);
  });
});

describe('a stream of events', () => {
  const event = (message: string): RuntimeEvent => ({ at: 0, type: 'problem', message });
  const create = (leave = async (): Promise<void> => undefined): EventStream => new EventStream(leave);

  it('gives each event once, in order, to whoever waits already and to whoever comes later', async () => {
    const stream = create();
    const [first, second] = [stream.next(), stream.next()];
    for (const message of ['a', 'b', 'c']) stream.push(event(message));
    stream.end();
    assert.deepEqual([await first, await second, await stream.next(), await stream.next()].map(({ value }) => value?.type === 'problem' && value.message), ['a', 'b', 'c', false]);
  });

  it('ends everybody who waits', async () => {
    const stream = create();
    const waiting = [stream.next(), stream.next()];
    stream.end();
    assert.deepEqual((await Promise.all(waiting)).map(({ done }) => done), [true, true]);
  });

  it('fails once, after what came before, and is over then', async () => {
    const stream = create();
    stream.push(event('a'));
    stream.fail(new Error('boom'));
    assert.equal((await stream.next()).done, false);
    await assert.rejects(stream.next(), /boom/);
    assert.equal((await stream.next()).done, true);
    const awaited = create();
    const [first, second] = [awaited.next(), awaited.next()];
    awaited.fail(new Error('boom'));
    await assert.rejects(first, /boom/);
    assert.equal((await second).done, true);
  });

  it('waits for the leave of whoever goes early, and gives nothing more', async () => {
    let hasLeft = false;
    const stream = create(async () => {
      await Promise.resolve();
      hasLeft = true;
    });
    stream.push(event('a'));
    await stream.return();
    assert.equal(hasLeft, true);
    stream.push(event('b'));
    assert.equal((await stream.next()).done, true);
  });
});
