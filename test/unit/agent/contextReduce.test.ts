import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { layoutOf } from '../../../src/runtime/agent/context/layout.ts';
import { ContextMeter } from '../../../src/runtime/agent/context/meter.ts';
import { reduce, type Reduced, type ReduceOptions } from '../../../src/runtime/agent/context/reduce.ts';
import { restoreView, storeView } from '../../../src/runtime/agent/context/storedView.ts';
import { textMessage, textOf, toolCallsOf, type AssistantMessage, type ContentPart, type Message, type ToolResultPart, type UserSource } from '../../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { anthropicBody } from '../../../src/runtime/providers/anthropic/request.ts';
import { chatBody } from '../../../src/runtime/providers/openai/chatRequest.ts';
import { responsesBody } from '../../../src/runtime/providers/openai/responsesRequest.ts';
import { assertWellFormed } from '../../support/scriptedModel.ts';
import { assertWireFormat } from '../../support/wireFormat.ts';
import { resultTexts } from '../../support/windowedModel.ts';

const READ = { name: 'Read', description: 'Reads.', inputSchema: { type: 'object' } };
const IMAGE = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;
const TASK = textMessage('Find all of it.');
const BIG = 'The same line again and again.\n';

const requestOf = (messages: readonly Message[]): ModelRequest => ({ model: 'm', system: 'You help.', tools: [READ], messages, signal: new AbortController().signal });
const said = (text: string, calls: readonly string[] = []): AssistantMessage => ({ role: 'assistant', stop: calls.length > 0 ? 'tool_calls' : 'stop', content: [{ type: 'text', text }, ...calls.map((id) => ({ type: 'tool_call' as const, id, name: 'Read', arguments: `{"file_path":"${id}"}` }))] });
const result = (callId: string, content: string | readonly ContentPart[], more: Partial<ToolResultPart> = {}): ToolResultPart => ({ callId, name: 'Read', isError: false, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content, ...more });
/** A turn that read something with so many characters. */
const reading = (id: string, length: number): Message[] => [said(`Reading ${id}.`, [id]), { role: 'tool', results: [result(id, `${id}: ${BIG.repeat(Math.ceil(length / BIG.length))}`)] }];

const asked: ModelRequest[] = [];
const SUMMARY = 'Asked: all of it. Found: a line.';
const answering = (text = SUMMARY): ReduceOptions['ask'] => async (request) => {
  asked.push(request);
  return { message: { role: 'assistant', stop: 'stop', content: [{ type: 'text', text }] }, request, usage: NO_USAGE, lastUsage: NO_USAGE };
};
const failing: ReduceOptions['ask'] = async (request) => ({ message: { role: 'assistant', stop: 'error', content: [] }, error: { failure: 'network', message: 'gone' }, request, usage: NO_USAGE, lastUsage: NO_USAGE });

function reduced(messages: readonly Message[], limit: number, options: Partial<ReduceOptions> = {}): Promise<Reduced> {
  asked.length = 0;
  return reduce(requestOf(messages), { meter: new ContextMeter(), task: messages.slice(0, 1), limit, most: limit, prefersSummary: true, ask: answering(), ...options });
}

async function shorter(messages: readonly Message[], limit: number, options: Partial<ReduceOptions> = {}): Promise<Extract<Reduced, { kind: 'shorter' }>> {
  const outcome = await reduced(messages, limit, options);
  assert.ok(outcome.kind === 'shorter', JSON.stringify(outcome).slice(0, 300));
  return outcome;
}

const isSummary = (message: Message): boolean => message.role === 'user' && message.source === 'summary';
const hasWhole = (messages: readonly Message[], id: string): boolean => resultTexts(messages).some((text) => text.startsWith(`${id}: ${BIG}`));

