import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RunClock } from '../../../src/runtime/agent/runClock.ts';
import { runToolPhase, type ToolPhaseOptions } from '../../../src/runtime/agent/toolPhase.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { ToolContext, ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createReadLedger } from '../../../src/runtime/store/readLedger.ts';
import { isStoredEvent } from '../../../src/runtime/store/storedEvent.ts';
import { EventRecorder } from '../../support/events.ts';
import { fixedTools } from '../../support/fixedTools.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { clockOf, timingOf } from '../../support/timing.ts';

const changer = (execute: (context: ToolContext) => Promise<unknown>): ToolDefinition => ({
  name: 'Changer',
  description: '',
  inputSchema: { type: 'object' },
  isReadOnly: false,
  describe: () => 'Changing',
  targets: () => [],
  execute: async (_input, context) => (await execute(context)) as never,
});
const keep: ToolContext['keep'] = async (content) => (content === undefined ? { kind: 'absent' } : { kind: 'kept', hash: Buffer.from(content).toString() });

/** One call of the tool, and all that is told of it. */
async function run(execute: (context: ToolContext) => Promise<unknown>, more: Partial<ToolPhaseOptions> = { keep }): Promise<EventRecorder> {
  const events = new EventRecorder();
  const [result] = await runToolPhase([{ type: 'tool_call', id: 'c1', name: 'Changer', arguments: '{}' }], {
    agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'a', displayName: 'A' },
    tools: fixedTools([changer(execute)]),
    gate: async () => ({ allowed: true, realPaths: [] }),
    layers: () => [],
    scope: { cwd: '/w', roots: ['/w'], ownFolders: [] },
    files: createNodeFiles(),
    reads: createReadLedger(),
    spill: async () => '/kept',
    publish: events.publish,
    noteProcess: () => ({ dispose() {} }),
    clock: clockOf(),
    ...more,
  });
  assert.ok(result);
  return events;
}

const done = { content: [{ type: 'text', text: 'done' }] };

describe('changes of files that a call makes', () => {
  it('are told right when they are made, with what stood there', async () => {
    const seen: unknown[] = [];
    let told = 0;
    await run(async (context) => {
      const [before, after] = [await context.keep(undefined), await context.keep(Buffer.from('new'))];
      context.changed({ path: '/w/a', kind: 'created', before, after });
      told = seen.length;
      return done;
    }, { keep, publish: (event) => void (event.type === 'files.changed' && seen.push(event)) });
    assert.equal(told, 1);
    assert.deepEqual(seen, [{ type: 'files.changed', agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'a', displayName: 'A' }, callId: 'c1', changes: [{ path: '/w/a', kind: 'created', before: { kind: 'absent' }, after: { kind: 'kept', hash: 'new' } }] }]);
  });

  it('are told of a call that fails after it, and of one that is given up and comes through after all', async () => {
    const failed = await run(async (context) => {
      context.changed({ path: '/w/a', kind: 'edited' });
      throw new Error('Too late.');
    });
    assert.deepEqual(failed.events.map(({ type }) => type), ['tool.called', 'files.changed', 'tool.ended']);

    const [clock, stop, started, written] = [new ManualClock(), new AbortController(), deferred<void>(), deferred<void>()];
    const events = new EventRecorder();
    const running = run(async (context) => {
      started.resolve();
      await written.promise;
      context.changed({ path: '/w/a', kind: 'edited' });
      return done;
    }, { keep, publish: events.publish, clock: new RunClock(timingOf({ clock }), stop.signal) });
    await started.promise;
    stop.abort();
    await runThrough(clock, running);
    written.resolve();
    await events.until('files.changed');
    assert.deepEqual(events.events.map(({ type }) => type), ['tool.called', 'tool.ended', 'files.changed']);
  });

  it('are told without contents where nothing is kept', async () => {
    const events = await run(async (context) => {
      const before = await context.keep(Buffer.from('old'));
      assert.equal(before.kind, 'unknown');
      context.changed({ path: '/w/a', kind: 'edited', before, after: before });
      return { ...done, changes: [{ path: '/w/b', kind: 'deleted', before }] };
    }, {});
    assert.deepEqual(events.of('files.changed').map(({ changes }) => changes), [[{ path: '/w/a', kind: 'edited' }], [{ path: '/w/b', kind: 'deleted' }]]);
  });

  it('are told as far as they can be read, whatever a tool says', async () => {
    const odd: readonly unknown[] = [
      null, 'all', {}, { path: 5, kind: 'edited' }, { path: '/w/a', kind: 'moved' },
      { path: '/w/a', kind: 'edited', before: 'old', after: { kind: 'kept' }, unsure: 5, more: 1 },
      { path: '/w/b', kind: 'deleted', before: { kind: 'unknown', why: 'Because.', more: 1 }, after: { kind: 'absent' }, unsure: 'Perhaps.' },
    ];
    const right = [{ path: '/w/a', kind: 'edited' }, { path: '/w/b', kind: 'deleted', before: { kind: 'unknown', why: 'Because.' }, after: { kind: 'absent' }, unsure: 'Perhaps.' }];
    const events = await run(async (context) => {
      for (const each of odd) context.changed(each as never);
      return { ...done, changes: odd };
    });
    const told = events.of('files.changed');
    assert.deepEqual(told.map(({ changes }) => changes), [...right.map((each) => [each]), right]);
    assert.ok(told.every((event) => isStoredEvent(JSON.parse(JSON.stringify(event)))));
  });
});
