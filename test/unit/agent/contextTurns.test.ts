import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runLoop, type LoopOptions } from '../../../src/runtime/agent/loop.ts';
import { ContextMeter } from '../../../src/runtime/agent/context/meter.ts';
import { Steps } from '../../../src/runtime/agent/steps.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { textMessage, textOf, type Compaction, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelRef, ModelRequest } from '../../../src/runtime/domain/models.ts';
import { contextOf } from '../../support/context.ts';
import { EventRecorder } from '../../support/events.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { ScriptedModel, type Script, type ScriptedTurn } from '../../support/scriptedModel.ts';
import { timingOf } from '../../support/timing.ts';
import { isSummaryRequest, resultTexts, windowed, type WindowOptions } from '../../support/windowedModel.ts';

const LINE = 'const value = compute(input, options);\n';
const TASK = 'Read all of it.';

interface Bench {
  readonly outcome: RunOutcome;
  readonly model: ScriptedModel;
  readonly recorder: EventRecorder;
  readonly conversation: readonly Message[];
  readonly compactions: readonly Compaction[];
}

interface BenchOptions {
  readonly known?: Partial<ModelRef>;
  readonly task?: string;
  /** Characters of each result. */
  readonly size?: number;
  readonly loop?: Partial<LoopOptions>;
  readonly callIds?: ReadonlySet<string>;
  readonly meter?: ContextMeter;
}

async function bench(script: Script, { known = {}, task = TASK, size = 6000, loop = {}, callIds = new Set(), meter = new ContextMeter() }: BenchOptions = {}): Promise<Bench> {
  const model = new ScriptedModel(script);
  const recorder = new EventRecorder();
  const clock = new ManualClock();
  const conversation: Message[] = [textMessage(task)];
  const compactions: Compaction[] = [];
  const outcome = await runThrough(clock, runLoop(conversation, {
    agent: { kind: 'root', sessionId: 's' },
    provider: model,
    timing: timingOf({ clock, publish: recorder.publish }),
    model: { provider: 'p', model: 'm', maxOutputTokens: 500, ...known },
    system: 'You read.',
    tools: () => [],
    maxTurns: 100,
    signal: new AbortController().signal,
    publish: recorder.publish,
    append: async (message) => void conversation.push(message),
    context: contextOf(conversation, {
      callIds,
      meter,
      replace: async (view, compaction) => {
        compactions.push(compaction);
        conversation.splice(0, conversation.length, ...view);
      },
    }),
    runTools: async (calls) => calls.map(({ id, name }) => ({ callId: id, name, isError: false, content: [{ type: 'text', text: `${id}\n${LINE.repeat(Math.ceil(size / LINE.length))}` }] })),
    ...loop,
  }));
  assert.equal(clock.pending, 0);
  return { outcome, model, recorder, conversation, compactions };
}

/** Reads so many times, then answers. */
function reader(times: number, more: Partial<ScriptedTurn> = {}): (request: ModelRequest) => ScriptedTurn {
  let read = 0;
  return () => (read++ < times ? { text: `Reading ${read}. ${LINE.repeat(10)}`, calls: [{ name: 'Read', input: { part: read } }], ...more } : { text: 'All read.' });
}

const small = (options: Partial<WindowOptions> = {}): WindowOptions => ({ window: 10_000, ...options });
const refusals = ({ recorder, model }: Bench): number => model.requests.length - recorder.of('model.ended').length;
const done: RunOutcome = { status: 'completed', text: 'All read.' };

