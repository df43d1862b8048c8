import assert from 'node:assert/strict';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { SessionInbox, sessionOf } from '../../../src/ui/chat/sessionInbox.ts';
import { child, completionTurn, event, group, rootText, scheduledTurn, userTurn } from './support.ts';

const accepted = event({ type: 'group.accepted', group: group([child('a')]), hostId: 'host-1' });
const settled = event({ type: 'group.settled', sessionId: 's1', groupId: 'bg_1', status: 'completed' });

function read(inbox: SessionInbox): { readonly got: string[]; dispose(): void } {
  const got: string[] = [];
  const name = (one: RuntimeEvent): string => (one.type === 'text.delta' ? one.text : one.type);
  const reading = inbox.read((one, replayed) => got.push(`${replayed ? 'old ' : ''}${name(one)}`));
  return { got, dispose: () => reading.dispose() };
}

describe('the inbox of a conversation', () => {
  it('gives events to the open response', () => {
    const inbox = new SessionInbox('s1', []);
    const { got } = read(inbox);
    [userTurn.started('t1'), rootText('a'), userTurn.ended('t1')].forEach((one) => inbox.receive(one));
    assert.deepEqual(got, ['turn.started', 'a', 'turn.ended']);
  });

  it('keeps what lasts while none is open, joins its text, and gives it once', () => {
    const inbox = new SessionInbox('s1', []);
    [accepted, event({ type: 'child.started', sessionId: 's1', groupId: 'bg_1', agentId: 'a' }), settled, completionTurn.started('t2'), rootText('a'), rootText('b'), completionTurn.ended('t2')].forEach((one) => inbox.receive(one));
    assert.equal(inbox.hasUnread, true);
    assert.deepEqual(read(inbox).got, ['old group.accepted', 'old group.settled', 'old turn.started', 'old ab', 'old turn.ended']);
    assert.deepEqual(read(inbox).got, []);
    assert.equal(inbox.hasUnread, false);
  });

  it('is busy until a group is delivered: by the call that waited for it, or at the end of a turn of its own', () => {
    const delivered = event({ type: 'group.delivered', sessionId: 's1', groupId: 'bg_1' });
    const busy = (events: readonly RuntimeEvent[]): readonly boolean[] => {
      const inbox = new SessionInbox('s1', []);
      return events.map((one) => {
        inbox.receive(one);
        return inbox.busy;
      });
    };
    assert.deepEqual(busy([userTurn.started('t1'), accepted, settled, delivered, userTurn.ended('t1')]), [false, true, true, false, false]);
    assert.deepEqual(busy([accepted, settled, completionTurn.started('t2'), delivered, rootText('a'), completionTurn.ended('t2')]), [true, true, true, true, true, false]);
    assert.deepEqual(busy([accepted, completionTurn.started('t3', 'bg_2'), settled, delivered, completionTurn.ended('t3', 'bg_2')]), [true, true, true, true, false]);
  });

  it('is busy while a scheduled prompt is answered, and with the groups that it starts', () => {
    const inbox = new SessionInbox('s1', []);
    const delivered = event({ type: 'group.delivered', sessionId: 's1', groupId: 'bg_1' });
    const busy = [scheduledTurn.started('s1'), rootText('a'), scheduledTurn.ended('s1'), scheduledTurn.started('s2'), accepted, scheduledTurn.ended('s2'), settled, delivered].map((one) => {
      inbox.receive(one);
      return inbox.busy;
    });
    assert.deepEqual(busy, [true, true, false, true, true, true, true, false]);
  });

  it('leaves out the text of children', () => {
    const inbox = new SessionInbox('s1', []);
    inbox.receive(event({ type: 'text.delta', agent: { kind: 'child', sessionId: 's1', groupId: 'bg_1', agentId: 'a', displayName: 'A' }, text: 'x' }));
    assert.deepEqual(read(inbox).got, []);
  });

  it('splits a turn between two responses without losing or repeating text', () => {
    const inbox = new SessionInbox('s1', []);
    const first = read(inbox);
    [completionTurn.started('t2'), rootText('a')].forEach((one) => inbox.receive(one));
    first.dispose();
    inbox.receive(rootText('b'));
    const second = read(inbox);
    inbox.receive(rootText('c'));
    assert.deepEqual(first.got, ['turn.started', 'a']);
    assert.deepEqual(second.got, ['old b', 'c']);
  });

  it('tells the next response of a turn that had not said anything yet', () => {
    const inbox = new SessionInbox('s1', []);
    const first = read(inbox);
    inbox.receive(completionTurn.started('t2'));
    first.dispose();
    inbox.receive(rootText('b'));
    assert.deepEqual(read(inbox).got, ['old turn.started', 'old b']);
  });

  it('is busy from acceptance until the completion turn has ended', async () => {
    const inbox = new SessionInbox('s1', []);
    assert.equal(inbox.busy, false);
    inbox.receive(accepted);
    let idle = false;
    const waiting = inbox.whenIdle().then(() => (idle = true));
    [settled, completionTurn.started('t2')].forEach((one) => inbox.receive(one));
    await Promise.resolve();
    assert.deepEqual([inbox.busy, idle], [true, false]);
    inbox.receive(completionTurn.ended('t2'));
    await waiting;
    assert.equal(inbox.busy, false);
  });

  it('knows of the groups that ran before it listened', () => {
    const running = [child('a', { status: 'completed' }), child('b', { status: 'running' })];
    assert.equal(new SessionInbox('s1', [group(running)]).busy, true);
    assert.equal(new SessionInbox('s2', [group(running)]).busy, false);
    assert.equal(new SessionInbox('s1', [group([child('a', { status: 'completed' })], { status: 'completed' })]).busy, false);
  });

  it('waits for no group that is interrupted, in another window, or that shows a later round of its child', () => {
    const again = child('a', { status: 'running', round: 2, roundGroupId: 'bg_2' });
    assert.equal(new SessionInbox('s1', [group([child('a', { status: 'interrupted' })], { status: 'interrupted' })]).busy, false);
    assert.equal(new SessionInbox('s1', [group([child('a', { status: 'running' })], { isElsewhere: true })]).busy, false);
    const inbox = new SessionInbox('s1', [group([again]), group([again], { groupId: 'bg_2', isRound: true })]);
    assert.equal(inbox.busy, true);
    inbox.receive(completionTurn.ended('t2', 'bg_2'));
    assert.equal(inbox.busy, false);
  });

  it('waits for a group that goes on, and no longer for one that is interrupted', () => {
    const inbox = new SessionInbox('s1', []);
    inbox.receive(event({ type: 'group.resumed', sessionId: 's1', groupId: 'bg_1', hostId: 'host-1' }));
    assert.equal(inbox.busy, true);
    inbox.receive(event({ type: 'group.interrupted', sessionId: 's1', groupId: 'bg_1' }));
    assert.equal(inbox.busy, false);
  });

  it('knows the turns that it saw begin', () => {
    const inbox = new SessionInbox('s1', []);
    [userTurn.started('t1'), completionTurn.started('c1')].forEach((one) => inbox.receive(one));
    assert.deepEqual([inbox.has('c1'), inbox.has('c2'), inbox.lastTurnId], [true, false, 'c1']);
  });

  it('is new until its first response', () => {
    const inbox = new SessionInbox('s1', []);
    inbox.receive(completionTurn.started('c1'));
    assert.equal(inbox.isNew, true);
    read(inbox).dispose();
    assert.equal(inbox.isNew, false);
  });

  it('forgets unread text that the model took back, and no more than that', () => {
    const ROOT = { kind: 'root', sessionId: 's1' } as const;
    const ended = event({ type: 'model.ended', agent: ROOT, stop: 'tool_calls', usage: NO_USAGE });
    const discarded = event({ type: 'text.discarded', agent: ROOT });
    const inbox = new SessionInbox('s1', []);
    [completionTurn.started('c1'), rootText('kept, '), ended, rootText('lo'), settled, rootText('st'), discarded, rootText('said'), discarded, rootText('again')].forEach((one) => inbox.receive(one));
    inbox.receive(event({ type: 'text.discarded', agent: { kind: 'child', sessionId: 's1', groupId: 'bg_1', agentId: 'a', displayName: 'A' } }));
    assert.deepEqual(read(inbox).got, ['old turn.started', 'old kept, ', 'old group.settled', 'old again']);
  });
});

describe('the session of an event', () => {
  it('is found wherever the event has it', () => {
    assert.equal(sessionOf(accepted), 's1');
    assert.equal(sessionOf(settled), 's1');
    assert.equal(sessionOf(rootText('x', 's9')), 's9');
    assert.equal(sessionOf(event({ type: 'problem', message: 'x' })), undefined);
  });
});
