import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { restoreView, storeView } from '../../../src/runtime/agent/context/storedView.ts';
import { historyUpTo, viewOf, wellFormed, wholeHistory } from '../../../src/runtime/agent/conversation.ts';
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

  it('still continues when a scheduled prompt was answered after the turn', () => {
    const history = historyUpTo([...entries, turn('t4', { kind: 'scheduled', promptId: 'cron-1', title: 'Look' }), said('4')], 't3');
    assert.deepEqual([texts(history?.messages ?? []), history?.isLast], [['1', '2', '3', '4'], true]);
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

describe('what a model sees of a conversation', () => {
  const summary = textMessage('Sum.', 'summary');
  const messages = ['1', '2', '3', '4'].map((text) => textMessage(text));
  const [first, second, third, fourth] = messages as [Message, Message, Message, Message];
  const kept = (message: Message): TranscriptEntry => ({ type: 'message', at: 0, message });
  const compacted = (view: readonly Message[], above: readonly Message[]): TranscriptEntry => ({ type: 'compacted', at: 0, how: 'summarised', tokensBefore: 9, tokensAfter: 3, view: storeView(view, above) });
  const reread = (lines: readonly TranscriptEntry[]): TranscriptEntry[] => lines.map((line) => JSON.parse(JSON.stringify(line)) as TranscriptEntry);

  it('is all of it, or what it was last shortened to and all that came after', () => {
    assert.deepEqual(viewOf(messages.map(kept)), messages);
    const once = [kept(first), kept(second), compacted([first, summary], [first, second]), kept(third)];
    assert.deepEqual(viewOf(reread(once)), [first, summary, third]);
    const twice = [...once, compacted([first, textMessage('Sum of sums.', 'summary')], [first, second, third]), kept(fourth)];
    assert.deepEqual(viewOf(reread(twice)), [first, textMessage('Sum of sums.', 'summary'), fourth]);
    assert.deepEqual(wholeHistory(twice).messages, messages, 'everything is still there');
  });

  it('stores what stands above only as what it is', () => {
    assert.ok(!JSON.stringify(compacted([first, summary], [first, second])).includes('"1"'));
  });

  it('is found again although lines were lost or came between', () => {
    const stored = compacted([first, summary, third], [first, second, third]);
    assert.deepEqual(viewOf(reread([kept(first), kept(fourth), kept(third), stored])), [first, summary, third]);
  });

  it('is made of the same messages, also of those that say the same', () => {
    const [task, again] = [textMessage('Fix it.'), textMessage('Fix it.')];
    const whole = [task, second, again, third];
    const view = restoreView(storeView([task, summary, again, third], whole), whole) ?? assert.fail();
    assert.ok(view[0] === task && view[2] === again && view[3] === third);
    assert.ok(restoreView(storeView([task, third], whole), whole)?.[0] === task);
    assert.equal(restoreView(storeView([task, again], whole), [task]), undefined, 'one of them was lost');
  });

  it('is what it was before where something of it was lost', () => {
    const once = compacted([first, summary], [first, second]);
    const twice = compacted([first, summary, third], [first, second, third]);
    assert.deepEqual(viewOf(reread([kept(first), kept(second), once, twice, kept(fourth)])), [first, summary, fourth]);
    assert.deepEqual(viewOf(reread([kept(second), once, kept(third)])), [second, third]);
    assert.deepEqual(viewOf([kept(first), { type: 'compacted', at: 0, how: 'cleared', tokensBefore: 1, tokensAfter: 1, view: [] }]), [first]);
  });

  it('ends with the turn like the rest of its history', () => {
    const lines = [turn('t1', user), kept(first), turn('t2', user), kept(second), compacted([second], [first, second]), kept(third)];
    assert.deepEqual(historyUpTo(lines, 't1')?.view, [first]);
    assert.deepEqual(historyUpTo(lines, 't2')?.view, [second, third]);
  });
});
