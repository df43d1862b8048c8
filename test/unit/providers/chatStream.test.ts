import assert from 'node:assert/strict';
import type { ModelEvent } from '../../../src/runtime/domain/models.ts';
import { ProviderFailure } from '../../../src/runtime/providers/failure.ts';
import { ChatReader } from '../../../src/runtime/providers/openai/chatStream.ts';

const newReader = (): ChatReader => new ChatReader({ provider: 'openai', model: 'local', wire: 'chat', address: 'http://localhost' });

/** The events of an answer that is made of these chunks. */
function read(chunks: readonly (object | string)[]): ModelEvent[] {
  const reader = newReader();
  const events = chunks.flatMap((chunk) => reader.read(typeof chunk === 'string' ? chunk : JSON.stringify(chunk)));
  return events.some(({ type }) => type === 'end') ? events : [...events, ...reader.close()];
}

const delta = (fields: object, finish: string | null = null): object => ({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const call = (fields: object): object => delta({ tool_calls: [fields] });
const callsIn = (events: readonly ModelEvent[]): unknown[] => events.filter((event) => event.type === 'tool_call').map(({ name, arguments: text }) => [name, text]);
const stopIn = (events: readonly ModelEvent[]): unknown => events.flatMap((event) => (event.type === 'end' ? [event.stop] : []))[0];
const signsOf = (chunks: readonly (object | string)[]): ProviderFailure['signs'] => {
  try {
    read(chunks);
  } catch (error) {
    if (error instanceof ProviderFailure) return error.signs;
    throw error;
  }
  throw new Error('It did not fail.');
};

describe('answers of servers that speak Chat Completions in their own way', () => {
  it('end without [DONE]', () => {
    assert.equal(stopIn(read([delta({ content: 'Hi' }), delta({}, 'stop')])), 'stop');
  });

  it('say stop beside calls, and tool_calls without any', () => {
    const called = read([call({ index: 0, id: 'a', function: { name: 'Read', arguments: '{}' } }), delta({}, 'stop')]);
    assert.deepEqual([stopIn(called), callsIn(called)], ['tool_calls', [['Read', '{}']]]);
    assert.equal(stopIn(read([delta({ content: 'Hi' }), delta({}, 'tool_calls')])), 'stop');
  });

  it('send calls without an id or an index, whole', () => {
    const events = read([
      call({ function: { name: 'Read', arguments: '{"a":1}' } }),
      delta({ tool_calls: [{ function: { name: 'Grep', arguments: '{"b":2}' } }, { function: { name: 'Glob', arguments: { c: 3 } } }] }),
      delta({}, 'tool_calls'),
    ]);
    assert.deepEqual(callsIn(events), [['Read', '{"a":1}'], ['Grep', '{"b":2}'], ['Glob', '{"c":3}']]);
    const ids = events.flatMap((event) => (event.type === 'tool_call' ? [event.id] : []));
    assert.ok(new Set(ids).size === 3 && !ids.includes(''));
  });

  it('send pieces of a call without an index', () => {
    const events = read([call({ id: 'a', function: { name: 'Read', arguments: '{"a"' } }), call({ function: { arguments: ':1}' } }), delta({}, 'tool_calls')]);
    assert.deepEqual(callsIn(events), [['Read', '{"a":1}']]);
  });

  it('give every call the same index', () => {
    const events = read([call({ index: 0, id: 'a', function: { name: 'Read', arguments: '{}' } }), call({ index: 0, id: 'b', function: { name: 'Grep', arguments: '{' } }), call({ index: 0, function: { arguments: '}' } }), delta({}, 'stop')]);
    assert.deepEqual(callsIn(events), [['Read', '{}'], ['Grep', '{}']]);
  });

  it('mix the pieces of parallel calls', () => {
    const events = read([
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Read' } }, { index: 1, id: 'b', function: { name: 'Grep' } }] }),
      call({ index: 1, function: { arguments: '{"b":' } }),
      call({ index: 0, function: { arguments: '{"a":1}' } }),
      call({ index: 1, function: { arguments: '2}' } }),
      delta({}, 'tool_calls'),
    ]);
    assert.deepEqual(callsIn(events), [['Read', '{"a":1}'], ['Grep', '{"b":2}']]);
  });

  for (const [where, chunks] of [
    ['the last chunk with a choice', [{ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 4 } }]],
    ['a chunk without choices', [delta({}, 'stop'), { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } }]],
    ['every chunk', [{ ...delta({}), usage: { prompt_tokens: 9, completion_tokens: 1 } }, { ...delta({}, 'stop'), usage: { prompt_tokens: 9, completion_tokens: 4 } }]],
  ] as const) {
    it(`give the usage in ${where}, and it counts once`, () => {
      const usage = read([delta({ content: 'Hi' }), ...chunks, '[DONE]']).filter(({ type }) => type === 'usage');
      assert.deepEqual(usage, [{ type: 'usage', usage: { input: 9, output: 4, cacheRead: 0, cacheWrite: 0, reasoning: 0 } }]);
    });
  }

  for (const field of ['reasoning_content', 'reasoning'] as const) {
    it(`show thinking as ${field}, and get it back so`, () => {
      const events = read([delta({ [field]: 'Hm', content: '' }), delta({ content: 'Hi' }), delta({}, 'stop')]);
      assert.deepEqual(events[0], { type: 'thinking', text: 'Hm' });
      assert.match(JSON.stringify(events.at(-1)), new RegExp(`"field":"${field}"`, 'u'));
    });
  }

  it('show the same thinking under two names, which is one', () => {
    const events = read([delta({ reasoning: 'Hm', reasoning_content: 'Hm' }), delta({}, 'stop')]);
    assert.equal(events.filter(({ type }) => type === 'thinking').length, 1);
  });

  it('send an error in the middle of a stream, also with the status of a server behind them', () => {
    assert.deepEqual(signsOf([delta({ content: 'Hi' }), { error: { message: 'Upstream is busy.', code: 503 } }]).status, 503);
    const { codes, words } = signsOf([{ error: { message: 'Too much.', type: 'rate_limit_error', code: 'rate_limit_exceeded' } }]);
    assert.deepEqual([codes, words], [['rate_limit_exceeded', 'rate_limit_error'], 'Too much.']);
    assert.equal(signsOf([{ error: 'model crashed' }]).words, 'model crashed');
  });

  it('fail where they end without a reason, and where a call has no name', () => {
    assert.equal(signsOf([delta({ content: 'Hi' }), '[DONE]']).failure, 'network');
    assert.deepEqual(read([delta({ content: 'Hi' })]).map(({ type }) => type), ['text']);
    assert.equal(signsOf([call({ index: 0, id: 'a', function: { arguments: '{}' } }), delta({}, 'tool_calls')]).failure, 'network');
  });
});
