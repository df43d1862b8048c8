import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runModelTurn, type ModelTurn } from '../../../src/runtime/agent/modelTurn.ts';
import type { RunTiming } from '../../../src/runtime/agent/timing.ts';
import { textMessage } from '../../../src/runtime/domain/messages.ts';
import type { ModelError, ModelEvent, ModelFailure, ModelProvider } from '../../../src/runtime/domain/models.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { EventRecorder } from '../../support/events.ts';
import { ManualClock, quiet, runThrough } from '../../support/manualClock.ts';
import { timingOf, type TestTiming } from '../../support/timing.ts';

const text = (words: string): ModelEvent => ({ type: 'text', text: words });
const used = (input: number): ModelEvent => ({ type: 'usage', usage: { ...NO_USAGE, input } });
const STOP: ModelEvent = { type: 'end', stop: 'stop' };
const fails = (failure: ModelFailure, more: Partial<ModelError> = {}): ModelEvent => ({ type: 'end', stop: 'error', error: { failure, message: `test (m): ${failure}`, ...more } });

/** A provider that answers the tries one by one; after the last answer it fails the test. */
class Tries implements ModelProvider {
  readonly id = 'test';
  /** When each try was sent. */
  readonly sent: number[] = [];
  readonly #clock: ManualClock;
  readonly #answers: (readonly ModelEvent[])[];

  constructor(clock: ManualClock, answers: readonly (readonly ModelEvent[])[]) {
    this.#clock = clock;
    this.#answers = [...answers];
  }

  async *stream(): AsyncIterable<ModelEvent> {
    this.sent.push(this.#clock.now());
    const answer = this.#answers.shift();
    assert.ok(answer, 'a try too many');
    yield* answer;
  }
}

class Bench {
  readonly clock = new ManualClock();
  readonly recorder = new EventRecorder();
  readonly timing: RunTiming;

  constructor(timing: TestTiming = {}) {
    this.timing = timingOf({ clock: this.clock, publish: this.recorder.publish, ...timing });
  }

  ask(provider: ModelProvider, signal = new AbortController().signal, sessionId = 's'): Promise<ModelTurn> {
    const request = { model: 'm', system: '', messages: [textMessage('Do it.')], tools: [], signal };
    return runModelTurn(request, { provider, agent: { kind: 'root', sessionId }, publish: this.recorder.publish, timing: this.timing });
  }

  async run(answers: readonly (readonly ModelEvent[])[]): Promise<{ turn: ModelTurn; sent: readonly number[] }> {
    const provider = new Tries(this.clock, answers);
    const turn = await runThrough(this.clock, this.ask(provider));
    assert.equal(this.clock.pending, 0, 'a timer is left');
    return { turn, sent: provider.sent };
  }

