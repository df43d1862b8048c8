import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { isRoot, promptOf, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { ManualClock, runThrough } from '../../support/manualClock.ts';

/** Files that hang as on a dead network drive, whatever is aborted. */
describe('a tool call that does not hear that it is to stop', () => {
  let fixture: AgentFixture;
  const hung = deferred<never>();
  void hung.promise.catch(() => undefined);
  afterEach(() => fixture.end());

  async function start(): Promise<ManualClock> {
    const clock = new ManualClock();
    const reached = deferred<void>();
    const hang = (): Promise<never> => {
      reached.resolve();
      return hung.promise;
    };
    fixture = await startAgent((request) => (isRoot(request) || promptOf(request) === 'B' ? { text: 'Done.' } : { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }), {
      workspace: { 'a.txt': 'a' },
      files: { ...createNodeFiles(), read: hang },
      timing: { clock },
      maxParallelSubagents: 1,
    });
    await (await fixture.agent.openSession()).delegate(['A', 'B'].map((name) => ({ display_name: name, prompt: name })));
    await reached.promise;
    return clock;
  }
  const statuses = (): unknown => fixture.agent.groups()[0]?.children.map(({ status }) => status);

  for (const [how, ends, grace] of [['suspend', 'interrupted', 2000], ['close', 'cancelled', 10_000], ['cancelAll', 'cancelled', 10_000]] as const) {
    it(`holds ${how} for its grace only, and the conversation says that its end is not known`, async () => {
      const clock = await start();
      await runThrough(clock, fixture.agent[how]());
      assert.equal(clock.now(), grace);
      assert.deepEqual(statuses(), [ends, ends]);
      const entries = await fixture.agent.transcript(fixture.agent.groups()[0]?.children[0]?.agentId ?? '');
      const results = entries.flatMap((entry) => (entry.type === 'message' && entry.message.role === 'tool' ? entry.message.results : []));
      assert.match(results.map(({ content }) => textOf(content)).join(), /did not stop when told to: what became of it is not known/);
    });
  }

  it('frees its slot for the others', async () => {
    const clock = await start();
    const [child] = fixture.agent.groups()[0]?.children ?? [];
    await runThrough(clock, fixture.agent.cancelChild(child?.agentId ?? ''));
    await fixture.recorder.until('group.settled');
    assert.deepEqual(statuses(), ['cancelled', 'completed']);
  });
});
