import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { AgentTools } from '../../../src/runtime/agent/agentTools.ts';
import { RunClock } from '../../../src/runtime/agent/runClock.ts';
import { runToolPhase, type ToolPhaseOptions } from '../../../src/runtime/agent/toolPhase.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { GateAnswer } from '../../../src/runtime/domain/gate.ts';
import type { ToolCallPart, ToolResultPart } from '../../../src/runtime/domain/messages.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createReadLedger } from '../../../src/runtime/store/readLedger.ts';
import { EventRecorder } from '../../support/events.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { clockOf, timingOf } from '../../support/timing.ts';
import { temporaryFolder } from '../../support/toolContext.ts';
import { fixedTools } from '../../support/fixedTools.ts';

const tool = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  isReadOnly: false,
  describe: () => name,
  targets: () => [],
  execute: async () => ({ content: [{ type: 'text', text: `${name} done` }] }),
  ...more,
});
const call = (id: string, name: string, args = '{}'): ToolCallPart => ({ type: 'tool_call', id, name, arguments: args });
const text = (result: ToolResultPart | undefined): string => result?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';

describe('tool phase', () => {
  let folder: { readonly path: string; remove(): Promise<void> };
  const recorder = new EventRecorder();
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  function run(calls: readonly ToolCallPart[], tools: readonly ToolDefinition[], more: Partial<ToolPhaseOptions> = {}): Promise<ToolResultPart[]> {
    return runToolPhase(calls, {
      agent: { kind: 'root', sessionId: 's' },
      tools: fixedTools(tools),
      gate: async () => ({ allowed: true, realPaths: [] }),
      layers: () => [],
      scope: { cwd: folder.path, roots: [folder.path], ownFolders: [] },
      files: createNodeFiles(),
      reads: createReadLedger(),
      spill: async () => '',
      publish: recorder.publish,
      noteProcess: () => ({ dispose() {} }),
      clock: clockOf(),
      ...more,
    });
  }

  it('gives every one of very many calls its result', async () => {
    const calls = Array.from({ length: 150_000 }, (_, index) => call(String(index), 'Reads'));
    // Stopped, so that checking them all takes no time.
    const results = await run(calls, [tool('Reads', { isReadOnly: true })], { clock: clockOf(AbortSignal.abort()) });
    assert.equal(results.length, calls.length);
    assert.equal(results.at(-1)?.callId, '149999');
  });

  it('keeps what an error repeats of an endless input out of the conversation', async () => {
    const long = 'x'.repeat(200_000);
    const echo = tool('Echo', { execute: () => Promise.reject(new AppError('invalid_input', `No such thing: ${long}`)) });
    const strict = tool('Strict', { inputSchema: { type: 'object', additionalProperties: false } });
    const spilled: string[] = [];
    const results = await run([call('1', long), call('2', 'Strict', JSON.stringify({ [long]: 1 })), call('3', 'Echo'), call('4', 'Ok')], [echo, strict, tool('Ok')], {
      spill: async (_name, whole) => `/kept/${spilled.push(whole)}`,
      gate: async ({ callId }) => (callId === '4' ? { allowed: false, message: long, action: 'x' } : { allowed: true, realPaths: [] }),
    });
    assert.ok(results.every((result) => result.isError && text(result).length < 40_000));
    assert.equal(spilled.length, 4);
    assert.match(text(results[0]), /\/kept\/1/);
  });

  it('runs no call whose tool is gone or another by the time it is allowed', async () => {
    const act = tool('Act');
    const others: Readonly<Record<string, readonly ToolDefinition[]>> = {
      "isn't among your tools any more": [],
      'has changed': [{ ...act, isReadOnly: true }],
      'has changed since': [{ ...act, inputSchema: { type: 'object' } }],
      'Act done': [{ ...act, inputSchema: { ...act.inputSchema }, description: 'The same, listed anew.' }],
    };
    for (const [expected, later] of Object.entries(others)) {
      let now: readonly ToolDefinition[] = [act];
      const tools = new AgentTools(() => ({ tools: now, deferred: [], companions: [], skills: [] }), assert.fail);
      const gate = async (): Promise<GateAnswer> => {
        now = later;
        return { allowed: true, realPaths: [] };
      };
      const [result] = await run([call('1', 'Act')], [], { tools, gate });
      assert.ok(text(result).includes(expected), text(result));
      assert.equal(result?.isError, expected !== 'Act done');
    }
  });

  it('gives a call whose arguments are too deep to be checked its error', async () => {
    const deep = `{"n":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const [result] = await run([call('1', 'Ok', deep)], [tool('Ok')]);
    assert.equal(result?.isError, true);
  });

  it('gives every call one result, in order, whatever is wrong with it', async () => {
    const throwing = tool('Throws', { execute: () => Promise.reject(new AppError('conflict', 'Read it again.')) });
    const calls = [call('1', 'Ok'), call('2', 'Unknown'), call('3', 'Ok', '{"n":'), call('4', 'Ok', '{"n":"x"}'), call('5', 'Throws'), call('6', 'Ok', '')];
    const results = await run(calls, [tool('Ok'), throwing]);
    assert.deepEqual(results.map(({ callId, isError }) => [callId, isError]), [['1', false], ['2', true], ['3', true], ['4', true], ['5', true], ['6', false]]);
    assert.match(text(results[1]), /no tool named Unknown.*Ok, Throws/);
    assert.match(text(results[4]), /Read it again/);
  });

  it('runs neighbouring reads side by side, and everything else alone and in order', async () => {
    const order: string[] = [];
    const both = deferred<void>();
    let reading = 0;
    const read = tool('Read', {
      isReadOnly: true,
      execute: async () => {
        reading += 1;
        if (reading === 2) both.resolve();
        await both.promise;
        order.push('read');
        return { content: [] };
      },
    });
    const write = tool('Write', { execute: async () => (order.push('write'), { content: [] }) });
    await run([call('1', 'Read'), call('2', 'Read'), call('3', 'Write'), call('4', 'Write')], [read, write]);
    assert.deepEqual(order, ['read', 'read', 'write', 'write']);
  });

  it('executes nothing that the gate denies, and passes its words on', async () => {
    const never = tool('Write', { execute: () => assert.fail('it ran') });
    const [result] = await run([call('1', 'Write')], [never], { gate: async () => ({ allowed: false, message: 'Not that file.', action: 'x' }) });
    assert.equal(text(result), 'Not that file.');
    assert.equal(result?.isError, true);
    assert.equal(result?.isDenied, true);
    assert.equal(recorder.of('tool.ended').at(-1)?.isDenied, true);
  });

  it('judges the very input that then runs, and no one can change it in between', async () => {
    let judged: unknown;
    let executed: unknown;
    const spy = tool('Spy', { execute: async (input) => ((executed = input), { content: [] }) });
    await run([call('1', 'Spy', '{"n":1}')], [spy], { gate: async ({ input }) => ((judged = input), { allowed: true, realPaths: [] }) });
    assert.equal(judged, executed);
    assert.ok(Object.isFrozen(judged));
  });

  it('ends a batch of three when it is cancelled in the middle: done, cancelled, not run', async () => {
    const abort = new AbortController();
    const slow = tool('Slow', {
      execute: async (_, { signal }) => {
        abort.abort();
        signal.throwIfAborted();
        return { content: [] };
      },
    });
    const results = await run([call('1', 'Ok'), call('2', 'Slow'), call('3', 'Ok')], [tool('Ok'), slow], { clock: clockOf(abort.signal) });
    assert.deepEqual(results.map(({ callId, isError }) => [callId, isError]), [['1', false], ['2', true], ['3', true]]);
    assert.match(text(results[1]), /Cancelled/);
    assert.match(text(results[2]), /Cancelled before it ran/);
  });

  it("counts no person's time into what a call took, and no time for one that never ran", async () => {
    const waits = deferred<GateAnswer>();
    let isDone = false;
    const running = run([call('1', 'A')], [tool('A')], { gate: () => waits.promise }).finally(() => (isDone = true));
    // The person takes at least as long as this, by the very clock that would count it.
    const from = performance.now();
    while (performance.now() - from < 30) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    const allowed = performance.now();
    waits.resolve({ allowed: true, realPaths: [] });
    const [result] = await running;
    assert.ok((result?.durationMs ?? Infinity) <= performance.now() - allowed + 1);
    const [denied] = await run([call('1', 'A')], [tool('A')], { gate: async () => ({ allowed: false, message: 'no', action: 'x' }) });
    assert.equal(denied !== undefined && 'durationMs' in denied, false);
  });

  it('says that a call did not run which was still being judged when it had to stop', async () => {
    const [clock, stop] = [new ManualClock(), new AbortController()];
    const judging = deferred<void>();
    const gate = (): Promise<never> => {
      judging.resolve();
      return new Promise(() => undefined);
    };
    const running = run([call('1', 'Stuck')], [tool('Stuck')], { gate, clock: new RunClock(timingOf({ clock }), stop.signal) });
    await judging.promise;
    stop.abort();
    const [result] = await runThrough(clock, running);
    assert.deepEqual([text(result), result?.isError], ['Cancelled before it ran.', true]);
  });

  it('is not upset by a tool that cannot describe its call', async () => {
    const [result] = await run([call('1', 'Odd')], [tool('Odd', { describe: () => assert.fail('defect') })]);
    assert.equal(result?.isError, false);
  });

  it('refuses a path that was not judged', async () => {
    await writeFile(join(folder.path, 'other.txt'), '');
    const reader = tool('Reader', { execute: async (_, context) => ({ content: [{ type: 'text', text: await context.resolvePath('other.txt', 'read') }] }) });
    const [result] = await run([call('1', 'Reader')], [reader]);
    assert.equal(result?.isError, true);
    assert.doesNotMatch(text(result), /^\//);
  });

  it('tells what each call does, and how it ended, with absolute paths', async () => {
    const events = new EventRecorder();
    const reader = tool('Reader', { describe: () => 'Reading a.ts', targets: () => [{ kind: 'path', access: 'read', path: 'a.ts' }] });
    await run([call('1', 'Reader')], [reader], { publish: events.publish });
    assert.deepEqual(events.events.map(({ type }) => type), ['tool.called', 'tool.ended']);
    assert.deepEqual(events.of('tool.called')[0]?.paths, [join(folder.path, 'a.ts')]);
  });
});
