import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { historyUpTo, wellFormed } from '../../../src/runtime/agent/conversation.ts';
import type { TurnCause } from '../../../src/runtime/domain/events.ts';
import { textMessage, type AssistantMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import type { TranscriptEntry } from '../../../src/runtime/domain/transcripts.ts';

const user: TurnCause = { kind: 'user' };
const completion: TurnCause = { kind: 'completion', groupId: 'bg_1' };
const turn = (turnId: string, cause: TurnCause): TranscriptEntry => ({ type: 'turn', at: 0, turnId, cause });
const said = (text: string): TranscriptEntry => ({ type: 'message', at: 0, message: textMessage(text) });
const entries = [turn('t1', user), said('1'), turn('t2', completion), said('2'), turn('t3', user), said('3')];
const texts = (messages: readonly Message[]): unknown[] => messages.map((message) => message.role === 'user' && message.content[0]?.type === 'text' && message.content[0].text);

describe('history of a root session', () => {
  it('ends with the turn and the completions after it when the user went on', () => {
    const history = historyUpTo(entries, 't1');
    assert.deepEqual(texts(history?.messages ?? []), ['1', '2']);
    assert.equal(history?.isLast, false);
  });

  it('is the whole one for the last turn', () => {
    assert.equal(historyUpTo(entries, 't3')?.isLast, true);
    assert.deepEqual(texts(historyUpTo(entries, 't3')?.messages ?? []), ['1', '2', '3']);
  });

  it('still continues when only a completion followed the turn', () => {
    assert.equal(historyUpTo(entries.slice(0, 4), 't1')?.isLast, true);
  });

  it('is nothing for a turn that it does not hold', () => {
    assert.equal(historyUpTo(entries, 'other'), undefined);
  });
});

describe('a conversation cut by a crash', () => {
  const calling: AssistantMessage = {
    role: 'assistant',
    stop: 'tool_calls',
    content: [
      { type: 'tool_call', id: 'a', name: 'Read', arguments: '{}' },
      { type: 'tool_call', id: 'b', name: 'Read', arguments: '{}' },
    ],
  };

  it('gets a result for each open call, also in its middle', () => {
    const fixed = wellFormed([textMessage('x'), calling, textMessage('y'), calling]);
    assert.deepEqual(fixed.map(({ role }) => role), ['user', 'assistant', 'tool', 'user', 'assistant', 'tool']);
    const results = fixed[2];
    assert.deepEqual(results?.role === 'tool' && results.results.map(({ callId, isError }) => [callId, isError]), [['a', true], ['b', true]]);
  });

  it('loses results that follow no call, as two windows writing at once leave them', () => {
    const results: Message = { role: 'tool', results: [] };
    const fixed = wellFormed([textMessage('x'), results, calling, textMessage('y'), results]);
    assert.deepEqual(fixed.map(({ role }) => role), ['user', 'assistant', 'tool', 'user']);
  });

  it('is left alone when every call has its result', () => {
    const messages: Message[] = [calling, { role: 'tool', results: [] }];
    assert.deepEqual(wellFormed(messages), messages);
  });
});