describe('a conversation that is too long', () => {
  it('first loses old results, the oldest first, and keeps the latest turns; no model is asked', async () => {
    const messages = [TASK, ...Array.from({ length: 8 }, (_, index) => reading(`r${index}`, 4000)).flat()];
    const { view, how, tokensBefore, tokensAfter } = await shorter(messages, 8000);
    assert.equal(how, 'cleared');
    assert.equal(asked.length, 0);
    const whole = Array.from({ length: 8 }, (_, index) => hasWhole(view, `r${index}`));
    assert.deepEqual(whole, whole.toSorted((a, b) => Number(a) - Number(b)), 'the oldest went first');
    assert.ok(whole.includes(false) && whole.at(-1) === true && whole.at(-2) === true);
    assert.match(resultTexts(view)[0] ?? '', /cleared.*call again/);
    assert.ok(tokensAfter < tokensBefore && tokensAfter <= 8000);
    assert.equal(view.length, messages.length);
  });

  it('keeps errors, tiny results, and results of groups, which no call brings back', async () => {
    const long = BIG.repeat(100);
    const first: Message = { role: 'tool', results: [result('a', long, { isError: true }), result('b', 'ok'), result('c', long, { delivers: 'bg_1' }), result('d', long)] };
    const { view } = await shorter([TASK, said('x', ['a', 'b', 'c', 'd']), first, ...reading('e', 3000), ...reading('f', 3000)], 8000);
    assert.deepEqual(resultTexts(view).slice(0, 4).map((text) => text === long || text === 'ok'), [true, true, true, false]);
  });

  it('is summed up where that is not enough, between the task and the latest turns', async () => {
    const talk = Array.from({ length: 30 }, (_, index) => [said(`I think ${index}: ${BIG.repeat(20)}`), textMessage(`Go on ${index}.`, 'steering')]).flat();
    const { view, how } = await shorter([TASK, ...talk, ...reading('r', 3000)], 5000);
    assert.equal(how, 'summarised');
    assert.equal(view[0], TASK);
    const [summary, ...more] = view.filter(isSummary);
    assert.equal(more.length, 0);
    assert.ok(summary?.role === 'user' && textOf(summary.content).includes(SUMMARY) && textOf(summary.content).includes('by the runtime'));
    assert.ok(hasWhole(view, 'r'));
  });

  it('is summed up from what its results said, not from what was left when they were cleared', async () => {
    const messages = [TASK, ...reading('a', 3000), said(BIG.repeat(300)), textMessage('On.', 'steering'), said(BIG.repeat(300)), textMessage('On.', 'steering'), ...reading('z', 1000)];
    const { how } = await shorter(messages, 5000);
    assert.equal(how, 'summarised');
    const records = asked.map(({ messages: [record] }) => (record?.role === 'user' ? textOf(record.content) : ''));
    assert.ok(records.some((record) => record.includes(`a: ${BIG}`)));
    assert.ok(records.every((record) => record.includes('Find all of it.')), 'the task is told');
  });

  it('is summed up in several requests, each of which fits, and later ones build on the earlier', async () => {
    const meter = new ContextMeter();
    const messages = [TASK, ...Array.from({ length: 40 }, (_, index) => [said(`${index}: ${BIG.repeat(30)}`), textMessage('On.', 'steering')]).flat(), ...reading('z', 1000)];
    await shorter(messages, 6000, { meter });
    assert.ok(asked.length > 1 && asked.length <= 6, String(asked.length));
    for (const request of asked) {
      assert.deepEqual(request.tools, []);
      assert.ok(meter.estimate(request) <= 6000);
      assertWellFormed(request);
    }
    assert.ok(asked.slice(1).every(({ messages: [record] }) => record?.role === 'user' && textOf(record.content).includes(SUMMARY)));
  });

  it('is summed up in shorter requests where the first one was too long all the same', async () => {
    const messages = [TASK, ...Array.from({ length: 25 }, (_, index) => [said(`${index}: ${BIG.repeat(20)}`), textMessage('On.', 'steering')]).flat(), ...reading('z', 1000)];
    const sizes: number[] = [];
    const ask: ReduceOptions['ask'] = async (request) => {
      const size = new ContextMeter().estimate(request);
      sizes.push(size);
      if (size <= 4000) return answering()(request);
      return { message: { role: 'assistant', stop: 'error', content: [] }, error: { failure: 'context', message: 'Too long.' }, request, usage: NO_USAGE, lastUsage: NO_USAGE };
    };
    const { how } = await shorter(messages, 6000, { ask });
    assert.equal(how, 'summarised');
    assert.deepEqual(sizes.map((size) => size > 4000), sizes.map((_, index) => index === 0));
  });

  it('has one summary, also after many', async () => {
    let messages: readonly Message[] = [TASK];
    for (let round = 0; round < 6; round += 1) {
      messages = [...messages, ...Array.from({ length: 25 }, (_, index) => [said(`${round}-${index}: ${BIG.repeat(20)}`), textMessage('On.', 'steering')]).flat()];
      ({ view: messages } = await shorter(messages, 5000));
      assert.equal(messages.filter(isSummary).length, 1);
      assert.equal(messages[0], TASK);
    }
  });

  it('loses more of its results, errors too, where it can not be summed up', async () => {
    const long = BIG.repeat(200);
    const messages = [TASK, said('x', ['a']), { role: 'tool', results: [result('a', long, { isError: true })] } as const, ...reading('b', 6000), ...reading('c', 3000)];
    const { view, how, failure } = await shorter(messages, 2600, { ask: failing });
    assert.equal(how, 'cleared');
    assert.equal(failure?.error?.failure, 'network');
    assert.deepEqual(['b', 'c'].map((id) => hasWhole(view, id)), [false, true]);
    assert.ok(!resultTexts(view)[0]?.includes(BIG));
  });

  it('has no summary of nothing, or of a model that says nothing', async () => {
    const talk = Array.from({ length: 30 }, (_, index) => [said(`${index}: ${BIG.repeat(20)}`), textMessage('On.', 'steering')]).flat();
    const outcome = await reduced([TASK, ...talk], 5000, { ask: answering(' ') });
    assert.ok(outcome.kind === 'too_long' && outcome.what === 'conversation' && outcome.failure !== undefined && outcome.failure.error === undefined);
  });

  it('has what the model was just given cut, where that alone is too long, and says what is missing', async () => {
    const { view, how } = await shorter([TASK, ...reading('r', 100_000)], 6000);
    assert.equal(how, 'cleared');
    const [text = ''] = resultTexts(view);
    assert.match(text, /^r: The same line/);
    assert.match(text, /characters left out here.*Ask for less/);
    assert.ok(text.endsWith(BIG) && text.length > 5000);
  });

  it('has the longest of several results cut, and the short ones whole', async () => {
    const results: Message = { role: 'tool', results: [result('a', `a: ${BIG}`), result('b', BIG.repeat(4000)), result('c', [IMAGE, { type: 'text', text: BIG.repeat(4000) }])] };
    const { view } = await shorter([TASK, said('x', ['a', 'b', 'c']), results], 6000);
    const texts = resultTexts(view);
    assert.equal(texts[0], `a: ${BIG}`);
    assert.ok(texts.slice(1).every((text) => text.includes('left out here')));
    assert.match(texts[2] ?? '', /image was left out/);
  });

  it('loses old images as it loses other results', async () => {
    const shots = Array.from({ length: 6 }, (_, index): Message[] => [said('Look.', [`i${index}`]), { role: 'tool', results: [result(`i${index}`, [IMAGE])] }]).flat();
    const { view } = await shorter([TASK, ...shots], 9000);
    const left = view.flatMap((message) => (message.role === 'tool' ? message.results.map(({ content }) => content[0]?.type === 'image') : []));
    assert.ok(!left[0] && left.at(-1) === true);
  });

  it('is told apart by what of it is too long', async () => {
    const prompt = await reduced([textMessage(BIG.repeat(2000))], 5000);
    assert.deepEqual([prompt.kind, prompt.kind === 'too_long' && prompt.what], ['too_long', 'prompt']);
    const frame = await reduced([TASK], 5);
    assert.deepEqual([frame.kind, frame.kind === 'too_long' && frame.what], ['too_long', 'frame']);
    assert.equal(asked.length, 0);
  });

  it('keeps what the user said last, and of what was said before the latest', async () => {
    const talk = Array.from({ length: 30 }, (_, index) => [textMessage(`Wish ${index}. ${BIG.repeat(3)}`), said(BIG.repeat(20))]).flat();
    const last = textMessage('And now the last wish.');
    const { view } = await shorter([...talk, last, ...reading('a', 3000), ...reading('b', 3000)], 5000, { task: [] });
    const wishes = view.flatMap((message) => (message.role === 'user' && message.source === 'user' ? [textOf(message.content)] : []));
    assert.ok(wishes.includes('And now the last wish.'));
    assert.ok(wishes.length > 1 && wishes.length < 20 && wishes.at(-2)?.startsWith('Wish 29'));
  });
});

