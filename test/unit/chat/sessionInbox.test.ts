import assert from 'node:assert/strict';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { SessionInbox, sessionOf } from '../../../src/ui/chat/sessionInbox.ts';
import { child, completionTurn, event, group, rootText, userTurn } from './support.ts';

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
    assert.equal(new SessionInbox('s1', [group([])]).busy, true);
    assert.equal(new SessionInbox('s2', [group([])]).busy, false);
    assert.equal(new SessionInbox('s1', [group([], { status: 'completed' })]).busy, false);
  });

  it('counts completion turns to the turn of the user before them', () => {
    const inbox = new SessionInbox('s1', []);
    [userTurn.started('t1'), completionTurn.started('c1'), completionTurn.started('c2'), userTurn.started('t2'), completionTurn.started('c3')].forEach((one) => inbox.receive(one));
    assert.equal(inbox.endOfTurn('t1'), 'c2');
    assert.equal(inbox.endOfTurn('c1'), 'c2');
    assert.equal(inbox.endOfTurn('t2'), 'c3');
    assert.equal(inbox.lastTurnId, 'c3');
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