describe('a run that reads more than fits', () => {
  it('finishes without one request that is too long, where the window is known', async () => {
    const run = await bench(windowed(reader(40), small()), { known: { contextWindow: 10_000 } });
    run.model.assertClean();
    assert.deepEqual(run.outcome, done);
    assert.equal(refusals(run), 0);
    assert.ok(run.compactions.some(({ how }) => how === 'cleared') && run.compactions.some(({ how }) => how === 'summarised'));
    assert.ok(run.compactions.every(({ tokensBefore, tokensAfter }) => tokensAfter < tokensBefore));
  });

  it('finishes where its model has denser tokens than any estimate says', async () => {
    const run = await bench(windowed(reader(40), small({ bytesPerToken: 2.2 })), { known: { contextWindow: 10_000 } });
    run.model.assertClean();
    assert.deepEqual(run.outcome, done);
    assert.ok(refusals(run) <= 1, `${refusals(run)} refusals`);
  });

  it('finishes where only refusals tell how small the window is, in whatever words, and remembers it', async () => {
    for (const words of [undefined, () => 'It does not fit.', (_: number, window: number) => `This model's maximum context length is ${window} tokens.`]) {
      const run = await bench(windowed(reader(40), small(words ? { words } : {})));
      run.model.assertClean();
      assert.deepEqual(run.outcome, done);
      assert.ok(refusals(run) >= 1 && refusals(run) <= 3, `${refusals(run)} refusals`);
    }
  });

  it('learns a window for that server only, whatever has the same name elsewhere', async () => {
    const meter = new ContextMeter();
    meter.limit({ provider: 'p', model: 'm', baseUrl: 'http://small' }, 3000);
    const on = (more: Partial<ModelRef>): Promise<Bench> => bench(windowed(reader(3), small({ window: 100_000 })), { known: { contextWindow: 100_000, ...more }, meter });
    assert.deepEqual((await on({ baseUrl: 'http://large' })).compactions, []);
    assert.deepEqual((await on({ provider: 'q', baseUrl: 'http://small' })).compactions, []);
    assert.notDeepEqual((await on({ baseUrl: 'http://small' })).compactions, []);
  });

  it('finishes where one result alone is longer than the window', async () => {
    for (const known of [{ contextWindow: 10_000 }, {}]) {
      const run = await bench(windowed(reader(3), small()), { known, size: 200_000 });
      run.model.assertClean();
      assert.deepEqual(run.outcome, done);
      assert.ok(run.model.requests.slice(1).every(({ messages }) => resultTexts(messages).length > 0));
    }
  });

  it('tells of each time, and what it was worth', async () => {
    const run = await bench(windowed(reader(40), small()), { known: { contextWindow: 10_000 } });
    assert.deepEqual(run.recorder.of('context.compacted').map(({ how, tokensBefore, tokensAfter }) => ({ how, tokensBefore, tokensAfter })), run.compactions);
  });

  it('always shows the model its task, and what it has just read', async () => {
    const run = await bench(windowed(reader(40), small()), { known: { contextWindow: 10_000 } });
    for (const { messages } of run.model.requests.filter((request) => !isSummaryRequest(request))) {
      const [first] = messages;
      assert.ok(first?.role === 'user' && textOf(first.content) === TASK);
      if (messages.length > 1) assert.ok(resultTexts(messages).at(-1)?.includes(LINE));
    }
  });
});

describe('a summary', () => {
  it('is no turn of the agent and none of its words, but costs what it costs', async () => {
    const run = await bench(windowed(reader(30), small({ summary: () => ({ text: 'Sum.', thinking: 'Hm.', usage: { output: 77 } }) })), { known: { contextWindow: 10_000 }, loop: { maxTurns: 31 } });
    assert.deepEqual(run.outcome, done);
    const summaries = run.recorder.of('model.ended').filter(({ isSummary }) => isSummary);
    assert.equal(summaries.length, run.model.requests.filter(isSummaryRequest).length);
    assert.ok(summaries.length > 0 && summaries.every(({ usage }) => usage.output === 77 && usage.input > 0));
    assert.equal(run.recorder.of('model.ended').length - summaries.length, 31);
    assert.ok(run.recorder.of('text.delta').every(({ text }) => text !== 'Sum.'));
    assert.deepEqual(run.recorder.of('thinking.delta'), []);
  });

  it('that fails in passing is asked for again', async () => {
    let failures = 0;
    const run = await bench(windowed(reader(30), small({ summary: () => (failures++ < 2 ? { stop: 'error', error: { failure: 'network', message: 'gone' } } : { text: 'Sum.' }) })), { known: { contextWindow: 10_000 } });
    assert.deepEqual(run.outcome, done);
    assert.ok(run.compactions.some(({ how }) => how === 'summarised'));
  });

  it('that can not be had is done without as long as clearing is enough', async () => {
    const run = await bench(windowed(reader(12), small({ summary: () => ({ stop: 'refusal' }) })), { known: { contextWindow: 10_000 }, size: 9000 });
    run.model.assertClean();
    assert.deepEqual(run.outcome, done);
    assert.ok(run.compactions.every(({ how }) => how === 'cleared'));
    assert.ok(run.model.requests.filter(isSummaryRequest).length <= 1, 'it is not asked for each time');
  });

  it('whose failure is what keeps the conversation too long fails the run with that', async () => {
    const talk = (request: ModelRequest): ScriptedTurn => ({ text: LINE.repeat(60), calls: [{ name: 'Read', input: { text: LINE.repeat(30), at: request.messages.length } }] });
    const failing = (summary: ScriptedTurn) => bench(windowed(talk, small({ summary: () => summary })), { known: { contextWindow: 10_000 }, size: 10 });
    const quota = await failing({ stop: 'error', error: { failure: 'quota', message: 'Pay first.' } });
    assert.ok(quota.outcome.status === 'failed' && quota.outcome.reason === 'quota' && quota.outcome.message.includes('Pay first.'));
    const refused = await failing({ stop: 'refusal' });
    assert.ok(refused.outcome.status === 'failed' && refused.outcome.reason === 'context', JSON.stringify(refused.outcome));
    assert.ok(refused.outcome.partialText?.startsWith(LINE.trim()));
  });

  it('that a person stops is asked for again, and the turn is the same', async () => {
    const clock = new ManualClock();
    const steps = new Steps(new AbortController().signal);
    let summaries = 0;
    const summary = (): ScriptedTurn => {
      summaries += 1;
      if (summaries > 1) return { text: 'Sum.' };
      setImmediate(() => steps.retry());
      return { wait: new Promise(() => undefined) };
    };
    const run = await bench(windowed(reader(30), small({ summary })), { known: { contextWindow: 10_000 }, loop: { maxTurns: 31, timing: timingOf({ clock }), step: (work) => steps.take(work) } });
    assert.deepEqual(run.outcome, done);
    assert.ok(run.compactions.some(({ how }) => how === 'summarised'));
  });

  it('ends with the run: stopped, or out of time', async () => {
    for (const [reason, status] of [[undefined, 'cancelled'], [new AppError('timeout', 'The run took longer than 5 minutes, the time limit.'), 'failed']] as const) {
      const stop = new AbortController();
      const asked = deferred<void>();
      const script = windowed(reader(40), small({ summary: () => (asked.resolve(), { wait: new Promise(() => undefined) }) }));
      const running = bench(script, { known: { contextWindow: 10_000 }, loop: { signal: stop.signal } });
      await asked.promise;
      stop.abort(reason);
      const { outcome, recorder, conversation } = await running;
      assert.equal(outcome.status, status);
      assert.equal(recorder.of('model.ended').at(-1)?.stop, 'aborted');
      assert.ok(!conversation.some((message) => message.role === 'user' && message.source === 'summary'));
    }
  });
});