const length = fc.oneof(fc.nat(200), fc.nat(4000), fc.nat(30_000));
const text = length.map((size) => BIG.repeat(Math.ceil(size / BIG.length)));
const part: fc.Arbitrary<ContentPart> = fc.oneof({ weight: 6, arbitrary: text.map((value) => ({ type: 'text' as const, text: value })) }, { weight: 1, arbitrary: fc.constant(IMAGE) });
const turn = fc.record({ says: fc.nat(1000), results: fc.array(fc.record({ content: fc.array(part, { maxLength: 2 }), isError: fc.boolean() }), { maxLength: 4 }), user: fc.option(fc.tuple(fc.constantFrom<UserSource>('user', 'steering', 'completion', 'repair', 'summary'), fc.nat(1500))) });
const conversation = fc.tuple(fc.nat(1000), fc.array(turn, { minLength: 1, maxLength: 25 })).map(([prompt, turns]): Message[] => [
  textMessage(`Task. ${'p'.repeat(prompt)}`),
  ...turns.flatMap(({ says, results, user }, index): Message[] => {
    const ids = results.map((_, at) => `c${index}_${at}`);
    const [source, size] = user ?? (ids.length === 0 ? ['user' as const, 5] : [undefined, 0]);
    return [
      said(`Hm. ${'s'.repeat(says)}`, ids),
      ...(ids.length > 0 ? [{ role: 'tool' as const, results: results.map(({ content, isError }, at) => result(ids[at] ?? '', content, { isError })) }] : []),
      ...(source ? [textMessage(`So: ${'u'.repeat(size)}`, source)] : []),
    ];
  }),
]);

