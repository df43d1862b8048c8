import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AgentTools } from '../../../src/runtime/agent/agentTools.ts';
import { RunClock } from '../../../src/runtime/agent/runClock.ts';
import { runToolPhase } from '../../../src/runtime/agent/toolPhase.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { EventOf } from '../../../src/runtime/domain/events.ts';
import { textOf, type ToolCallPart } from '../../../src/runtime/domain/messages.ts';
import type { ToolDefinition, ToolResult } from '../../../src/runtime/domain/tools.ts';
import { createGate } from '../../../src/runtime/permissions/gate.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { createReadLedger } from '../../../src/runtime/store/readLedger.ts';
import { isStoredEvent } from '../../../src/runtime/store/storedEvent.ts';
import { EventRecorder } from '../../support/events.ts';
import { fixedTools } from '../../support/fixedTools.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';
import { WatchedQueue } from '../../support/permissionsCalls.ts';
import { clockOf, timingOf } from '../../support/timing.ts';

/** A tool of anybody's, of which parts may be of any kind. */
function foreign(parts: Readonly<Record<string, unknown>>, name = 'Foreign'): ToolDefinition {
  const right: ToolDefinition = {
    name,
    description: '',
    inputSchema: { type: 'object' },
    isReadOnly: false,
    describe: () => 'Working',
    targets: () => [],
    execute: async () => ({ content: [{ type: 'text', text: 'done' }] }),
  };
  return { ...right, ...parts };
}
const throws = (error: unknown) => (): never => {
  throw error;
};

interface PhaseOutcome {
  readonly text: string;
  readonly isError: boolean;
  readonly isDenied: boolean;
  readonly events: EventRecorder;
}

interface CallOptions {
  readonly args?: string;
  readonly clock?: RunClock;
  /** True for a tool that waits to be found. */
  readonly waits?: boolean;
}

/** One call behind the real gate with everything allowed, and a right one before and after it. */
async function call(tool: ToolDefinition, { args = '{}', clock = clockOf(), waits = false }: CallOptions = {}): Promise<PhaseOutcome> {
  const events = new EventRecorder();
  const right = foreign({}, 'Right');
  const calls = ['1', '2', '3'].map((id): ToolCallPart => ({ type: 'tool_call', id, name: id === '2' ? tool.name : 'Right', arguments: args }));
  const results = await runToolPhase(calls, {
    agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'a', displayName: 'A' },
    tools: waits ? new AgentTools(() => ({ tools: [right], deferred: [tool], companions: [], skills: [] }), assert.fail) : fixedTools([tool, right]),
    gate: createGate(new WatchedQueue()),
    layers: () => [{ name: 'user', lists: { allow: ['*'] } }],
    scope: { cwd: '/w', roots: ['/w'], ownFolders: [] },
    files: createNodeFiles(),
    reads: createReadLedger(),
    spill: async () => '/kept',
    publish: events.publish,
    noteProcess: () => ({ dispose() {} }),
    clock,
  });
  assert.deepEqual(results.map(({ callId }) => callId), ['1', '2', '3'], 'exactly one result each, in order');
  assert.doesNotThrow(() => JSON.stringify(results));
  assert.ok(results.every(({ content }) => content.every((part) => part.type !== 'text' || part.text.trim() !== '')), 'no empty text');
  for (const event of JSON.parse(JSON.stringify(events.events)) as unknown[]) assert.ok(isStoredEvent(event), `can be read back: ${JSON.stringify(event)}`);
  const [, result] = results;
  assert.ok(result);
  return { text: textOf(result.content), isError: result.isError, isDenied: result.isDenied === true, events };
}
const called = ({ events }: PhaseOutcome): EventOf<'tool.called'> | undefined => events.of('tool.called').find(({ tool }) => tool === 'Foreign');

