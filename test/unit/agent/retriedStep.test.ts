import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AgentSession, type RunSetup } from '../../../src/runtime/agent/session.ts';
import { runToolPhase, type ToolPhaseOptions } from '../../../src/runtime/agent/toolPhase.ts';
import { abortError, onAbort } from '../../../src/runtime/base/abort.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { textMessage, textOf, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../src/runtime/domain/models.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { NO_USAGE, type Usage } from '../../../src/runtime/domain/usage.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createReadLedger } from '../../../src/runtime/store/readLedger.ts';
import { EventRecorder } from '../../support/events.ts';
import { fixedTools } from '../../support/fixedTools.ts';
import { ManualClock, quiet, runThrough } from '../../support/manualClock.ts';
import { assertWellFormed } from '../../support/scriptedModel.ts';
import { timingOf } from '../../support/timing.ts';
import { Unread } from '../../support/unread.ts';

const AGENT = { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'a', displayName: 'A' } as const;
const used = (input: number): ModelEvent => ({ type: 'usage', usage: { ...NO_USAGE, input } });
const says = (text: string): readonly ModelEvent[] => [{ type: 'text', text }, used(10), { type: 'end', stop: 'stop' }];
const calls = (...names: readonly string[]): readonly ModelEvent[] => [...names.map((name, index): ModelEvent => ({ type: 'tool_call', id: `c${index}`, name, arguments: '{}' })), used(10), { type: 'end', stop: 'tool_calls' }];
const HANGS = 'hangs';
/** One answer: its events, at the end of which it may hang until it is aborted. */
type Answer = readonly (ModelEvent | typeof HANGS)[];

/** A model that answers from a list. */
class Model implements ModelProvider {
  readonly id = 'test';
  readonly requests: ModelRequest[] = [];
  readonly #answers: Answer[];
  /** Called when an answer hangs. */
  onHang = (): void => undefined;

  constructor(answers: readonly Answer[]) {
    this.#answers = [...answers];
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    this.requests.push({ ...request, messages: [...request.messages] });
    assertWellFormed(request);
    const answer = this.#answers.shift();
    assert.ok(answer, 'a request too many');
    for (const event of answer) {
      if (event !== HANGS) yield event;
      else {
        setImmediate(this.onHang);
        await new Promise<void>((resolve) => onAbort(request.signal, resolve));
        yield { type: 'end', stop: 'aborted' };
      }
    }
  }

  get left(): number {
    return this.#answers.length;
  }
}

/** `stuck`: works until it is aborted. */
function tool(name: string, stuck: () => void, ended: (how: string) => void, isReadOnly = false): ToolDefinition {
  return {
    name, description: '', inputSchema: { type: 'object' }, isReadOnly, actsOnRun: true, describe: () => name, targets: () => [],
    execute: (_, { signal }) =>
      name === 'Quick'
        ? Promise.resolve({ content: [{ type: 'text', text: 'quick' }] })
        : new Promise((_resolve, reject) => {
            setImmediate(stuck);
            onAbort(signal, () => {
              ended(name);
              if (name !== 'Deaf') reject(abortError());
            });
          }),
  };
}

interface Bench {
  readonly model: Model;
  readonly messages: Message[];
  readonly usages: (Usage | undefined)[];
  readonly recorder: EventRecorder;
  readonly session: AgentSession;
  readonly unread: Unread;
  readonly clock: ManualClock;
  /** Names of tools whose calls were aborted. */
  readonly aborted: string[];
  run(): Promise<RunOutcome>;
}