describe('any conversation that is made shorter', () => {
  const reader = (wire: string) => ({ provider: 'p', model: 'm', wire, address: 'a' });
  const sent = (body: object): Readonly<Record<string, unknown>> => JSON.parse(JSON.stringify(body)) as Readonly<Record<string, unknown>>;

  it('fits, is well formed on every wire, and keeps its task and what is not answered yet', async function () {
    this.timeout(60_000);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(conversation, fc.integer({ min: 1500, max: 30_000 }), fc.constantFrom('good', 'fails'), fc.boolean(), async (messages, limit, summary, prefersSummary) => {
        const before = JSON.stringify(messages);
        const meter = new ContextMeter();
        const outcome = await reduced(messages, limit, { meter, prefersSummary, ask: summary === 'good' ? answering() : failing });
        assert.equal(JSON.stringify(messages), before, 'what was said stays as it was');
        assert.ok(outcome.kind !== 'aborted');
        for (const summary of asked) assert.ok(meter.estimate(summary) <= limit, 'requests for summaries fit');
        if (outcome.kind === 'too_long') return;
        count += 1;
        const { view } = outcome;
        const request = requestOf(view);
        assert.ok(meter.estimate(request) <= limit);
        assertWellFormed(request);
        assertWireFormat({ path: '/v1/messages', body: sent(anthropicBody(request, reader('messages'))) });
        assertWireFormat({ path: '/v1/responses', body: sent(responsesBody(request, reader('responses'))) });
        assertWireFormat({ path: '/v1/chat/completions', body: sent(chatBody(request, reader('chat'), true)) });
        assert.equal(view[0], messages[0], 'the task comes first');
        const lastUser = messages.findLast((message) => message.role === 'user' && message.source === 'user');
        assert.ok(lastUser && view.includes(lastUser));
        const open = messages.slice(layoutOf(messages, 0, 'm').open);
        assert.deepEqual(view.slice(view.length - open.length).map(callsIn), open.map(callsIn));
        assert.deepEqual(restoreView(storeView(view, messages), messages), view, 'it can be stored');
      }),
      { numRuns: 150 },
    );
    assert.ok(count > 90, `only ${count} could be made shorter`);
  });

  const callsIn = (message: Message): unknown => (message.role === 'assistant' ? toolCallsOf(message).map(({ id }) => id) : message.role === 'tool' ? message.results.map(({ callId }) => callId) : message);
});
