import assert from 'node:assert/strict';
import type { ModelEvent } from '../../../src/runtime/domain/models.ts';
import { AnthropicReader } from '../../../src/runtime/providers/anthropic/stream.ts';
import { describeFailure } from '../../../src/runtime/providers/describeFailure.ts';
import { ResponsesReader } from '../../../src/runtime/providers/openai/responsesStream.ts';
import type { WireReader } from '../../../src/runtime/providers/streamTurn.ts';
import { anthropicFrames, responsesFrames, SIGNATURE } from '../../support/wireFrames.ts';

const as = { provider: 'p', model: 'm', wire: 'w', address: 'a' };
const messages = (): WireReader => new AnthropicReader(as);
const responses = (): WireReader => new ResponsesReader(as);

function read(reader: WireReader, events: readonly object[]): ModelEvent[] {
  return events.flatMap((event) => reader.read(JSON.stringify(event)));
}

/** The JSON of frames. */
const dataOf = (frames: readonly string[]): object[] => frames.map((frame) => JSON.parse(/^data: (.*)$/mu.exec(frame)?.[1] ?? '') as object);

function failureIn(reader: WireReader, event: object): string {
  try {
    read(reader, [event]);
  } catch (error) {
    return describeFailure(error, { provider: 'p', model: 'm', key: undefined }, 0).failure;
  }
  return 'none';
}

describe('a Messages answer', () => {
  for (const [type, failure] of [['overloaded_error', 'overloaded'], ['rate_limit_error', 'rate_limited'], ['api_error', 'server'], ['invalid_request_error', 'bad_request'], ['authentication_error', 'auth'], ['timeout_error', 'timeout']] as const) {
    it(`fails as ${failure} on ${type} in the middle of it`, () => {
      assert.equal(failureIn(messages(), { type: 'error', error: { type, message: 'Sorry.' } }), failure);
    });
  }

  for (const [reason, stop] of [['end_turn', 'stop'], ['stop_sequence', 'stop'], ['max_tokens', 'max_tokens'], ['refusal', 'refusal'], ['pause_turn', 'paused'], ['model_context_window_exceeded', 'context'], ['new_reason', 'stop']] as const) {
    it(`ends with ${stop} for ${reason}`, () => {
      const events = read(messages(), [{ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } }, { type: 'message_stop' }]);
      assert.deepEqual(events.at(-1), { type: 'end', stop });
    });
  }

  it('keeps thinking with its signature, encrypted thinking, and the order of all parts', () => {
    const block = (index: number, content_block: object, ...deltas: object[]): object[] => [{ type: 'content_block_start', index, content_block }, ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })), { type: 'content_block_stop', index }];
    const events = read(messages(), [
      ...block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'A' }, { type: 'thinking_delta', thinking: 'B' }, { type: 'signature_delta', signature: SIGNATURE }),
      ...block(1, { type: 'redacted_thinking', data: 'ZGF0YQ==' }),
      ...block(2, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }),
      ...block(3, { type: 'thinking', thinking: '', signature: '' }, { type: 'signature_delta', signature: 'czI=' }),
      ...block(4, { type: 'tool_use', id: 't', name: 'Read', input: {} }),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ]);
    const end = events.at(-1);
    assert.deepEqual(end?.type === 'end' && end.verbatim, {
      provider: 'p',
      model: 'm',
      data: {
        wire: 'w',
        address: 'a',
        pieces: [
          { type: 'kept', block: { type: 'thinking', thinking: 'AB', signature: SIGNATURE } },
          { type: 'kept', block: { type: 'redacted_thinking', data: 'ZGF0YQ==' } },
          { type: 'text', length: 2 },
          { type: 'kept', block: { type: 'thinking', thinking: '', signature: 'czI=' } },
          { type: 'call' },
        ],
      },
    });
  });

  it('keeps no thinking that has no signature, since it was cut off', () => {
    const events = read(messages(), [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_stop' },
    ]);
    assert.deepEqual(events.at(-1), { type: 'end', stop: 'max_tokens' });
  });

  it('ignores kinds of events and blocks that it does not know', () => {
    const known = dataOf(anthropicFrames({ text: ['Hi'] }));
    const unknown = [{ type: 'new_event' }, { type: 'content_block_start', index: 9, content_block: { type: 'new_block' } }, { type: 'content_block_delta', index: 9, delta: { type: 'new_delta' } }];
    assert.deepEqual(read(messages(), [...unknown, ...known]), read(messages(), known));
  });

  it('takes counts that come with the end in place of those of the beginning', () => {
    const events = read(messages(), [
      { type: 'message_start', message: { usage: { input_tokens: 5, cache_read_input_tokens: 1, output_tokens: 1 } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 7, cache_read_input_tokens: null, cache_creation_input_tokens: 2, output_tokens: 9 } },
      { type: 'message_stop' },
    ]);
    assert.deepEqual(events[0], { type: 'usage', usage: { input: 7, output: 9, cacheRead: 1, cacheWrite: 2, reasoning: 0 } });
  });
});