function bench(answers: readonly Answer[], { onStuck, setup = {}, phase = {} }: { onStuck: (bench: Bench) => void; setup?: Partial<RunSetup>; phase?: Partial<ToolPhaseOptions> }): Bench {
  const clock = new ManualClock();
  const recorder = new EventRecorder();
  const unread = new Unread(recorder.publish);
  const messages: Message[] = [];
  const usages: (Usage | undefined)[] = [];
  const aborted: string[] = [];
  const model = new Model(answers);
  const stuck = (): void => onStuck(made);
  model.onHang = stuck;
  const tools = ['Slow', 'Quick', 'Deaf'].map((name) => tool(name, stuck, (which) => aborted.push(which)));
  const transcript = {
    append: async (entry: { readonly type: string }) => {
      if (!('message' in entry)) return;
      messages.push(entry.message as Message);
      usages.push('usage' in entry ? (entry.usage as Usage) : undefined);
    },
  };
  const session = new AgentSession(AGENT, transcript, unread.publish, { messages: [], view: [] }, unread.list);
  const whole: RunSetup = {
    provider: model,
    model: { provider: 'p', model: 'm' },
    system: '',
    tools: () => tools,
    maxTurns: 10,
    timing: timingOf({ clock, publish: recorder.publish, limits: { toolIdleMs: 0, streamIdleMs: 0 } }),
    runTools: (asked, callClock) =>
      runToolPhase(asked, {
        agent: AGENT,
        tools: fixedTools(tools),
        noteProcess: () => ({ dispose() {} }),
        gate: async () => ({ allowed: true, realPaths: [] }),
        layers: () => [],
        scope: { cwd: '/', roots: ['/'], ownFolders: [] },
        files: createNodeFiles(),
        reads: createReadLedger(),
        spill: async () => '',
        publish: recorder.publish,
        clock: callClock,
        ...phase,
      }),
    ...setup,
  };
  const made: Bench = {
    model, messages, usages, recorder, session, unread, clock, aborted,
    run: async () => {
      const outcome = await runThrough(clock, session.run(textMessage('Do it.'), whole, new AbortController().signal));
      assert.equal(clock.pending, 0, 'a timer is left');
      assert.equal(model.left, 0, 'answers are left');
      assertWellFormed({ model: '', system: '', tools: [], signal: new AbortController().signal, messages });
      return outcome;
    },
  };
  return made;
}

const retry = ({ session }: Bench): void => session.retryStep();
const results = (messages: readonly Message[]): readonly string[] => messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ content, isError }) => `${isError ? 'error: ' : ''}${textOf(content)}`) : []));

describe('a turn that a person wants to be tried again', () => {
  it('is asked for again as it was, and what the stopped call said counts no more', async () => {
    const one = bench([[{ type: 'text', text: 'Half' }, used(7), HANGS], says('Whole.')], { onStuck: retry, setup: { maxTurns: 1 } });
    assert.deepEqual(await one.run(), { status: 'completed', text: 'Whole.' });
    assert.deepEqual(one.model.requests[1]?.messages, one.model.requests[0]?.messages);
    assert.deepEqual(one.recorder.events.map(({ type }) => type), ['text.delta', 'text.discarded', 'model.ended', 'text.delta', 'model.ended']);
    assert.deepEqual(one.recorder.of('model.ended').map(({ isRetried }) => isRetried), [true, undefined]);
  });

  it('may be stopped as often as one likes', async () => {
    const one = bench([[HANGS], [HANGS], [HANGS], says('Whole.')], { onStuck: retry, setup: { maxTurns: 1 } });
    assert.equal((await one.run()).status, 'completed');
  });

  it('counts what the stopped call used, and says that it may be more', async () => {
    const one = bench([[used(7), HANGS], says('Whole.')], { onStuck: retry });
    await one.run();
    assert.deepEqual(one.recorder.of('model.ended').map(({ usage }) => [usage.input, usage.isPartial]), [[7, true], [10, undefined]]);
    assert.deepEqual(one.usages.map((usage) => usage && [usage.input, usage.isPartial]), [undefined, [17, true]]);
  });

  it('is asked for with what was said meanwhile', async () => {
    const one = bench([[HANGS], says('Whole.')], {
      onStuck: (stuck) => {
        stuck.unread.tell('Another way.');
        retry(stuck);
      },
    });
    await one.run();
    assert.deepEqual(one.model.requests[1]?.messages.map((message) => (message.role === 'user' ? [message.source, textOf(message.content)] : [])), [['user', 'Do it.'], ['steering', 'Another way.']]);
  });

  it('is asked for at once where it waited to be sent again', async () => {
    const failing: Answer = [{ type: 'end', stop: 'error', error: { failure: 'rate_limited', message: 'test: full', retryAfterMs: 60_000 } }];
    const one = bench([failing, says('Whole.')], { onStuck: () => undefined });
    one.recorder.until('retry.scheduled').then(() => retry(one), assert.fail);
    assert.equal((await one.run()).status, 'completed');
    assert.equal(one.clock.now(), 0);
    assert.equal(one.recorder.of('retry.scheduled').length, 1);
  });

  it('is stopped or not, at whatever moment that is wanted, and the run comes to its end', async () => {
    for (let moment = 0; moment < 150; moment += 1) {
      let asked = 0;
      const one = bench([], { onStuck: () => undefined, setup: { provider: { id: 'test', stream: async function* (request) {
        assertWellFormed(request);
        asked += 1;
        yield* request.messages.at(-1)?.role === 'tool' ? says('Whole.') : calls('Quick');
      } } } });
      const running = one.run();
      for (let passed = 0; passed < moment; passed += 1) await Promise.resolve();
      one.session.retryStep();
      assert.deepEqual(await running, { status: 'completed', text: 'Whole.' }, `moment ${moment}`);
      assert.ok(asked === 2 || asked === 3, `moment ${moment}`);
    }
  });

  it('never ends the run, and a cancel still does', async () => {
    const stop = new AbortController();
    const one = bench([[HANGS]], { onStuck: retry });
    one.model.onHang = () => {
      retry(one);
      stop.abort();
    };
    const outcome = await runThrough(one.clock, one.session.run(textMessage('Do it.'), { provider: one.model, model: { provider: 'p', model: 'm' }, system: '', tools: () => [], maxTurns: 1, timing: timingOf({ clock: one.clock }), runTools: async () => [] }, stop.signal));
    assert.equal(outcome.status, 'cancelled');
    assert.equal(one.model.requests.length, 1);
  });
});