  get types(): string[] {
    return this.recorder.events.map(({ type }) => type);
  }
}

describe('a model turn whose tries fail', () => {
  it('is asked again, with more time in between, and tells of each wait', async () => {
    const bench = new Bench();
    const { turn, sent } = await bench.run([[fails('network')], [fails('server', { status: 500 })], [text('Hi'), STOP]]);
    assert.deepEqual(turn.message, { role: 'assistant', content: [{ type: 'text', text: 'Hi' }], stop: 'stop' });
    assert.equal(turn.error, undefined);
    assert.deepEqual(sent, [0, 1000, 3000]);
    const told = bench.recorder.of('retry.scheduled').map(({ attempt, until, failure }) => [attempt, until, failure]);
    assert.deepEqual(told, [[2, 1000, 'network'], [3, 3000, 'server']]);
    assert.deepEqual(bench.types, ['retry.scheduled', 'retry.scheduled', 'text.delta', 'model.ended']);
  });

  it('discards what a broken try said, its calls too, but counts its tokens', async () => {
    const bench = new Bench();
    const call: ModelEvent = { type: 'tool_call', id: 'a', name: 'Read', arguments: '{}' };
    const { turn } = await bench.run([[text('Half'), call, used(10), fails('network')], [call, text('Whole'), used(5), STOP]]);
    assert.deepEqual(turn.message.content, [{ type: 'tool_call', id: 'a', name: 'Read', arguments: '{}' }, { type: 'text', text: 'Whole' }]);
    assert.deepEqual(bench.types, ['text.delta', 'text.discarded', 'retry.scheduled', 'text.delta', 'model.ended']);
    assert.deepEqual(bench.recorder.of('model.ended').map(({ stop, usage }) => [stop, usage.input]), [['stop', 15]]);
  });

  it('discards nothing where nothing was told', async () => {
    const bench = new Bench();
    await bench.run([[{ type: 'tool_call', id: 'a', name: 'Read', arguments: '{}' }, fails('network')], [text('Hi'), STOP]]);
    assert.equal(bench.recorder.of('text.discarded').length, 0);
  });

  it('gives up after six tries, naming them and the words of the provider, and keeps what the last one said', async () => {
    const bench = new Bench();
    const { turn, sent } = await bench.run(['1', '2', '3', '4', '5', '6'].map((words) => [text(words), fails('overloaded')]));
    assert.deepEqual(sent, [0, 1000, 3000, 7000, 15_000, 31_000]);
    assert.deepEqual(turn.message.content, [{ type: 'text', text: '6' }]);
    assert.equal(turn.error?.failure, 'overloaded');
    assert.match(turn.error.message, /6 tries.*test \(m\): overloaded/);
    assert.equal(bench.recorder.of('text.discarded').length, 5);
    assert.equal(bench.recorder.of('model.ended').length, 1);
  });

  for (const failure of ['auth', 'quota', 'bad_request', 'error'] satisfies ModelFailure[]) {
    it(`fails at once with ${failure}, keeping what was said`, async () => {
      const bench = new Bench();
      const { turn } = await bench.run([[text('Half'), fails(failure)]]);
      assert.deepEqual(turn.error, { failure, message: `test (m): ${failure}` });
      assert.deepEqual(bench.types, ['text.delta', 'model.ended']);
      assert.deepEqual(turn.message.content, [{ type: 'text', text: 'Half' }]);
    });
  }

  it('ends at once when aborted while it waits, without a timer or a further try', async () => {
    const bench = new Bench();
    const stop = new AbortController();
    const provider = new Tries(bench.clock, [[text('Half'), used(7), fails('network')]]);
    const asking = bench.ask(provider, stop.signal);
    await bench.recorder.until('retry.scheduled');
    stop.abort();
    const turn = await asking;
    assert.deepEqual([turn.message, turn.error], [{ role: 'assistant', content: [], stop: 'aborted' }, undefined]);
    assert.deepEqual(bench.recorder.of('model.ended').map(({ usage }) => usage.input), [7]);
    assert.equal(bench.clock.pending, 0);
  });

  it('is aborted, not failed, when the abort breaks the stream', async () => {
    const bench = new Bench();
    const stop = new AbortController();
    const stream = async function* (): AsyncIterable<ModelEvent> {
      yield text('Half');
      stop.abort();
      yield fails('network');
    };
    const turn = await bench.ask({ id: 'test', stream }, stop.signal);
    assert.deepEqual([turn.message, turn.error], [{ role: 'assistant', content: [{ type: 'text', text: 'Half' }], stop: 'aborted' }, undefined]);
  });
});

describe('a provider that has too much to do', () => {
  it('gets nothing from anybody until the time that it asked for is over; then they come one after the other', async () => {
    let random = 0;
    const bench = new Bench({ retry: { spreadMs: 1000, random: () => (random = (random + 0.3) % 1) } });
    const provider = new Tries(bench.clock, [[fails('rate_limited', { retryAfterMs: 20_000 })], [text('1'), STOP], [text('2'), STOP], [text('3'), STOP]]);
    const first = bench.ask(provider, undefined, 'first');
    await bench.recorder.until('cooldown.started');
    const others = ['second', 'third'].map((id) => bench.ask(provider, undefined, id));
    await runThrough(bench.clock, Promise.all([first, ...others]));

    const again = provider.sent.slice(1);
    assert.ok(again.every((at) => at >= 20_000 && at <= 21_000), String(again));
    assert.equal(new Set(again).size, 3, 'not all at once');
    assert.deepEqual(bench.recorder.of('cooldown.started').map(({ provider: id, until }) => [id, until]), [['test', 20_000]]);
    const attempts = bench.recorder.of('retry.scheduled').map(({ agent, attempt, failure }) => [agent.sessionId, attempt, failure]);
    assert.deepEqual(attempts, [['first', 2, 'rate_limited'], ['second', 1, 'rate_limited'], ['third', 1, 'rate_limited']]);
  });

  it('costs those no try who only wait for the limit that others met', async () => {
    const bench = new Bench({ retry: { maxTries: 2 } });
    const limited = [fails('rate_limited', { retryAfterMs: 10_000 })];
    const provider = new Tries(bench.clock, [limited, limited, [text('patient'), STOP]]);
    const impatient = bench.ask(provider);
    await bench.recorder.until('cooldown.started');
    const patient = runThrough(bench.clock, impatient.then(() => bench.ask(provider)));
    assert.equal((await patient).message.stop, 'stop');
    assert.equal((await impatient).error?.failure, 'rate_limited');
    assert.deepEqual(provider.sent, [0, 10_000, 20_000]);
  });

  it('makes those wait on whose wait ends in a later cool-down', async () => {
    const bench = new Bench();
    const provider = new Tries(bench.clock, [[fails('overloaded', { retryAfterMs: 5000 })], [text('ok'), STOP]]);
    const asking = bench.ask(provider);
    await bench.recorder.until('retry.scheduled');
    bench.clock.advance(4000);
    bench.timing.cooldowns.of(provider).start(9000, { failure: 'rate_limited', message: 'slower' });
    await runThrough(bench.clock, asking);
    assert.deepEqual(provider.sent, [0, 13_000]);
    assert.deepEqual(bench.recorder.of('retry.scheduled').map(({ attempt, until, message }) => [attempt, until, message]), [[2, 5000, 'test (m): overloaded'], [2, 13_000, 'slower']]);
  });

  it('is told of once for each start or extension', () => {
    const bench = new Bench();
    const provider = new Tries(bench.clock, []);
    const cooldown = bench.timing.cooldowns.of(provider);
    const error: ModelError = { failure: 'overloaded', message: 'busy' };
    for (const ms of [1000, 1000, 500, 2000]) cooldown.start(ms, error);
    assert.deepEqual(bench.recorder.of('cooldown.started').map(({ until }) => until), [1000, 2000]);
    assert.equal(cooldown, bench.timing.cooldowns.of(provider));
    assert.equal(bench.timing.cooldowns.of(new Tries(bench.clock, [])).current, undefined, 'another key has limits of its own');
  });
});

describe('a model that falls silent', () => {
  const silent = (onReturn: () => void = () => undefined) =>
    async function* ({ signal }: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent> {
      try {
        yield text('Half');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield { type: 'end', stop: 'aborted' };
      } finally {
        onReturn();
      }
    };

  it('has failed after the limit, is closed, and is asked again', async () => {
    const bench = new Bench();
    let closed = 0;
    const streams = [silent(() => (closed += 1)), async function* () { yield text('Whole'); yield STOP; }];
    const turn = await runThrough(bench.clock, bench.ask({ id: 'test', stream: (request) => streams.shift()?.(request) ?? assert.fail('a try too many') }));
    assert.deepEqual(turn.message.content, [{ type: 'text', text: 'Whole' }]);
    const [retry] = bench.recorder.of('retry.scheduled');
    assert.deepEqual([retry?.failure, retry?.until], ['timeout', 301_000]);
    assert.match(retry?.message ?? '', /test.*m.*5 minutes/);
    assert.equal(closed, 1);
    assert.equal(bench.clock.pending, 0);
  });

  it('does not hang its agent although the provider ignores that it should stop', async () => {
    const bench = new Bench({ retry: { maxTries: 1 } });
    const turn = await runThrough(bench.clock, bench.ask({ id: 'test', stream: async function* () { yield text('Half'); await new Promise(() => undefined); } }));
    assert.equal(turn.error?.failure, 'timeout');
    assert.deepEqual(turn.message.content, [{ type: 'text', text: 'Half' }]);
    assert.equal(bench.clock.pending, 0);
  });

  it('has not failed while it shows that it is alive', async () => {
    const bench = new Bench({ limits: { streamIdleMs: 1000 } });
    const asking = bench.ask({
      id: 'test',
      stream: async function* () {
        for (let i = 0; i < 20; i += 1) {
          await new Promise<void>((resolve) => bench.clock.after(900, resolve));
          yield { type: 'alive' };
        }
        yield text('Done');
        yield STOP;
      },
    });
    assert.equal((await runThrough(bench.clock, asking)).message.stop, 'stop');
  });

  it('says nothing more once the limit has passed', async () => {
    const bench = new Bench({ retry: { maxTries: 1 }, limits: { streamIdleMs: 1000 } });
    const asking = bench.ask({
      id: 'test',
      stream: async function* () {
        yield text('Half');
        await new Promise<void>((resolve) => bench.clock.after(1500, resolve));
        yield text(' too late');
        yield STOP;
      },
    });
    const turn = await runThrough(bench.clock, asking);
    assert.deepEqual([turn.message.content, turn.error?.failure], [[{ type: 'text', text: 'Half' }], 'timeout']);
  });

  it('has no limit where it is 0', async () => {
    const bench = new Bench({ limits: { streamIdleMs: 0 } });
    const stop = new AbortController();
    const asking = bench.ask({ id: 'test', stream: silent() }, stop.signal);
    await quiet();
    assert.equal(bench.clock.pending, 0);
    stop.abort();
    assert.equal((await asking).message.stop, 'aborted');
  });
});
