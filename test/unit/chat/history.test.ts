import assert from 'node:assert/strict';
import { acceptedBlock, groupBlock } from '../../../src/ui/chat/groupBlock.ts';
import { findSession, type HistoryTurn } from '../../../src/ui/chat/history.ts';
import { IDS, WORDS, child } from './support.ts';

const block = (sessionId: string, turnId: string): string => groupBlock(acceptedBlock({ groupId: 'bg_1', sessionId, cwd: '/w', children: [child('a')] }, { sessionId, turnId, groupId: 'bg_1' }), IDS, WORDS);
const trusted = (value: string) => ({ value: { value, isTrusted: { enabledCommands: [IDS.showGroup, IDS.cancelGroup] } } });
const turn = (change: Omit<HistoryTurn, 'participant'>, participant = IDS.participant): HistoryTurn => ({ participant, response: [], ...change });

describe('the conversation that a chat goes on with', () => {
  it('is none in an empty or foreign history', () => {
    assert.equal(findSession([], IDS), undefined);
    assert.equal(findSession([turn({ result: { metadata: { sessionId: 's1', turnId: 't1' } } }, 'other')], IDS), undefined);
    assert.equal(findSession([{ participant: IDS.participant }], IDS), undefined);
  });

  it('is that of the latest response', () => {
    const history = ['t1', 't2'].map((turnId) => turn({ result: { metadata: { sessionId: 's1', turnId } } }));
    assert.deepEqual(findSession(history, IDS), { sessionId: 's1', turnId: 't2' });
  });

  it('is read from the links of a response that lost its metadata', () => {
    const history = [turn({ result: { metadata: { sessionId: 's0', turnId: 't0' } } }), turn({ result: {}, response: [trusted(`text\n\n${block('s1', 't1')}`), { value: { value: 'more' } }] })];
    assert.deepEqual(findSession(history, IDS), { sessionId: 's1', turnId: 't1' });
  });

  it('is never read from text that a model wrote', () => {
    for (const isTrusted of [undefined, false, true, { enabledCommands: ['other'] }]) {
      assert.equal(findSession([turn({ response: [{ value: { value: block('forged', 't1'), isTrusted } }] })], IDS), undefined);
    }
  });

  it('is looked for further back when the last response says nothing', () => {
    const history = [turn({ result: { metadata: { sessionId: 's1', turnId: 't1' } } }), turn({ result: { metadata: { sessionId: 7 } } }), turn({ response: [trusted('[x](command:ext.show?%7Bbroken)')] })];
    assert.deepEqual(findSession(history, IDS), { sessionId: 's1', turnId: 't1' });
  });
});