describe('a request that is too long all the same', () => {
  const refused: ScriptedTurn = { stop: 'error', error: { failure: 'context', message: 'openai (m) 400: It is too long.' } };

  it('is made shorter once for each turn, and then fails the run, saying what to do', async () => {
    const run = await bench([...Array.from({ length: 6 }, () => ({ calls: [{ name: 'Read', input: {} }] })), refused, refused]);
    run.model.assertClean();
    assert.ok(run.outcome.status === 'failed' && run.outcome.reason === 'context');
    assert.equal(run.outcome.message, 'openai (m) 400: It is too long. Give it a smaller task, or a model with a larger context window.');
    assert.equal(run.compactions.length, 1);
  });

  it('fails at once where nothing of it can be left out', async () => {
    const run = await bench([refused]);
    run.model.assertClean();
    assert.ok(run.outcome.status === 'failed' && run.outcome.reason === 'context');
    assert.equal(run.outcome.message, "openai (m) 400: It is too long. It can't be made short enough. Give it a smaller task, or a model with a larger context window.");
  });

  it('that was answered in part has that discarded', async () => {
    const turns: ScriptedTurn[] = [...Array.from({ length: 6 }, () => ({ calls: [{ name: 'Read', input: {} }] })), { text: 'Half an ans', stop: 'context' }, { text: 'All read.' }];
    const run = await bench(turns);
    run.model.assertClean();
    assert.deepEqual(run.outcome, done);
    assert.equal(run.recorder.of('text.discarded').length, 1);
    assert.ok(!run.conversation.some((message) => message.role === 'assistant' && textOf(message.content).includes('Half')));
  });

  it('is never sent where the prompt alone is far too long', async () => {
    const run = await bench([], { known: { contextWindow: 10_000 }, task: LINE.repeat(2000) });
    run.model.assertClean();
    assert.ok(run.outcome.status === 'failed' && run.outcome.reason === 'context');
    assert.match(run.outcome.message, /prompt is too long .*Shorten it/);
    assert.deepEqual(run.recorder.events, []);
  });

  it('keeps what was said of an answer where it can not be made shorter', async () => {
    const run = await bench([{ text: 'Half an ans', stop: 'context' }]);
    assert.ok(run.outcome.status === 'failed' && run.outcome.reason === 'context' && run.outcome.partialText === 'Half an ans');
    assert.match(run.outcome.message, /no longer fits .*larger context window/);
    assert.deepEqual(run.recorder.of('text.discarded'), []);
  });

  it('is sent where its tools leave next to no room, as long as it may fit', async () => {
    const tools = [{ name: 'Read', description: LINE.repeat(45), inputSchema: { type: 'object' } }];
    const run = await bench(windowed(reader(1), { window: 1000, answer: 200, bytesPerToken: 4.5 }), { known: { contextWindow: 1000, maxOutputTokens: 400 }, size: 100, loop: { tools: () => tools } });
    run.model.assertClean();
    assert.deepEqual(run.outcome, done);
  });

  it('is sent where only the estimate doubts that it fits', async () => {
    const run = await bench(windowed(reader(0), { window: 10_000, bytesPerToken: 4.5 }), { known: { contextWindow: 10_000 }, task: LINE.repeat(800) });
    assert.deepEqual(run.outcome, done);
  });
});

describe('the ids of calls', () => {
  it('stay unique in the whole conversation, also of what the model no longer sees', async () => {
    const ids: string[] = [];
    const script = windowed(() => (ids.length >= 30 ? { text: 'All read.' } : { text: LINE.repeat(10), calls: [{ name: 'Read', id: 'call_0', input: {} }] }), small());
    const callIds = new Set<string>();
    const { compactions } = await bench(script, {
      known: { contextWindow: 10_000 },
      callIds,
      loop: { runTools: async (calls) => calls.map(({ id, name }) => (ids.push(id), callIds.add(id), { callId: id, name, isError: false, content: [{ type: 'text', text: LINE.repeat(200) }] })) },
    });
    assert.ok(compactions.some(({ how }) => how === 'summarised'));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, 30);
  });
});
