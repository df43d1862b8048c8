import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AnswerForm } from '../../../src/runtime/agent/answerForm.ts';
import { AgentSession, type RunSetup } from '../../../src/runtime/agent/session.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { textMessage, textOf, type AssistantMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import type { JsonSchema } from '../../../src/runtime/domain/tools.ts';
import { EventRecorder } from '../../support/events.ts';
import { ScriptedModel, type ScriptedTurn } from '../../support/scriptedModel.ts';
import { timingOf } from '../../support/timing.ts';
import { Unread } from '../../support/unread.ts';

const schema: JsonSchema = { type: 'object', properties: { count: { type: 'integer' }, names: { type: 'array' } }, required: ['count'], additionalProperties: false };
const call = { name: 'Read', input: {} };

interface Options {
  readonly history?: readonly Message[];
  readonly schema?: JsonSchema;
  readonly setup?: Partial<RunSetup>;
  readonly signal?: AbortSignal;
}

/** A session whose answers are held to a schema. */
function formedSession(script: readonly ScriptedTurn[], { history = [], schema: wanted = schema, setup = {}, signal = new AbortController().signal }: Options = {}) {
  const model = new ScriptedModel(script);
  const recorder = new EventRecorder();
  const messages: Message[] = [...history];
  const transcript = { append: async (entry: { readonly type: string }) => void ('message' in entry && messages.push(entry.message as Message)) };
  const unread = new Unread(recorder.publish);
  const session = new AgentSession({ kind: 'root', sessionId: 's' }, transcript, unread.publish, { messages: history, view: history }, unread.list);
  const whole: RunSetup = {
    provider: model,
    model: { provider: 'p', model: 'm' },
    system: '',
    tools: () => [],
    maxTurns: 10,
    timing: timingOf(),
    form: new AnswerForm(wanted, history),
    runTools: async (calls) => calls.map(({ id, name }) => ({ callId: id, name, isError: false, content: [] })),
    ...setup,
  };
  const ended = async (run: Promise<RunOutcome>): Promise<RunOutcome> => {
    const outcome = await run;
    model.assertClean();
    return outcome;
  };
  return { model, messages, session, tell: (text: string) => unread.tell(text), run: () => ended(session.run(textMessage('Count.'), whole, signal)), resume: () => ended(session.resume(whole, signal)) };
}

const outcomeOf = (...answers: readonly string[]): Promise<RunOutcome> => formedSession(answers.map((text) => ({ text }))).run();
const repairs = (messages: readonly Message[]): readonly string[] => messages.flatMap((message) => (message.role === 'user' && message.source === 'repair' ? [textOf(message.content)] : []));

