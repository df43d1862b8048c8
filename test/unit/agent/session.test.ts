import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AgentSession, type RunSetup } from '../../../src/runtime/agent/session.ts';
import { runToolPhase } from '../../../src/runtime/agent/toolPhase.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import type { TimeLimits } from '../../../src/runtime/domain/liteAgent.ts';
import { textMessage, textOf, type AssistantMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createReadLedger } from '../../../src/runtime/store/readLedger.ts';
import { EventRecorder } from '../../support/events.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { assertWellFormed, ScriptedModel, type Script, type ScriptedTurn } from '../../support/scriptedModel.ts';
import { timingOf } from '../../support/timing.ts';
import { fixedTools } from '../../support/fixedTools.ts';
import { Unread } from '../../support/unread.ts';

const AGENT = { kind: 'root', sessionId: 's' } as const;
const call = { name: 'Slow', input: {} };

/** A tool that works until the clock or the signal ends it. */
function slowTool(clock: ManualClock, ms: number): ToolDefinition {
  return {
    name: 'Slow',
    description: '',
    inputSchema: { type: 'object' },
    isReadOnly: false,
    describe: () => 'Working',
    targets: () => [],
    execute: (_, { signal }) =>
      new Promise((resolve, reject) => {
        const timer = clock.after(ms, () => resolve({ content: [] }));
        signal.addEventListener('abort', () => {
          timer.dispose();
          reject(new DOMException('stopped', 'AbortError'));
        });
      }),
  };
}

interface SessionOptions {
  readonly history?: readonly Message[];
  readonly limits?: TimeLimits;
  readonly toolMs?: number;
  readonly asksFor?: number;
  readonly setup?: Partial<RunSetup>;
}

function sessionOf(script: Script, { history = [], limits = {}, toolMs = 10_000, asksFor = 0, setup = {} }: SessionOptions = {}) {
  const clock = new ManualClock();
  const model = new ScriptedModel(script);
  const recorder = new EventRecorder();
  const messages: Message[] = [...history];
  const transcript = { append: async (entry: { readonly type: string }) => void ('message' in entry && messages.push(entry.message as Message)) };
  const unread = new Unread(recorder.publish);
  const session = new AgentSession(AGENT, transcript, unread.publish, { messages: history, view: history }, unread.list);
  const tool = slowTool(clock, toolMs);
  const whole: RunSetup = {
    provider: model,
    model: { provider: 'p', model: 'm' },
    system: '',
    tools: () => [tool],
    maxTurns: 10,
    timing: timingOf({ clock, limits: { toolIdleMs: 0, streamIdleMs: 0, ...limits } }),
    runTools: (calls, runClock) =>
      runToolPhase(calls, {
        agent: AGENT,
        tools: fixedTools([tool]),
        noteProcess: () => ({ dispose() {} }),
        gate: async () => {
          if (asksFor > 0) await new Promise<void>((resolve) => clock.after(asksFor, resolve));
          return { allowed: true, realPaths: [] };
        },
        layers: () => [],
        scope: { cwd: '/', roots: ['/'], ownFolders: [] },
        files: createNodeFiles(),
        reads: createReadLedger(),
        spill: async () => '',
        publish: recorder.publish,
        clock: runClock,
      }),
    ...setup,
  };
  const { signal } = new AbortController();
  const through = async (work: Promise<RunOutcome>): Promise<RunOutcome> => {
    const outcome = await runThrough(clock, work);
    assert.equal(clock.pending, 0, 'a timer is left');
    assertWellFormed({ model: '', system: '', tools: [], signal, messages });
    model.assertClean();
    return outcome;
  };
  return { model, messages, clock, recorder, session, unread: unread.list, tell: (text: string) => unread.tell(text), run: () => through(session.run(textMessage('Do it.'), whole, signal)), resume: () => through(session.resume(whole, signal)) };
}

