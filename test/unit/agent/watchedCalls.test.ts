import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AgentTools } from '../../../src/runtime/agent/agentTools.ts';
import { RunClock } from '../../../src/runtime/agent/runClock.ts';
import { runToolPhase, type ToolPhaseOptions } from '../../../src/runtime/agent/toolPhase.ts';
import type { CallWatch } from '../../../src/runtime/agent/watchedCall.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { ToolResultPart } from '../../../src/runtime/domain/messages.ts';
import type { FileChange, ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createReadLedger } from '../../../src/runtime/store/readLedger.ts';
import { noBackground } from '../../../src/runtime/tools/noBackground.ts';
import { EventRecorder } from '../../support/events.ts';
import { fixedTools } from '../../support/fixedTools.ts';
import { ManualClock, quiet } from '../../support/manualClock.ts';
import { clockOf, timingOf } from '../../support/timing.ts';

const EDITED: FileChange = { path: '/w/a', kind: 'edited', before: { kind: 'absent' }, after: { kind: 'kept', hash: 'h' } };

/** Notes in order what happens, and tells of one change for each call. */
class FakeWatch implements CallWatch {
  readonly files = createNodeFiles();
  readonly happened: string[] = [];
  unseen: string | undefined;
  readonly #begins: Promise<void>;
  readonly #ends: Promise<void>;

  constructor(begins = Promise.resolve(), ends = Promise.resolve()) {
    this.#begins = begins;
    this.#ends = ends;
  }

  async begin(folders: readonly string[]): ReturnType<CallWatch['begin']> {
    this.happened.push(`begin ${folders.join(' ')}`);
    await this.#begins;
    return {
      end: async () => {
        this.happened.push('end');
        await this.#ends;
        return { changes: [EDITED], ...(this.unseen !== undefined && { unseen: this.unseen }) };
      },
    };
  }

  tellUnseen(sentence: string): void {
    this.happened.push(sentence);
  }
}

