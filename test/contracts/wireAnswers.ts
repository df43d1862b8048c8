import assert from 'node:assert/strict';
import type { StopReason } from '../../src/runtime/domain/messages.ts';
import type { ModelEvent } from '../../src/runtime/domain/models.ts';
import { byteByByte } from '../support/rawServer.ts';
import { FRAMES_USAGE, type WireTurn } from '../support/wireFrames.ts';
import { textsIn, type WireTest } from './wireTest.ts';

const BIG = JSON.stringify({ content: 'Größe "数据"\n'.repeat(75_000) });

/** Answers of every kind: what the vendor sends is what comes out. */
export function describeAnswers(test: WireTest): void {
  const { wire } = test;
  const answer = (turn: WireTurn): Promise<ModelEvent[]> => test.ask({ chunks: wire.frames(turn) });
  const stopOf = (events: readonly ModelEvent[]): StopReason | undefined => {
    const last = events.at(-1);
    return last?.type === 'end' ? last.stop : undefined;
  };
  const callsIn = (events: readonly ModelEvent[]): object[] => events.filter((event) => event.type === 'tool_call').map(({ id, name, arguments: text }) => ({ id, name, text }));

  it('gives text in the pieces in which it came, then the usage, then the end', async () => {
    assert.deepEqual(await answer({ text: ['Hello', ', ', 'world.'] }), [
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ', ' },
      { type: 'text', text: 'world.' },
      { type: 'usage', usage: FRAMES_USAGE },
      { type: 'end', stop: 'stop' },
    ]);
  });

  it('reads an answer whose every byte comes alone, with characters of many bytes', async () => {
    const text = ['Größe 数据 ', '\u{1F469}\u200D\u{1F4BB}', '\u2028\uFEFF end'];
    const events = await test.ask({ chunks: byteByByte(wire.frames({ text }).join('')) });
    assert.equal(textsIn(events), text.join(''));
    assert.equal(stopOf(events), 'stop');
  });

  it('reads lines that end as on Windows, and comments', async () => {
    const frames = wire.frames({ text: ['Hi'] }).map((frame) => `: keep-alive\n\n${frame}`.replaceAll('\n', '\r\n'));
    assert.equal(textsIn(await test.ask({ chunks: frames })), 'Hi');
  });

  it('says that the stream lives for every piece that says nothing else', async () => {
    const seen = await test.askAll({ chunks: [': ping\n\n', ...wire.frames({ calls: [{ id: 'c1', name: 'Read', pieces: ['{"a"', ':1', '}'] }] })] });
    assert.deepEqual(seen.map(({ type }) => type).filter((type) => type !== 'alive'), ['tool_call', 'usage', 'end']);
    assert.equal(seen[0]?.type, 'alive');
  });

  it('gives parallel calls in order, with their arguments as they were written', async () => {
    const events = await answer({
      text: ['Both.'],
      calls: [
        { id: 'call_1', name: 'Read', pieces: ['{"file_', 'path": "a" }'] },
        { id: 'call_2', name: 'Grep', pieces: ['{ "pattern" : "\\u00e9" }'] },
        { id: 'call_3', name: 'TaskList', pieces: [] },
      ],
    });
    assert.deepEqual(callsIn(events), [
      { id: 'call_1', name: 'Read', text: '{"file_path": "a" }' },
      { id: 'call_2', name: 'Grep', text: '{ "pattern" : "\\u00e9" }' },
      { id: 'call_3', name: 'TaskList', text: '{}' },
    ]);
    assert.equal(stopOf(events), 'tool_calls');
  });

  it('passes on arguments that are no JSON', async () => {
    const events = await answer({ calls: [{ id: 'call_1', name: 'Read', pieces: ['{"file_path": '] }] });
    assert.deepEqual(callsIn(events), [{ id: 'call_1', name: 'Read', text: '{"file_path": ' }]);
  });

  it('puts arguments of a megabyte together', async () => {
    const pieces = BIG.match(/[^]{1,4000}/gu) ?? [];
    const events = await test.ask({ chunks: [wire.frames({ calls: [{ id: 'call_1', name: 'Write', pieces }] }).join('')] });
    assert.ok(Buffer.byteLength(BIG) > 1_000_000);
    assert.deepEqual(callsIn(events), [{ id: 'call_1', name: 'Write', text: BIG }]);
  });

  it('gives no call of an answer that was cut off', async () => {
    const events = await answer({ text: ['Writing.'], calls: [{ id: 'call_1', name: 'Write', pieces: ['{"file_path": "a", "cont'] }], stop: 'max_tokens' });
    assert.deepEqual(callsIn(events), []);
    assert.equal(textsIn(events), 'Writing.');
    assert.equal(stopOf(events), 'max_tokens');
  });

  it('ends without text where the model said nothing', async () => {
    assert.deepEqual(await answer({}), [{ type: 'usage', usage: FRAMES_USAGE }, { type: 'end', stop: 'stop' }]);
  });

  it('tells a refusal, with its words', async () => {
    const events = await answer({ refusal: "I can't help with that." });
    assert.equal(textsIn(events), "I can't help with that.");
    assert.equal(stopOf(events), 'refusal');
  });

  if (wire.path !== '/v1/messages') {
    it('tells an answer that a filter removed', async () => {
      assert.equal(stopOf(await answer({ text: ['Well'], stop: 'filtered' })), 'filtered');
    });
  }

  it('ends with the last event, while the connection is still open', async () => {
    const events = await test.ask({ chunks: wire.frames({ text: ['Hi'] }), end: 'hang' });
    assert.equal(stopOf(events), 'stop');
  });
}