describe('what is said to an agent', () => {
  const said = (messages: readonly Message[]): readonly string[] => messages.flatMap((message) => (message.role === 'user' ? [`${message.source}: ${textOf(message.content)}`] : []));

  it('while it works is read before its next model turn, in order', async () => {
    const { run, tell, model, recorder } = sessionOf([{ calls: [call] }, { text: 'Done.' }]);
    const running = run();
    await recorder.until('tool.called');
    tell('One.');
    tell('Two.');
    assert.deepEqual(await running, { status: 'completed', text: 'Done.' });
    assert.deepEqual(model.requests.map(({ messages }) => said(messages)), [['user: Do it.'], ['user: Do it.', 'steering: One.', 'steering: Two.']]);
    assert.deepEqual(recorder.of('message.delivered').map(({ text }) => text), ['One.', 'Two.']);
  });

  it('while it gives its answer is read at once, and answered', async () => {
    const answer = Promise.withResolvers<void>();
    const { run, tell } = sessionOf([{ text: 'First.', wait: answer.promise, check: () => setImmediate(() => (tell('More.'), answer.resolve())) }, { text: 'Second.' }]);
    assert.deepEqual(await run(), { status: 'completed', text: 'Second.' });
  });

  it('after its last turn leaves its answer as it is', async () => {
    const { run, tell, unread, recorder } = sessionOf([{ text: 'First.', check: () => tell('More.') }], { setup: { maxTurns: 1 } });
    assert.deepEqual(await run(), { status: 'completed', text: 'First.' });
    assert.deepEqual(recorder.of('message.delivered'), []);
    assert.deepEqual(unread().map(({ text }) => text), ['More.']);
  });

  it('and was not read in its last run is read before what it is run with next', async () => {
    const answers = ['First.', 'Second.'];
    const { run, tell, model } = sessionOf(() => ({ text: answers.shift() ?? '', check: () => answers.length === 1 && tell('More.') }), { setup: { maxTurns: 1 } });
    await run();
    assert.deepEqual(await run(), { status: 'completed', text: 'Second.' });
    assert.deepEqual(said(model.requests[1]?.messages ?? []), ['user: Do it.', 'steering: More.', 'user: Do it.']);
  });

  it('can be said as long as it will still be read, and not a moment longer', async () => {
    let taken = 0;
    let refused = 0;
    for (let moment = 0; moment < 60; moment += 1) {
      const answered = Promise.withResolvers<void>();
      const { run, tell, unread, session } = sessionOf(() => ({ text: 'Answer.', check: () => answered.resolve() }));
      const running = run();
      await answered.promise;
      for (let passed = 0; passed < moment; passed += 1) await Promise.resolve();
      if (session.isOver) refused += 1;
      else {
        taken += 1;
        tell('More.');
      }
      await running;
      assert.deepEqual(unread(), [], `moment ${moment}`);
    }
    assert.ok(taken > 0 && refused > 0, `${taken} taken, ${refused} refused`);
  });
});

describe('time limits of a run', () => {
  const failure = (outcome: RunOutcome): unknown[] => (outcome.status === 'failed' ? [outcome.reason, outcome.partialText] : [outcome.status]);

  it('end it as timeout with its partial text, and every call gets its result (case 67)', async () => {
    for (const [limits, words] of [
      [{ maxDurationMs: 5000 }, /run.*5 seconds/i],
      [{ toolMs: 5000 }, /Slow.*5 seconds/],
      [{ toolIdleMs: 5000 }, /Slow.*silent.*5 seconds/],
    ] as const) {
      const { run, messages, clock } = sessionOf([{ text: 'Half way.', calls: [call, call] }], { limits });
      const outcome = await run();
      assert.deepEqual(failure(outcome), ['timeout', 'Half way.']);
      assert.match(outcome.status === 'failed' ? outcome.message : '', words);
      assert.equal(clock.now(), 5000);
      const last = messages.at(-1);
      assert.ok(last?.role === 'tool' && last.results.length === 2 && last.results.every(({ isError, content }) => isError && words.test(textOf(content))));
    }
  });

  it('end it while its model is asked or waited for', async () => {
    const waiting = sessionOf([{ stop: 'error', error: { failure: 'overloaded', message: 'busy', retryAfterMs: 60_000 } }], { limits: { maxDurationMs: 5000 } });
    assert.deepEqual(failure(await waiting.run()), ['timeout', undefined]);
    const silent = sessionOf([{ wait: new Promise(() => undefined) }], { limits: { maxDurationMs: 5000 } });
    assert.deepEqual(failure(await silent.run()), ['timeout', undefined]);
  });

  it('do not count the time in which a person decides', async () => {
    const { run, clock } = sessionOf([{ calls: [call] }, { text: 'Done.' }], { limits: { maxDurationMs: 15_000, toolMs: 15_000, toolIdleMs: 15_000 }, asksFor: 3_600_000 });
    assert.deepEqual(await run(), { status: 'completed', text: 'Done.' });
    assert.equal(clock.now(), 3_610_000);
  });

  it('leave a run alone that keeps them', async () => {
    const { run } = sessionOf([{ calls: [call, call] }, { text: 'Done.' }], { limits: { maxDurationMs: 20_001, toolMs: 10_001, toolIdleMs: 10_001 } });
    assert.equal((await run()).status, 'completed');
  });
});