describe('a call that may change files', () => {
  function setUp(watch: FakeWatch, more: Partial<ToolDefinition> = {}, options: Partial<ToolPhaseOptions> = {}): { readonly recorder: EventRecorder; readonly run: () => Promise<ToolResultPart[]> } {
    const recorder = new EventRecorder();
    const act: ToolDefinition = {
      name: 'Act',
      description: '',
      inputSchema: { type: 'object' },
      isReadOnly: false,
      describe: () => 'Acting',
      targets: () => [],
      execute: async () => (watch.happened.push('run'), { content: [] }),
      ...more,
    };
    return {
      recorder,
      run: () =>
        runToolPhase([{ type: 'tool_call', id: '1', name: 'Act', arguments: '{}' }], {
          agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'c', displayName: 'C' },
          tools: fixedTools([act]),
          gate: async () => ({ allowed: true, realPaths: [] }),
          layers: () => [],
          scope: { cwd: '/w/in', roots: ['/w'], ownFolders: [] },
          files: createNodeFiles(),
          reads: createReadLedger(),
          watch,
          spill: async () => '',
          publish: recorder.publish,
          noteProcess: () => ({ dispose() {} }),
          clock: clockOf(),
          ...options,
        }),
    };
  }

  it('is run between two looks at its folders, and what changed is told before its end', async () => {
    const watch = new FakeWatch();
    const { recorder, run } = setUp(watch);
    await run();
    assert.deepEqual(watch.happened, ['begin /w /w/in', 'run', 'end']);
    assert.deepEqual(recorder.events.map(({ type }) => type), ['tool.called', 'files.changed', 'tool.ended']);
    assert.deepEqual(recorder.of('files.changed')[0]?.changes, [EDITED]);
  });

  it('is not watched where it only reads, acts on the run, says itself what it changes, or is denied', async () => {
    const cases: readonly (readonly [Partial<ToolDefinition>, Partial<ToolPhaseOptions>])[] = [
      [{ isReadOnly: true }, {}],
      [{ actsOnRun: true }, {}],
      [{ reportsChanges: true }, {}],
      [{}, { gate: async () => ({ allowed: true, realPaths: [], onlyReads: true }) }],
      [{}, { gate: async () => ({ allowed: false, message: 'No.', action: 'x' }) }],
    ];
    for (const [tool, options] of cases) {
      const watch = new FakeWatch();
      await setUp(watch, tool, options).run();
      assert.deepEqual(watch.happened.filter((each) => each !== 'run'), []);
    }
  });

  it('has its changes told where it fails, and what is not known', async () => {
    const watch = new FakeWatch();
    watch.unseen = 'Nobody knows.';
    const { recorder, run } = setUp(watch, { execute: () => Promise.reject(new AppError('unavailable', 'Broken.')) });
    const [result] = await run();
    assert.equal(result?.isError, true);
    assert.deepEqual(watch.happened, ['begin /w /w/in', 'end', 'Nobody knows.']);
    assert.equal(recorder.of('files.changed').length, 1);
  });

  it('has its changes told where it is cancelled while it runs', async () => {
    const watch = new FakeWatch();
    const stop = new AbortController();
    const { recorder, run } = setUp(watch, { execute: async () => (stop.abort(), Promise.reject(new AppError('aborted', 'Cancelled.'))) }, { clock: clockOf(stop.signal) });
    const [result] = await run();
    assert.equal(result?.isError, true);
    assert.equal(recorder.of('files.changed').length, 1);
  });

  it('never runs where it is cancelled during the first look, for which nobody waits', async () => {
    const looked = deferred<void>();
    const watch = new FakeWatch(looked.promise);
    const stop = new AbortController();
    const { recorder, run } = setUp(watch, { execute: () => assert.fail('it ran') }, { clock: clockOf(stop.signal) });
    const running = run();
    while (watch.happened.length === 0) await quiet();
    stop.abort();
    const [result] = await running;
    assert.equal(result?.isError, true);
    assert.equal(recorder.of('files.changed').length, 0);
    looked.resolve();
    while (!watch.happened.includes('end')) await quiet();
  });

  it('never runs where its tool is gone after the first look', async () => {
    const watch = new FakeWatch();
    const act: ToolDefinition = { name: 'Act', description: '', inputSchema: { type: 'object' }, isReadOnly: false, describe: () => 'Acting', targets: () => [], execute: () => assert.fail('it ran') };
    const tools = new AgentTools(() => ({ tools: watch.happened.length === 0 ? [act] : [], deferred: [], companions: [], skills: [] }), assert.fail);
    const [result] = await setUp(watch, {}, { tools }).run();
    assert.equal(result?.isError, true);
    assert.deepEqual(watch.happened, ['begin /w /w/in', 'end']);
  });

  it('has files of its own only where it is watched', async () => {
    for (const [reportsChanges, expected] of [[false, true], [true, false]] as const) {
      const watch = new FakeWatch();
      let isOwn: boolean | undefined;
      await setUp(watch, { reportsChanges, execute: async (_input, { files }) => ((isOwn = files === watch.files), { content: [] }) }).run();
      assert.equal(isOwn, expected);
    }
  });

  it('is told once where the tool names the same files', async () => {
    const watch = new FakeWatch();
    const own: readonly FileChange[] = [{ path: '/w/a', kind: 'edited' }, { path: '/elsewhere/b', kind: 'created' }];
    const { recorder, run } = setUp(watch, { execute: async () => ({ content: [], changes: own }) });
    await run();
    assert.deepEqual(recorder.of('files.changed').flatMap(({ changes }) => changes), [EDITED, own[1]]);
  });

  it('tells of a command that runs on that nobody sees what it changes, and of nothing where none was started', async () => {
    const watch = new FakeWatch();
    const background = { ...noBackground(), start: async ({ command }: { readonly command: string }) => ({ id: 'b', command, status: 'running', startedAt: 0 }) as const };
    const start = { command: 'c', cwd: '/', env: {} };
    const { run } = setUp(watch, {
      async execute(_, context) {
        await context.background.start(start);
        return { content: [] };
      },
    }, { background });
    await run();
    assert.match(watch.happened.join('; '), /^begin [^;]*; [^;]*aren't attributed[^;]*; end$/);

    const refused = new FakeWatch();
    await setUp(refused, { execute: async (_, context) => context.background.start(start).then(() => ({ content: [] })) }).run();
    assert.ok(!refused.happened.some((each) => each.includes('attributed')));
  });

  it('is not limited in the time of the looks, only in its own', async () => {
    const manual = new ManualClock();
    const [begins, ends] = [deferred<void>(), deferred<void>()];
    const watch = new FakeWatch(begins.promise, ends.promise);
    const clock = new RunClock(timingOf({ clock: manual, limits: { toolMs: 1000 } }), new AbortController().signal);
    const { run } = setUp(watch, {}, { clock });
    const running = run();
    while (watch.happened.length === 0) await quiet();
    manual.advance(5000);
    begins.resolve();
    while (!watch.happened.includes('end')) await quiet();
    manual.advance(5000);
    ends.resolve();
    assert.equal((await running)[0]?.isError, false);
    clock.dispose();
  });

  it('does not hold a run that was ended while the second look hangs', async () => {
    const manual = new ManualClock();
    const watch = new FakeWatch(Promise.resolve(), new Promise(() => {}));
    const stop = new AbortController();
    const clock = new RunClock(timingOf({ clock: manual }), stop.signal);
    const { run } = setUp(watch, {}, { clock });
    const running = run();
    while (!watch.happened.includes('end')) await quiet();
    stop.abort();
    await quiet();
    manual.advance(10_000);
    assert.equal((await running)[0]?.isError, false);
    assert.match(watch.happened.at(-1) ?? '', /is not known/);
    clock.dispose();
  });
});
