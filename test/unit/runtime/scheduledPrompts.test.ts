import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { LiteAgentOptions } from '../../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import type { CronService } from '../../../src/runtime/domain/services.ts';
import { ownTurnOf } from '../../../src/runtime/sessions/ownTurns.ts';
import { isRoot, lastUserText, reopenAgent, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { toolNames } from '../../support/ownTools.ts';
import { serviceIn, WallClock } from '../../support/prompts.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

const HOUR = 60 * 60_000;
const PROMPT = 'Look at the build';
const HOURLY = { schedule: '0 * * * *', prompt: PROMPT };

describe('a scheduled prompt', () => {
  let clock: WallClock;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let cron: CronService;
  const open: AgentFixture[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = new WallClock('2026-05-04T12:30:00Z');
    cron = serviceIn(folder.path, clock);
  });
  afterEach(async () => {
    for (const fixture of open.splice(0).reverse()) {
      await fixture.end();
      fixture.model.assertClean();
    }
    assert.equal(clock.pending, 0, 'no timer is left');
    await folder.remove();
  });

  async function start(script: Script, options: Partial<LiteAgentOptions> = {}): Promise<AgentFixture> {
    const fixture = await startAgent(script, { cron, ...options });
    open.push(fixture);
    return fixture;
  }

  /** The same folders with another process's service and agent. */
  async function restart(fixture: AgentFixture, script: Script): Promise<AgentFixture> {
    const again = await reopenAgent(fixture, script, { cron: serviceIn(folder.path, clock) });
    open.push(again);
    return again;
  }

  const answering: Script = (request) => ({ text: lastUserText(request) === PROMPT ? 'It is green.' : 'Noted.' });
  const scheduled = (fixture: AgentFixture) => fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'scheduled');
  const said = ({ messages }: ModelRequest): readonly string[] => messages.flatMap((message) => (message.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : []));
  const kept = async (fixture: AgentFixture, sessionId: string): Promise<number> => (await fixture.agent.transcript(sessionId)).filter((entry) => entry.type === 'turn' && entry.cause.kind === 'scheduled').length;

  it('is sent at its time as a turn of its session, whose model knows why', async () => {
    const fixture = await start(answering);
    const session = await fixture.agent.openSession();
    await (await fixture.agent.openSession()).send('other');
    await session.send('hello', { turnId: 't1' });
    const { id } = await cron.create({ sessionId: session.sessionId, ...HOURLY });
    clock.advance(HOUR / 2);
    const { sessionId, turnId, cause, outcome } = await scheduled(fixture);
    assert.deepEqual([sessionId, cause, outcome], [session.sessionId, { kind: 'scheduled', promptId: id, title: PROMPT }, { status: 'completed', text: 'It is green.' }]);
    const request = fixture.model.requests.at(-1);
    assert.ok(request);
    assert.deepEqual(said(request), ['hello', PROMPT]);
    assert.match(request.reminder ?? '', new RegExp(`scheduled prompt ${id} \\(0 \\* \\* \\* \\*\\).*comes again by itself`));
    // It belongs to the user's turn before it.
    assert.deepEqual(await session.ownTurnsAfter('t1'), [{ turnId, cause, text: 'It is green.' }]);
    const entries = await fixture.agent.transcript(session.sessionId);
    assert.deepEqual([ownTurnOf(entries, turnId), ownTurnOf(entries, 't1'), ownTurnOf(entries, 'other')], [{ turnId, cause, text: 'It is green.' }, undefined, undefined]);
    await session.send('more');
    assert.doesNotMatch(fixture.model.requests.at(-1)?.reminder ?? '', /scheduled prompt/);
  });

  it('that came due while nothing ran is sent after the reload, once, in its session', async () => {
    const first = await start(answering);
    const session = await first.agent.openSession();
    await session.send('hello', { turnId: 't1' });
    await cron.create({ sessionId: session.sessionId, ...HOURLY });
    await first.agent.suspend();
    clock.advance(50 * HOUR);

    const second = await restart(first, answering);
    const { sessionId } = await scheduled(second);
    assert.equal(sessionId, session.sessionId);
    assert.deepEqual(second.model.requests.map(said), [['hello', PROMPT]]);
    const again = await second.agent.openSession({ from: { sessionId, turnId: 't1' } });
    assert.deepEqual([again.sessionId, (await again.ownTurnsAfter('t1')).map(({ text }) => text)], [sessionId, ['It is green.']]);
    await second.agent.suspend();

    const third = await restart(first, answering);
    const later = await third.agent.openSession();
    await later.send('anything');
    await third.agent.close();
    assert.deepEqual([await kept(third, sessionId), third.recorder.of('problem')], [1, []]);
  });

  it('waits for the turn that runs, and is not sent where it is deleted meanwhile', async () => {
    const held = deferred<void>();
    const fixture = await start((request): ScriptedTurn => (lastUserText(request) === 'long' ? { text: 'Long.', wait: held.promise } : { text: 'Noted.' }));
    const session = await fixture.agent.openSession();
    const sending = session.send('long');
    await fixture.recorder.until('turn.started');
    await cron.create({ sessionId: session.sessionId, ...HOURLY });
    const { id } = await cron.create({ sessionId: session.sessionId, schedule: '0 * * * *', prompt: 'Unwanted' });
    clock.advance(HOUR / 2);
    while ((await cron.list()).every(({ nextAt }) => (nextAt ?? 0) <= clock.now())) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await cron.remove(id), true);
    held.resolve();
    await sending;
    await scheduled(fixture);
    await session.send('end');
    assert.deepEqual(fixture.model.requests.map((request) => said(request).at(-1)), ['long', PROMPT, 'end']);
    assert.deepEqual(fixture.recorder.of('problem'), []);
  });

  it('that still waits when the agent closes is sent by the next one', async () => {
    const first = await start((request) => ({ text: 'Noted.', ...(lastUserText(request) === 'long' && { wait: deferred<void>().promise }) }));
    const session = await first.agent.openSession();
    const sending = session.send('long');
    await first.recorder.until('turn.started');
    await cron.create({ sessionId: session.sessionId, schedule: '2026-05-04T13:00Z', prompt: PROMPT });
    clock.advance(HOUR / 2);
    while ((await cron.list())[0]?.nextAt !== undefined) await new Promise((resolve) => setImmediate(resolve));
    await first.agent.close();
    await sending;
    assert.equal((await cron.list()).length, 1);
    const second = await restart(first, answering);
    assert.equal((await scheduled(second)).sessionId, session.sessionId);
    await second.agent.close();
    assert.deepEqual([await cron.list(), second.recorder.of('problem'), await kept(second, session.sessionId)], [[], [], 1]);
  });

  it('whose conversation is gone is dropped with all others of it, and that is told', async () => {
    const first = await start(answering);
    const session = await first.agent.openSession();
    await session.send('hello');
    for (const schedule of ['0 * * * *', '0 9 * * *']) await cron.create({ sessionId: session.sessionId, schedule, prompt: PROMPT });
    await first.agent.close();
    await rm(join(first.storageDir, 'transcripts', `${session.sessionId}.jsonl`));
    clock.advance(HOUR);
    const second = await restart(first, answering);
    const { message } = await second.recorder.until('problem');
    assert.match(message, /“Look at the build” was dropped/);
    await second.agent.close();
    assert.deepEqual(await cron.list(), []);
  });

  it('is scheduled by the root with an approval that shows what and when; listing and deleting ask nobody', async () => {
    const calls: readonly ScriptedTurn['calls'][] = [
      [{ name: 'FindTool', input: { query: 'select:CronCreate,CronList,CronDelete' } }],
      [{ name: 'CronCreate', input: { schedule: '0 9 * * 1-5', prompt: PROMPT } }],
      [{ name: 'CronList', input: {} }],
    ];
    let next = 0;
    const results: string[] = [];
    const fixture = await start((request) => {
      results.push(...toolResults(request).map(({ text }) => text));
      const id = /cron-\w+/.exec(results.at(-1) ?? '')?.[0];
      const turn = calls[next++] ?? (next === calls.length + 1 ? [{ name: 'CronDelete', input: { id } }] : undefined);
      return turn ? { calls: turn } : { text: 'Done.' };
    });
    const attached = fixture.agent.approvals.attach();
    const wanted: string[] = [];
    fixture.agent.subscribe((event) => {
      if (event.type !== 'approval.wanted') return;
      const { preview, id, tool, action } = event.request;
      assert.equal(action, 'schedule at 09:00 from Monday to Friday (0 9 * * 1-5): Look at the build');
      wanted.push(`${tool}: ${preview.kind === 'text' ? preview.text : ''}`);
      void fixture.agent.approvals.decide(id, { kind: 'allow_once' });
    });
    const session = await fixture.agent.openSession();
    await session.send('Look at it each morning.');
    attached.dispose();
    assert.equal(wanted.length, 1);
    assert.match(wanted[0] ?? '', /^CronCreate: Again and again, at 09:00 from Monday to Friday \(0 9 \* \* 1-5\): (\w{3} \d{4}-\d\d-\d\d 09:00 [+-]\d\d:\d\d, ){3}…\n\nLook at the build$/);
    const [, created, listed, deleted] = results;
    assert.match(created ?? '', /^Scheduled as cron-\w+\. It is sent next at \w{3} 2026-05-05 \d\d:00/);
    assert.match(listed ?? '', /^It is \w{3} \d{4}-.* now\.\n- cron-\w+ \(0 9 \* \* 1-5\): It is sent next at .* "Look at the build"$/);
    assert.match(deleted ?? '', /^Deleted cron-\w+\./);
    assert.deepEqual(await cron.list(), []);
  });

  it("is the root's to schedule, where there is a service for it", async () => {
    const names = (request: ModelRequest): readonly string[] => toolNames(request).filter((name) => name.startsWith('Cron'));
    const script: Script = (request) => {
      if (!isRoot(request) || lastUserText(request) !== 'go') return { text: 'Done.' };
      return { calls: [{ name: 'FindTool', input: { query: 'select:CronCreate,CronList,CronDelete' } }, { name: 'Agent', input: { tasks: [{ display_name: 'A', prompt: 'a' }] } }] };
    };
    const fixture = await start(script);
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const [root, child] = [fixture.model.requests.filter(isRoot), fixture.model.requests.filter((request) => !isRoot(request))];
    const all = ['CronCreate', 'CronList', 'CronDelete'];
    assert.deepEqual([root.map(names), child.map(names)], [[[], all, all], [[]]]);
    const without = await startAgent(() => ({ text: 'Done.' }));
    open.push(without);
    await (await without.agent.openSession()).send('go');
    assert.deepEqual(without.model.requests.map((request) => toolNames(request).includes('FindTool')), [false]);
  });
});