describe('a Responses answer', () => {
  for (const [code, failure] of [['rate_limit_exceeded', 'rate_limited'], ['server_error', 'server'], ['insufficient_quota', 'quota'], ['context_length_exceeded', 'context'], ['invalid_prompt', 'bad_request'], [null, 'server']] as const) {
    it(`fails as ${failure} on ${code} in the middle of it, in every form`, () => {
      assert.equal(failureIn(responses(), { type: 'response.failed', response: { status: 'failed', error: { code, message: 'Sorry.' } } }), failure);
      assert.equal(failureIn(responses(), { type: 'error', code, message: 'Sorry.' }), failure);
      assert.equal(failureIn(responses(), { type: 'error', error: { code, message: 'Sorry.' } }), failure);
    });
  }

  it('takes what comes whole, without deltas, once', () => {
    const whole = dataOf(responsesFrames({ text: ['Hi', '!'], calls: [{ id: 'c', name: 'Read', pieces: ['{"a":1}'] }] })).filter((event) => !/delta/u.test(JSON.stringify(event)));
    const seen = read(responses(), whole).flatMap((event) => (event.type === 'text' ? [event.text] : event.type === 'tool_call' ? [event.arguments] : []));
    assert.deepEqual(seen, ['Hi!', '{"a":1}']);
    const onlyEnd = read(responses(), whole.slice(-1)).flatMap((event) => (event.type === 'text' ? [event.text] : []));
    assert.deepEqual(onlyEnd, ['Hi!']);
  });

  it('parts the paragraphs of a summary', () => {
    const part = (summary_index: number, delta: string): object[] => [{ type: 'response.reasoning_summary_part.added', summary_index }, { type: 'response.reasoning_summary_text.delta', summary_index, delta }];
    assert.deepEqual(read(responses(), [...part(0, 'One'), ...part(1, 'Two')]).map((event) => (event.type === 'thinking' ? event.text : '')), ['One', '\n\n', 'Two']);
  });

  it('keeps the phase of a message', () => {
    const events = read(responses(), [
      { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', phase: 'commentary', content: [{ type: 'output_text', text: 'Hi' }] } },
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ]);
    assert.match(JSON.stringify(events.at(-1)), /"phase":"commentary"/u);
  });

  it('gives no call, not even a whole one, where it was cut off afterwards', () => {
    const events = read(responses(), [
      { type: 'response.output_item.done', output_index: 0, item: { type: 'function_call', call_id: 'c', name: 'Read', arguments: '{}', status: 'completed' } },
      { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } },
    ]);
    assert.deepEqual(events.map(({ type }) => type), ['usage', 'end']);
  });

  it('fails where it is incomplete for a reason that is not known', () => {
    assert.equal(failureIn(responses(), { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason: 'new' } } }), 'network');
  });
});
