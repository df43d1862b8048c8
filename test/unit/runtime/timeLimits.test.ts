import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { childTiming, createTiming } from '../../../src/runtime/agent/timing.ts';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import type { TimeLimits } from '../../../src/runtime/domain/liteAgent.ts';
import { createOfflineProvider } from '../../../src/runtime/providers/offline/client.ts';
import { createLiteAgent } from '../../../src/runtime/runtime.ts';
import { delegating, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { eventually } from '../../support/toolContext.ts';

const bash = (command: string) => ({ text: 'Half way.', calls: [{ name: 'Bash', input: { command } }] });

describe('time limits of children', () => {
  let fixture: AgentFixture;
  let clock: ManualClock;
  afterEach(() => fixture.end());

  async function start(script: Parameters<typeof startAgent>[0], options: AgentFixtureOptions): Promise<void> {
    clock = new ManualClock();
    fixture = await startAgent(script, { permissions: { user: { allow: ['Bash'] } }, timing: { clock }, ...options });
    const session = await fixture.agent.openSession();
    await session.send('go');
  }

  async function settled(): Promise<ChildView> {
    await fixture.recorder.until('child.settled');
    return fixture.agent.groups()[0]?.children[0] ?? assert.fail('no child');
  }

  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  /** The process that the command told of. */
  const pidOf = async (): Promise<number> => Number((await fixture.recorder.until('tool.progress', ({ text }) => /pid \d+/.test(text))).text.match(/pid (\d+)/)?.[1]);

  it('end a call that is wedged, its processes and the run, as timeout with partial text (case 67)', async () => {
    await start(delegating({ A: [bash('sh wedged.sh')] }), { timeLimits: { toolMs: 30_000 }, workspace: { 'wedged.sh': 'echo "pid $$"; exec sleep 600' } });
    const pid = await pidOf();
    assert.ok(isAlive(pid));
    clock.advance(30_000);
    const { outcome } = await settled();
    assert.ok(outcome?.status === 'failed');
    assert.deepEqual([outcome.reason, outcome.partialText], ['timeout', 'Half way.']);
    assert.match(outcome.message, /Bash.*30 seconds/);
    assert.equal(isAlive(pid), false);
    assert.equal(clock.pending, 0);
  });

  it('leave a long build alone that prints, and end it when it falls silent (case 67)', async () => {
    await start(delegating({ A: [bash('sh build.sh')] }), { timeLimits: { toolIdleMs: 60_000 }, workspace: { steps: '', 'build.sh': 'exec tail -f steps' } });
    for (let step = 1; step <= 5; step += 1) {
      await writeFile(join(fixture.cwd, 'steps'), `step ${step}\n`, { flag: 'a' });
      await fixture.recorder.until('tool.progress', ({ text }) => text.includes(`step ${step}`));
      clock.advance(50_000);
    }
    assert.equal(fixture.recorder.of('child.settled').length, 0);
    clock.advance(10_000);
    const { outcome } = await settled();
    assert.match(outcome?.status === 'failed' ? outcome.message : '', /Bash.*silent.*1 minute/);
  });

  it('stand still while a person is asked', async () => {
    clock = new ManualClock();
    fixture = await startAgent(delegating({ A: [bash('touch x'), { text: 'Done.' }] }), { timing: { clock }, timeLimits: { maxDurationMs: 60_000, toolMs: 60_000, toolIdleMs: 60_000 } });
    fixture.agent.approvals.attach();
    const session = await fixture.agent.openSession();
    await session.send('go');
    const { request } = await fixture.recorder.until('approval.wanted');
    clock.advance(3_600_000);
    await fixture.agent.approvals.decide(request.id, { kind: 'allow_once' });
    assert.deepEqual((await settled()).outcome, { status: 'completed', text: 'Done.' });
  });

  it('come from the definition before they come from the options', () => {
    const limitOf = (options: TimeLimits, definition: Partial<AgentDefinition>): number =>
      childTiming(createTiming(() => undefined, () => options), { name: 'x', description: '', prompt: '', tools: 'inherit', disallowedTools: [], delegable: true, source: 'user', ...definition }).limits.maxDurationMs;
    assert.equal(limitOf({}, {}), 0);
    assert.equal(limitOf({ maxDurationMs: 5 }, {}), 5);
    assert.equal(limitOf({ maxDurationMs: 5 }, { maxDurationMs: 7 }), 7);
    assert.equal(limitOf({ maxDurationMs: 5 }, { maxDurationMs: 0 }), 0);
  });

  it('do not hold for the root, but its silent model is asked again', async () => {
    clock = new ManualClock();
    let tries = 0;
    fixture = await startAgent(() => (tries++ === 0 ? { wait: new Promise(() => undefined) } : { text: 'Here I am.' }), {
      timing: { clock, retry: { random: () => 0 } },
      timeLimits: { maxDurationMs: 1000, toolMs: 1000, toolIdleMs: 1000, streamIdleMs: 60_000 },
    });
    const session = await fixture.agent.openSession();
    const answer = session.send('go');
    await eventually(() => fixture.model.requests.length === 1, 'the first try');
    clock.advance(60_000);
    const { until } = await fixture.recorder.until('retry.scheduled', ({ failure }) => failure === 'timeout');
    clock.advance(until - clock.now());
    assert.deepEqual(await answer, { status: 'completed', text: 'Here I am.' });
    assert.equal(clock.pending, 0);
  });

  it('are refused where they make no sense', async () => {
    fixture = await startAgent([]);
    for (const limit of [NaN, -1, Infinity]) assert.throws(() => fixture.agent.configure({ timeLimits: { toolMs: limit } }), { reason: 'invalid_input', message: /toolMs/ });
    await assert.rejects(createLiteAgent({ cwd: '/', storageDir: '/', provider: createOfflineProvider(), model: { provider: 'offline', model: 'm' }, timeLimits: { maxDurationMs: NaN } }), { reason: 'invalid_input' });
  });
});