describe('a tool from elsewhere', () => {
  for (const [what, error, words] of [
    ['an error', new Error('No disk.'), /^No disk\.$/],
    ['an error without words', new Error(''), /did not say why/],
    ['an error whose words are none', Object.assign(new Error('x'), { message: { code: 5 } }), /object Object/],
    ['nothing', undefined, /^undefined$/],
    ['an object without a prototype', Object.create(null), /no error/],
    ['what looks like an abort', Object.assign(new Error('The request timed out.'), { name: 'AbortError' }), /^The request timed out\.$/],
    ['a very long error', new Error('x'.repeat(500_000)), /^x+\n\[… \d+ characters left out here/],
  ] as const) {
    it(`that throws ${what} has a result that says so, at once or later`, async () => {
      for (const execute of [throws(error), () => Promise.reject(error as Error)]) {
        const outcome = await call(foreign({ execute }));
        assert.ok(outcome.isError && words.test(outcome.text), outcome.text.slice(0, 200));
      }
    });
  }

  for (const [what, given] of [
    ['nothing', undefined],
    ['a text', 'done'],
    ['no list of content', { content: 'done' }],
    ['a result whose fields throw', { get content(): never { throw new Error('no'); } }],
  ] as const) {
    it(`that gives back ${what} has a result that says so`, async () => {
      assert.ok((await call(foreign({ execute: () => given }))).isError);
      assert.ok((await call(foreign({ execute: async () => given }))).isError);
    });
  }

  it('that gives back parts of any kind has a result with those that are right', async () => {
    const outcome = await call(foreign({ execute: async () => ({ content: [{ type: 'text', text: 'seen' }, { type: 'text' }, null, { type: 'image', data: '?' }], changes: [{ path: 7 }] }) }));
    assert.match(outcome.text, /^seen\[2 parts .*\]\[1 image .*\]$/);
    assert.ok(!outcome.isError);
    assert.deepEqual(outcome.events.of('files.changed'), []);
  });

  it('that gives back more than the limit has it cut, with a pointer', async () => {
    assert.match((await call(foreign({ execute: async () => ({ content: [{ type: 'text', text: 'x'.repeat(300_000) }] }) }))).text, /left out here. All of the output is in \/kept/);
  });

  for (const describe of [throws(new Error('defect')), () => undefined, () => ({}), () => 5]) {
    it(`whose description of a call is ${String(describe)} runs all the same, and the defect is told`, async () => {
      const outcome = await call(foreign({ describe }));
      assert.equal(outcome.text, 'done');
      assert.equal(called(outcome)?.activity, 'Foreign');
      assert.equal(outcome.events.of('problem').length, 1);
    });
  }

  it('is described by one bounded line', async () => {
    const outcome = await call(foreign({ describe: () => `First\nsecond ${'x'.repeat(10_000)}` }));
    assert.match(called(outcome)?.activity ?? '', /^First second x{1,200}…$/);
    assert.equal(called(await call(foreign({ describe: () => '\n' })))?.activity, 'Foreign');
  });

  for (const targets of [throws(new Error('defect')), () => undefined, () => [null], () => [{ kind: 'path', access: 'read' }], () => [{ kind: 'elsewhere' }], () => [{ kind: 'command' }], () => 'all']) {
    it(`that says of what it touches ${String(targets)} does not run, whatever is allowed`, async () => {
      const outcome = await call(foreign({ targets, execute: () => assert.fail('it ran') }));
      assert.ok(outcome.isError && outcome.isDenied, outcome.text);
    });
  }

  it('that would change its input can not', async () => {
    const outcome = await call(foreign({ execute: async (input: { list: number[] }) => (input.list.push(1), { content: [] }) }), { args: '{"list":[]}' });
    assert.ok(outcome.isError);
  });

  it('that never ends has a result when its time is over, and is given up when it does not stop', async () => {
    const clock = new ManualClock();
    const never = deferred<ToolResult>();
    const outcome = await runThrough(clock, call(foreign({ execute: () => never.promise }), { clock: new RunClock(timingOf({ clock, limits: { toolMs: 1000, toolIdleMs: 0 } }), new AbortController().signal) }));
    assert.ok(outcome.isError);
    assert.match(outcome.text, /took longer than 1 second.*did not stop when told to/);
    never.reject(new Error('Nobody waits any more.'));
    await never.promise.catch(() => undefined);
  });

  it('that tells its progress in anything is heard as text', async () => {
    const execute = async (_: unknown, context: { progress(text: unknown): void }): Promise<ToolResult> => {
      for (const said of [undefined, 5, 'half']) context.progress(said);
      return { content: [] };
    };
    const outcome = await call(foreign({ execute }));
    assert.deepEqual(outcome.events.of('tool.progress').map(({ text }) => text), ['undefined', '5', 'half']);
  });

  it('that waits to be found and is called all the same is answered with how to find it', async () => {
    const outcome = await call(foreign({ execute: () => assert.fail('it ran') }), { waits: true });
    assert.ok(outcome.isError);
    assert.match(outcome.text, /select:Foreign/);
  });
});

describe('what a model is told of tools from elsewhere', () => {
  function told(parts: Readonly<Record<string, unknown>>): { readonly schemas: ReturnType<AgentTools['schemas']>; readonly problems: readonly string[] } {
    const problems: string[] = [];
    const tools = [foreign(parts)];
    const agent = new AgentTools(() => ({ tools, deferred: [], companions: [], skills: [] }), (problem) => problems.push(problem));
    agent.schemas();
    return { schemas: agent.schemas(), problems };
  }

  it('is their description for this agent, or the general one', () => {
    assert.equal(told({ description: 'general', descriptionFor: () => 'own' }).schemas[0]?.description, 'own');
    assert.equal(told({ description: 'general', descriptionFor: () => undefined }).schemas[0]?.description, 'general');
  });

  for (const descriptionFor of [throws(new Error('defect')), () => 5, () => ({})]) {
    it(`is the general one where the other is ${String(descriptionFor)}, which is told once`, () => {
      const { schemas, problems } = told({ description: 'general', descriptionFor });
      assert.equal(schemas[0]?.description, 'general');
      assert.equal(problems.length, 1);
    });
  }

  it('is the schema that it gives for the moment, or the one that calls are checked against', () => {
    const [inputSchema, own] = [{ type: 'object', title: 'checked' }, { type: 'object', title: 'told' }];
    assert.deepEqual(told({ inputSchema, schemaFor: () => own }).schemas[0]?.inputSchema, own);
    for (const schemaFor of [throws(new Error('defect')), () => ({ type: 'string' }), () => undefined]) assert.deepEqual(told({ inputSchema, schemaFor }).schemas[0]?.inputSchema, inputSchema);
    assert.equal(told({ inputSchema, schemaFor: throws(new Error('defect')) }).problems.length, 1);
  });

  it('is no description where there is none, and an object without fields where the schema is none', () => {
    assert.deepEqual(told({ description: undefined }).schemas[0]?.description, '');
    for (const inputSchema of [undefined, null, {}, { type: 'string' }, 'object']) {
      const { schemas, problems } = told({ inputSchema });
      assert.deepEqual(schemas[0]?.inputSchema, { type: 'object' });
      assert.equal(problems.length, 1);
    }
  });
});