describe('tool calls that a person stops so that they are tried again', () => {
  it('end with a result that says so, and the model goes on', async () => {
    const one = bench([calls('Slow', 'Quick'), says('Whole.')], { onStuck: retry });
    assert.deepEqual(await one.run(), { status: 'completed', text: 'Whole.' });
    assert.deepEqual(one.aborted, ['Slow']);
    const [stopped, other] = results(one.messages);
    assert.match(stopped ?? '', /^error: Stopped by the user.*Try another way, or call it again/);
    assert.match(other ?? '', /^error: Not run: the user stopped you/);
    assert.equal(one.messages.some((message) => message.role === 'tool' && message.results.some(({ wasInterrupted }) => wasInterrupted)), false);
  });

  it('leave the next ones alone', async () => {
    const one = bench([calls('Slow'), calls('Quick'), says('Whole.')], { onStuck: retry });
    await one.run();
    assert.equal(results(one.messages).at(-1), 'quick');
  });

  it('are given up after their grace where they do not hear it', async () => {
    const one = bench([calls('Deaf'), says('Whole.')], { onStuck: retry });
    assert.equal((await one.run()).status, 'completed');
    assert.match(results(one.messages)[0] ?? '', /Stopped by the user\. It did not stop when told to/);
  });

  it('are no more asked for where they wait for approval', async () => {
    let asked: AbortSignal | undefined;
    const one = bench([calls('Quick'), says('Whole.')], {
      onStuck: () => undefined,
      phase: {
        gate: ({ context }) => new Promise((_, reject) => {
          asked = context.signal;
          onAbort(context.signal, () => reject(abortError()));
          setImmediate(() => retry(one));
        }),
      },
    });
    assert.equal((await one.run()).status, 'completed');
    assert.equal(asked?.aborted, true);
    assert.match(results(one.messages)[0] ?? '', /Not run: the user stopped you before it began/);
  });

  it('do not hear of a wish that came between two steps', async () => {
    const one = bench([calls('Quick'), says('Whole.')], { onStuck: () => undefined });
    one.session.retryStep();
    const outcome = await one.run();
    one.session.retryStep();
    await quiet();
    assert.equal(outcome.status, 'completed');
    assert.equal(results(one.messages)[0], 'quick');
  });
});