describe('resuming a run', () => {
  const prompt = textMessage('Do it.');
  const said = (text: string, more: Partial<AssistantMessage> = {}): AssistantMessage => ({ role: 'assistant', content: [{ type: 'text', text }], stop: 'stop', ...more });
  const calling = said('Looking.', { stop: 'tool_calls', content: [{ type: 'text', text: 'Looking.' }, { type: 'tool_call', id: 'a', name: 'Slow', arguments: '{}' }] });
  const results: Message = { role: 'tool', results: [{ callId: 'a', name: 'Slow', isError: false, content: [] }] };

  it('asks the model with the conversation as it is', async () => {
    for (const history of [[prompt], [prompt, calling, results]]) {
      const { resume, model } = sessionOf([{ text: 'Done.' }], { history });
      assert.deepEqual(await resume(), { status: 'completed', text: 'Done.' });
      assert.deepEqual(model.requests[0]?.messages, history);
    }
  });

  it('gives open calls their results first, and runs none of them', async () => {
    const { resume, model } = sessionOf([{ text: 'Done.' }], { history: [prompt, calling] });
    await resume();
    const last = model.requests[0]?.messages.at(-1);
    assert.ok(last?.role === 'tool');
    assert.match(textOf(last.results[0]?.content ?? []), /Interrupted/);
  });

  it('asks nothing where only the end was left to tell', async () => {
    const { resume, model, messages } = sessionOf([], { history: [prompt, said('All done.')] });
    assert.deepEqual(await resume(), { status: 'completed', text: 'All done.' });
    assert.deepEqual([model.requests.length, messages.length], [0, 2]);
  });

  it('tells the model to go on where its answer was cut off, and says nothing where it paused', async () => {
    for (const cut of [said('Half', { stop: 'aborted' }), said('Half', { stop: 'error' }), said(' ')]) {
      const { resume, model } = sessionOf([{ text: 'Done.' }], { history: [prompt, cut] });
      await resume();
      assert.equal(model.requests[0]?.messages.at(-1)?.role, 'user');
    }
    const paused = sessionOf([{ text: 'Done.' }], { history: [prompt, said('One moment.', { stop: 'paused' })] });
    await paused.resume();
    assert.equal(paused.model.requests[0]?.messages.length, 2);
  });

  it('has as many turns as the run has left, retries not counted', async () => {
    const flaky: ScriptedTurn = { stop: 'error', error: { failure: 'network', message: 'reset' } };
    const { resume, model } = sessionOf([flaky, { calls: [call] }, flaky, flaky, { calls: [call] }], { history: [prompt, calling, results], setup: { maxTurns: 3, turnsTaken: 1 } });
    const outcome = await resume();
    assert.deepEqual(outcome, { status: 'failed', reason: 'max_turns', message: 'Subagent reached max turns', partialText: 'Looking.' });
    assert.equal(model.requests.length, 5);
  });

  it('has no turn left where all were taken', async () => {
    const { resume } = sessionOf([], { history: [prompt, calling], setup: { maxTurns: 1, turnsTaken: 1 } });
    const outcome = await resume();
    assert.equal(outcome.status === 'failed' && outcome.reason, 'max_turns');
  });

  it('refuses a conversation in which nothing was said', async () => {
    await assert.rejects(sessionOf([]).resume(), { reason: 'invalid_input' });
  });
});
