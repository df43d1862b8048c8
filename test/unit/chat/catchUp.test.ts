import assert from 'node:assert/strict';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import type { OwnTurn } from '../../../src/runtime/domain/liteAgent.ts';
import { currentTurnId, eventsOf, missedTurns } from '../../../src/ui/chat/catchUp.ts';
import { SessionInboxes } from '../../../src/ui/chat/sessionInboxes.ts';
import { TurnRenderer } from '../../../src/ui/chat/turnRenderer.ts';
import { IDS, RecordedOutput, WORDS, child, completionTurn, event, group, rootText, scheduledTurn, userTurn } from './support.ts';

const DONE = group([child('a', { status: 'completed', outcome: { status: 'completed', text: 'x' } })], { status: 'completed' });
const resumed = event({ type: 'group.resumed', sessionId: 's1', groupId: 'bg_1', hostId: 'host-1' });
const settled = event({ type: 'group.settled', sessionId: 's1', groupId: 'bg_1', status: 'completed' });
const receive = (inboxes: SessionInboxes, events: readonly RuntimeEvent[]): unknown[] => events.map((one) => inboxes.receive(one)).filter((one) => one !== undefined);

/** Logs nothing but warnings, which it counts. */
function countingLog() {
  const unexpected = (message: string): never => assert.fail(message);
  const log = { warnings: 0, trace: unexpected, debug: unexpected, info: unexpected, error: unexpected, warn: (): void => void log.warnings++ };
  return log;
}

describe('a conversation that goes on without the chat', () => {
  it('keeps for its first response what a group came to that the panel let go on', () => {
    const inboxes = new SessionInboxes(() => []);
    const unseen = receive(inboxes, [resumed, settled, completionTurn.started('c1'), rootText('All done.'), completionTurn.ended('c1')]);
    assert.deepEqual(unseen, [completionTurn.ended('c1')]);
    const inbox = inboxes.of('s1');
    assert.deepEqual([inbox.hasUnread, inbox.busy, inbox.lastTurnId], [true, false, 'c1']);
    const got: string[] = [];
    inbox.read((one) => got.push(one.type));
    assert.deepEqual(got, ['group.settled', 'turn.started', 'text.delta', 'turn.ended']);
  });

  it('is opened by a turn after a group or on a scheduled prompt alone, and by nothing that no response has to show', () => {
    const inboxes = new SessionInboxes(() => []);
    assert.deepEqual(receive(inboxes, [userTurn.started('t1'), rootText('x'), userTurn.ended('t1'), event({ type: 'problem', message: 'x' })]), []);
    assert.equal(inboxes.of('s1').lastTurnId, undefined);
    for (const turn of [completionTurn, scheduledTurn]) assert.equal(receive(new SessionInboxes(() => []), [turn.started('c1'), turn.ended('c1')]).length, 1);
  });

  it('tells of nothing that an open response shows', () => {
    const inboxes = new SessionInboxes(() => []);
    const reading = inboxes.of('s1').read(() => undefined);
    assert.deepEqual(receive(inboxes, [completionTurn.started('c1'), completionTurn.ended('c1')]), []);
    reading.dispose();
    assert.equal(receive(inboxes, [completionTurn.started('c2'), completionTurn.ended('c2')]).length, 1);
  });
});

describe('what a conversation missed while its chat was closed', () => {
  const turn = (turnId: string, text = 'All done.'): OwnTurn => ({ turnId, cause: { kind: 'completion', groupId: 'bg_1' }, text });

  it('is what came after the last turn shown, without what comes from the inbox anyway', async () => {
    const inbox = new SessionInboxes(() => []).of('s1');
    inbox.receive(completionTurn.started('c2'));
    const asked: string[] = [];
    const session = { ownTurnsAfter: (turnId: string) => Promise.resolve(asked.push(turnId) === 1 ? [turn('c1'), turn('c2')] : []) };
    assert.deepEqual((await missedTurns(session, 't1', inbox, countingLog())).map(({ turnId }) => turnId), ['c1']);
    assert.deepEqual(asked, ['t1']);
  });

  it('is nothing where the transcript can not be read, which is logged', async () => {
    const log = countingLog();
    assert.deepEqual(await missedTurns({ ownTurnsAfter: () => Promise.reject(new Error('no disk')) }, 't1', { has: () => false }, log), []);
    assert.equal(log.warnings, 1);
  });

  it('is shown once: the next response goes on from it', () => {
    const from = { sessionId: 's1', turnId: 't1' };
    const inbox = new SessionInboxes(() => []).of('s1');
    assert.equal(currentTurnId({ inbox, missed: [], from: undefined }), '');
    assert.equal(currentTurnId({ inbox, missed: [], from }), 't1');
    assert.equal(currentTurnId({ inbox, missed: [turn('c1'), turn('c2')], from }), 'c2');
    inbox.receive(userTurn.started('t2'));
    assert.equal(currentTurnId({ inbox, missed: [turn('c1')], from }), 't2');
  });

  it('is written as its scheduled prompt and the answer to that', () => {
    const output = new RecordedOutput();
    const renderer = new TurnRenderer({ output, agent: { group: () => DONE }, ids: IDS, words: WORDS, turnId: () => 'c2' });
    const missed: OwnTurn = { turnId: 's1', cause: { kind: 'scheduled', promptId: 'cron-1', title: 'Look [here](x)' }, text: 'Green.' };
    for (const one of eventsOf(missed, 's1')) renderer.handle(one, true);
    assert.deepEqual(output.parts, ['text:*SCHEDULED Look &#91;here&#93;&#40;x&#41;*', 'text:\n\nGreen.']);
  });

  it('is written as its group and its text, also where the root said nothing', () => {
    const output = new RecordedOutput();
    const renderer = new TurnRenderer({ output, agent: { group: () => DONE }, ids: IDS, words: WORDS, turnId: () => 'c2' });
    for (const one of [turn('c1'), turn('c2', '')].flatMap((missed) => eventsOf(missed, 's1'))) renderer.handle(one, true);
    assert.deepEqual(output.parts.map((part) => part.trim().split('  \n')[0]?.replace(/\s+/g, ' ')), ['block: $(pass) **Name of a** · completed', 'text:All done.', 'block: $(pass) **Name of a** · completed']);
  });
});