describe('an answer that is held to a schema', () => {
  it('is its JSON text where it matches: all of it, or the one block of JSON in it', async () => {
    for (const answer of [
      '{"count": 2}',
      ' \n{"count": 2}\n',
      'Here it is:\n```json\n{"count": 2}\n```\nThat is all.',
      '~~~JSON\n{"count": 2}\n~~~',
      'As seen in\n```ts\nconst json = "```";\n```\n- the result:\n  ````json lines\n  {"count": 2}\n  ````',
    ]) {
      assert.deepEqual(await outcomeOf(answer), { status: 'completed', text: '{"count": 2}' }, answer);
    }
  });

  it('may be JSON of any type', async () => {
    for (const [wanted, text] of [[{ type: 'array' }, '[1]'], [{ type: 'string' }, '"x"'], [{ type: 'null' }, 'null']] as const) {
      assert.deepEqual(await formedSession([{ text }], { schema: wanted }).run(), { status: 'completed', text });
    }
  });

  it('is asked for once more where it does not match, with what is wrong, in a turn of its own', async () => {
    const { run, model } = formedSession([{ text: '{"names": 3}' }, { text: '{"count": 1}' }]);
    assert.deepEqual(await run(), { status: 'completed', text: '{"count": 1}' });
    const [repair = ''] = repairs(model.requests[1]?.messages ?? []);
    for (const word of ['"count" is missing', '"names" must be array, not 3']) assert.ok(repair.includes(word), word);
  });

  it('fails as schema where the second one is wrong too, with what is wrong first and its raw text (case 55)', async () => {
    for (const [second, problem] of [
      ['{"count": "many"}', /^field "count" must be integer, not "many"\.$/],
      ['I could not count.', /not valid JSON/],
      ['```json\n{"count": }\n```', /not valid JSON/],
      ['```json\n{"count": 1}\n```\n```json\n{"count": 2}\n```', /2 blocks/],
      ['```json\n{"count": 1}', /not valid JSON/],
      ['```\n{"count": 1}\n```', /not valid JSON/],
    ] as const) {
      const outcome = await outcomeOf('{}', second);
      assert.ok(outcome.status === 'failed');
      assert.deepEqual([outcome.reason, outcome.partialText], ['schema', second]);
      assert.match(outcome.message, problem);
    }
  });

  it('that is empty is asked for once more as well, and the last text there was is kept', async () => {
    const { run, model } = formedSession([{ text: 'Three, I think.' }, { text: ' ' }]);
    const outcome = await run();
    assert.deepEqual(outcome, { status: 'failed', reason: 'schema', message: 'the answer is empty.', partialText: 'Three, I think.' });
    assert.equal(model.requests.length, 2);
    assert.deepEqual(await outcomeOf('', '{"count": 0}'), { status: 'completed', text: '{"count": 0}' });
  });

  it('says little about very much that is wrong', async () => {
    const long = 'x'.repeat(10_000);
    const { run, model } = formedSession([{ text: JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${long}${index}`, 1]))) }, { text: '{"count": 1}' }], { setup: { model: { provider: 'p', model: 'm', contextWindow: 1_000_000 } } });
    assert.equal((await run()).status, 'completed');
    assert.ok((repairs(model.requests[1]?.messages ?? [])[0] ?? '').length < 2500);
  });

  it('gets no turn beyond the limit', async () => {
    const { run, messages } = formedSession([{ calls: [call] }, { text: 'Three.' }], { setup: { maxTurns: 2 } });
    const outcome = await run();
    assert.equal(outcome.status === 'failed' && outcome.reason, 'schema');
    assert.deepEqual(repairs(messages), []);
  });

  it('may be looked for again, and is then still the last one', async () => {
    const { run } = formedSession([{ text: 'Three.' }, { calls: [call] }, { text: 'Three!' }]);
    const outcome = await run();
    assert.deepEqual(outcome.status === 'failed' && [outcome.reason, outcome.partialText], ['schema', 'Three!']);
  });

  it('is not asked for again where the run ended otherwise', async () => {
    for (const stop of ['max_tokens', 'refusal', 'filtered', 'context'] as const) {
      const outcome = await formedSession([{ text: '{"count": 1}', stop }]).run();
      assert.equal(outcome.status === 'failed' && outcome.reason, stop);
    }
  });

  it('waits for what was said meanwhile, in whatever form it is', async () => {
    for (const first of ['Three.', '{"count": 3}']) {
      const fixture = formedSession([{ text: first, check: () => fixture.tell('The hidden ones too.') }, { text: 'Four.' }, { text: '{"count": 4}' }]);
      assert.deepEqual(await fixture.run(), { status: 'completed', text: '{"count": 4}' });
      const sources = fixture.messages.flatMap((message) => (message.role === 'user' ? [message.source] : []));
      assert.deepEqual(sources, ['user', 'steering', 'repair']);
    }
  });
});

describe('a run with a schema that cannot be used', () => {
  it('fails as schema before its model is asked', async () => {
    for (const broken of [{ type: 'nonsense' }, { $ref: 'https://example.org/elsewhere' }, { pattern: '(' }, { $async: true }]) {
      const { run, model } = formedSession([], { schema: broken });
      const outcome = await run();
      assert.ok(outcome.status === 'failed');
      assert.equal(outcome.reason, 'schema');
      assert.match(outcome.message, /resultSchema/);
      assert.equal(model.requests.length, 0);
    }
  });
});

describe('a run with a schema that goes on after an interruption', () => {
  const prompt = textMessage('Count.');
  const said = (text: string): AssistantMessage => ({ role: 'assistant', content: [{ type: 'text', text }], stop: 'stop' });

  it('judges the answer that it had given', async () => {
    assert.deepEqual(await formedSession([], { history: [prompt, said('{"count": 1}')] }).resume(), { status: 'completed', text: '{"count": 1}' });
    assert.deepEqual(await formedSession([{ text: '{"count": 3}' }], { history: [prompt, said('Three.')] }).resume(), { status: 'completed', text: '{"count": 3}' });
    const last = await formedSession([], { history: [prompt, said('Three.')], setup: { maxTurns: 1, turnsTaken: 1 } }).resume();
    assert.equal(last.status === 'failed' && last.reason, 'schema');
  });

  it('is asked for another answer once in all', async () => {
    const asked = [prompt, said('Three.'), textMessage('Give it as JSON.', 'repair')];
    for (const [history, script] of [[asked, [{ text: 'Three!' }]], [[...asked, said('Three!')], []]] as const) {
      const outcome = await formedSession(script, { history }).resume();
      assert.deepEqual(outcome.status === 'failed' && [outcome.reason, outcome.partialText], ['schema', 'Three!']);
    }
    assert.deepEqual(await formedSession([{ text: '{"count": 3}' }], { history: asked }).resume(), { status: 'completed', text: '{"count": 3}' });
  });

  it('keeps the answer that was wrong, should it be stopped before another one', async () => {
    const abort = new AbortController();
    const { run } = formedSession([{ text: 'Three.' }, { wait: new Promise(() => undefined), check: () => setImmediate(() => abort.abort()) }], { signal: abort.signal });
    assert.deepEqual(await run(), { status: 'cancelled', partialText: 'Three.' });
    const asked = [prompt, said('Three.'), textMessage('Give it as JSON.', 'repair')];
    assert.deepEqual(await formedSession([], { history: asked, signal: AbortSignal.abort() }).resume(), { status: 'cancelled', partialText: 'Three.' });
  });
});
