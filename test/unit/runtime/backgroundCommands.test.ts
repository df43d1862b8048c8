import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { query } from '../../../src/runtime/api/query.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { LiteAgent } from '../../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { collect, createEnvironment } from '../../support/apiFixture.ts';
import { crashed } from '../../support/crash.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { toolNames } from '../../support/ownTools.ts';
import { processesIn } from '../../support/processes.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

const ALLOWED = { permissions: { user: { allow: ['Bash'] } } };
const never: ScriptedTurn = { wait: deferred().promise };
const call = (name: string, input: object): ScriptedTurn => ({ calls: [{ name, input }] });
const background = (command: string): ScriptedTurn => call('Bash', { command, run_in_background: true });
/** The id that the last result of the request gave to what was started. */
const startedIn = (request: ModelRequest): string | undefined => /as (shell-\w+)\./.exec(toolResults(request)[0]?.text ?? '')?.[1];
const STUBBORN = { 'stubborn.sh': 'trap "" TERM; sleep 1000 & wait; wait' };
const BOTH = ['BashOutput', 'KillBackground'];
const offeredIn = (request: ModelRequest | undefined): readonly string[] => toolNames(request).filter((name) => BOTH.includes(name));

describe('background commands', function () {
  if (process.platform === 'win32') return;
  this.timeout(20_000);
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function start(script: Script, options: AgentFixtureOptions = {}): Promise<AgentFixture> {
    const fixture = await startAgent(script, { ...ALLOWED, ...options });
    ends.push(() => fixture.end());
    return fixture;
  }
  async function reopen(fixture: Parameters<typeof reopenAgent>[0], script: Script): Promise<AgentFixture> {
    const later = await reopenAgent(fixture, script, ALLOWED);
    ends.push(() => later.end());
    return later;
  }

  describe('of a child', () => {
    const clock = new ManualClock();
    /** What the child does once its command runs, and what ends it then. */
    const ENDS: Readonly<Record<string, { readonly turn: ScriptedTurn; readonly act?: (agent: LiteAgent) => void; readonly end: string; readonly options?: AgentFixtureOptions }>> = {
      completed: { turn: { text: 'Done.' }, end: 'completed' },
      'without an answer': { turn: { text: '' }, end: 'no_text' },
      failed: { turn: { stop: 'error', error: { failure: 'bad_request', message: 'no' } }, end: 'error' },
      'at its turn limit': { turn: call('Bash', { command: 'true' }), end: 'max_turns', options: { maxTurns: 2 } },
      'over its budget': { turn: { text: 'More.', stop: 'paused', usage: { output: 5000 } }, end: 'budget', options: { budget: { tokens: 1000 } } },
      'out of time': { turn: never, act: () => clock.advance(60_000), end: 'timeout', options: { timeLimits: { maxDurationMs: 60_000 }, timing: { clock } } },
      cancelled: { turn: never, act: (agent) => void agent.cancelChild(agent.groups()[0]?.children[0]?.agentId ?? ''), end: 'cancelled' },
      'cancelled with its group': { turn: never, act: (agent) => void agent.cancelGroup(agent.groups()[0]?.groupId ?? ''), end: 'cancelled' },
      'cancelled with all': { turn: never, act: (agent) => void agent.cancelAll(), end: 'cancelled' },
      closed: { turn: never, act: (agent) => void agent.close(), end: 'cancelled' },
      interrupted: { turn: never, act: (agent) => void agent.suspend(), end: 'interrupted' },
    };
    for (const [how, { turn, act, end, options }] of Object.entries(ENDS)) {
      it(`end with it before it settles, ${how}, which is noted`, async () => {
        const fixture = await start((request) => {
          if (isRoot(request)) return { text: 'Noted.' };
          if (request.messages.length === 1) return background('sleep 1000');
          assert.ok(startedIn(request));
          if (request.messages.length === 3) assert.equal(fixture.agent.groups()[0]?.children[0]?.commands, 1);
          assert.equal(processesIn(fixture.cwd).length > 0, true);
          setImmediate(() => act?.(fixture.agent));
          return turn;
        }, options);
        const { agent, recorder, cwd, model } = fixture;
        let left: readonly string[] | undefined;
        agent.subscribe(({ type }) => {
          if (type === 'child.settled' || type === 'child.interrupted') left = processesIn(cwd);
        });
        await (await agent.openSession()).delegate([{ display_name: 'A', prompt: 'A' }]);
        await Promise.race([recorder.until('child.settled'), recorder.until('child.interrupted')]);
        const [child] = agent.groups()[0]?.children ?? [];
        assert.equal(child?.outcome?.status === 'failed' ? child.outcome.reason : child?.status, end);
        assert.deepEqual(left, []);
        assert.deepEqual([recorder.of('commands.changed').map(({ running }) => running), child?.commands], [[1, 0], undefined]);
        assert.ok(child?.notes?.includes('1 command still ran in the background and ended with it: sleep 1000.'), child?.notes?.join());
        const entries = await agent.transcript(child?.agentId ?? '');
        assert.ok(entries.some((entry) => entry.type === 'note' && entry.text.includes('sleep 1000')));
        model.assertClean();
      });
    }

    it('hold its slot until they are gone', async () => {
      const fixture = await start((request) => {
        if (isRoot(request)) return { text: 'Noted.' };
        if (promptOf(request) === 'A' && request.messages.length === 1) return background('bash stubborn.sh');
        return { text: 'Done.' };
      }, { maxParallelSubagents: 1, workspace: STUBBORN });
      const { agent, recorder, cwd } = fixture;
      const running: number[] = [];
      agent.subscribe(({ type }) => {
        if (type === 'child.settled' || type === 'child.started') running.push(processesIn(cwd).length);
      });
      await (await agent.openSession()).delegate(['A', 'B'].map((name) => ({ display_name: name, prompt: name })));
      await recorder.until('group.settled');
      assert.deepEqual(running, [0, 0, 0, 0]);
      assert.equal(recorder.of('child.noted').filter(({ text }) => text.includes('bash stubborn.sh')).length, 1);
    });

    it('are not noted where they had ended, and no secret of one that is', async () => {
      const { agent, recorder } = await start((request) => {
        if (isRoot(request)) return { text: 'Noted.' };
        const { length } = request.messages;
        const prompt = promptOf(request);
        if (length === 1) return background(prompt === 'A' ? 'true' : 'sleep 1000; echo --token sk-ant-api03-abcdefghijklmnopqrstuvwxyz');
        if (prompt === 'A' && !toolResults(request)[0]?.text.includes('has ended')) return call('BashOutput', { id: /shell-\w+/.exec(JSON.stringify(request.messages))?.[0] });
        return { text: 'Done.' };
      });
      await (await agent.openSession()).delegate(['A', 'B'].map((name) => ({ display_name: name, prompt: name })));
      await recorder.until('group.settled');
      const noted = recorder.of('child.noted').filter(({ text }) => text.includes('ended with it'));
      assert.deepEqual(noted.map(({ agentId }) => agent.child(agentId)?.displayName), ['B']);
      assert.ok(noted.every(({ text }) => !text.includes('sk-ant-api03-abc')));
    });

    it('are looked after by the tools for that from the next turn on, in that child alone', async () => {
      const { agent, recorder, model } = await start((request) => {
        if (isRoot(request)) return { text: 'Noted.' };
        if (promptOf(request) === 'A' && request.messages.length === 1) return background('sleep 1000');
        const id = startedIn(request);
        return id === undefined ? { text: 'Done.' } : call('KillBackground', { id });
      }, { subAgents: { runner: { description: 'Runs.', prompt: 'Run.', capabilities: { allowedTools: ['Bash'] } } } });
      await (await agent.openSession()).delegate(['A', 'B'].map((name) => ({ display_name: name, prompt: name, subagent_type: 'runner' })));
      await recorder.until('group.settled');
      const requests = (name: string): readonly ModelRequest[] => model.requests.filter((request) => !isRoot(request) && promptOf(request) === name);
      assert.deepEqual(requests('A').map(offeredIn), [[], BOTH, BOTH]);
      assert.deepEqual(requests('B').map(offeredIn), [[]]);
      assert.match(toolResults(requests('A')[2]!)[0]?.text ?? '', /was ended\.$/);
    });

    it('are judged as in the foreground', async () => {
      const { agent, recorder, model, cwd } = await start((request) => {
        if (isRoot(request)) return { text: 'Noted.' };
        return request.messages.length === 1 ? background('sleep 1000') : { text: 'Done.' };
      }, { permissions: { user: { allow: ['Bash'], deny: ['Bash(sleep:*)'] } } });
      await (await agent.openSession()).delegate([{ display_name: 'A', prompt: 'A' }]);
      await recorder.until('group.settled');
      assert.equal(agent.groups()[0]?.children[0]?.denials, 1);
      assert.deepEqual(offeredIn(model.requests.filter((request) => !isRoot(request))[1]), []);
      assert.deepEqual(processesIn(cwd), []);
    });

    it('may have changed what is not kept, once, and only where they do not only read', async () => {
      const { agent, recorder } = await start((request) => {
        if (isRoot(request)) return { text: 'Noted.' };
        const commands = promptOf(request) === 'A' ? ['tail -f a.txt', 'cat a.txt'] : ['touch b.txt', 'touch c.txt'];
        const command = commands[(request.messages.length - 1) / 2];
        return command === undefined ? { text: 'Done.' } : background(command);
      }, { workspace: { 'a.txt': 'a' } });
      await (await agent.openSession()).delegate(['A', 'B'].map((name) => ({ display_name: name, prompt: name })));
      await recorder.until('group.settled');
      const told = recorder.of('child.noted').filter(({ text }) => text.includes('attributed'));
      assert.deepEqual(told.map(({ agentId, unrecorded }) => [agent.child(agentId)?.displayName, unrecorded]), [['B', true]]);
      assert.deepEqual(agent.groups()[0]?.children.map(({ unrecorded }) => unrecorded), [undefined, true]);
    });

    it('that ended with a round are unknown in the next one, and it hears so', async () => {
      let id = '';
      const { agent, recorder, model } = await start((request) => {
        if (isRoot(request)) return { text: 'Noted.' };
        if (request.messages.length === 1) return background('sleep 1000');
        id ||= startedIn(request) ?? '';
        if (lastUserText(request) === 'again') return call('BashOutput', { id });
        return { text: 'Done.' };
      });
      await (await agent.openSession()).delegate([{ display_name: 'A', prompt: 'A' }]);
      const { agentId } = await recorder.until('child.settled');
      await recorder.until('group.delivered');
      await agent.resumeChild(agentId, { prompt: 'again' });
      await recorder.until('group.settled', ({ groupId }) => groupId !== agent.groups()[0]?.groupId);
      const results = model.requests.filter((request) => !isRoot(request)).flatMap(toolResults);
      assert.match(results.at(-1)?.text ?? '', /^BashOutput can't be called now: no call of Bash in this run .* ended with that\.$/);
    });
  });

  describe('of the root', () => {
    /** Starts a command at `start`, and does with it what else it is told. */
    function driven(): { readonly script: Script; readonly id: () => string; readonly results: string[] } {
      let id = '';
      const results: string[] = [];
      return {
        id: () => id,
        results,
        script: (request) => {
          if (!isRoot(request)) return { text: 'Done.' };
          id ||= startedIn(request) ?? '';
          const said = lastUserText(request) ?? '';
          if (said.startsWith('start ')) return background(said.slice('start '.length));
          if (BOTH.includes(said)) return call(said, { id });
          results.push(...toolResults(request).map(({ text }) => text));
          return { text: 'Noted.' };
        },
      };
    }
    const remindersOf = ({ model }: AgentFixture): readonly (readonly string[])[] => model.requests.map(({ reminder = '' }) => reminder.split('\n').filter((line) => line.startsWith('- shell-')));

    it('run on after its turns, which are reminded of them, until it ends them', async () => {
      const { script, id, results } = driven();
      const fixture = await start(script);
      const { agent, cwd } = fixture;
      const session = await agent.openSession();
      await session.send('start until [ -e go ]; do sleep 0.02; done; echo went; sleep 1000');
      await agent.cancelAll();
      session.stop();
      await session.send('well?');
      await writeFile(join(cwd, 'go'), '');
      while (!results.some((text) => text.startsWith('went\n'))) await session.send('BashOutput');
      await session.send('KillBackground');
      assert.deepEqual(processesIn(cwd), []);
      await session.send('well?');
      const reminders = remindersOf(fixture);
      const line = `- ${id()} "until [ -e go ]; do sleep 0.02; done; echo went; sleep 1000": runs`;
      assert.deepEqual([reminders[0], reminders[1], reminders[2], reminders.at(-1)], [[], [line], [line], []]);
      assert.deepEqual(fixture.model.requests.map(offeredIn).slice(0, 3), [[], BOTH, BOTH]);
      fixture.model.assertClean();
    });

    it('that end by themselves are told as ended until their end was heard of', async () => {
      const { script, id, results } = driven();
      const fixture = await start(script);
      const session = await fixture.agent.openSession();
      await session.send('start exit 3');
      while (!remindersOf(fixture).at(-1)?.[0]?.endsWith('ended with exit code 3')) await session.send('well?');
      await session.send('BashOutput');
      assert.equal(results.at(-1), `[No new output.]\n[${id()} has ended with exit code 3.]`);
      await session.send('well?');
      assert.deepEqual(remindersOf(fixture).at(-1), []);
    });

    it('are those of their session', async () => {
      const { script } = driven();
      const fixture = await start(script);
      await (await fixture.agent.openSession()).send('start sleep 1000');
      await (await fixture.agent.openSession()).send('well?');
      assert.deepEqual(remindersOf(fixture).at(-1), []);
      assert.deepEqual(offeredIn(fixture.model.requests.at(-1)), []);
    });

    for (const how of ['close', 'suspend'] as const) {
      it(`end with ${how}, and the next turn of the conversation is told so, once`, async () => {
        const { script, id } = driven();
        const fixture = await start(script, { workspace: STUBBORN });
        const session = await fixture.agent.openSession();
        await session.send('start bash stubborn.sh', { turnId: 't1' });
        await fixture.agent[how]();
        assert.deepEqual(processesIn(fixture.cwd), []);
        await assertToldOnce(fixture, session.sessionId, `- ${id()} "bash stubborn.sh"`);
      });
    }

    it('that a crash ended are told to the next turn, too, but none of whose end it had heard', async () => {
      const { script, id } = driven();
      const fixture = await start(script);
      const session = await fixture.agent.openSession();
      await session.send('start true');
      while (!remindersOf(fixture).at(-1)?.[0]?.includes('ended with')) await session.send('well?');
      await session.send('KillBackground', { turnId: 't1' });
      const before = id();
      const other = await fixture.agent.openSession();
      await other.send('start sleep 1000', { turnId: 't2' });
      const left = await crashed(fixture);
      ends.push(() => left.remove());
      const later = await reopen(left, () => ({ text: 'Noted.' }));
      for (const [sessionId, turnId] of [[session.sessionId, 't1'], [other.sessionId, 't2']] as const) await (await later.agent.openSession({ from: { sessionId, turnId } })).send('well?');
      const [first, second] = remindersOf(later);
      assert.deepEqual(first, []);
      assert.match(second?.[0] ?? '', /^- shell-\w+ "sleep 1000"$/);
      assert.ok(!second?.[0]?.includes(before));
    });

    async function assertToldOnce(fixture: AgentFixture, sessionId: string, line: string): Promise<void> {
      const later = await reopen(fixture, () => ({ text: 'Noted.' }));
      const again = await later.agent.openSession({ from: { sessionId, turnId: 't1' } });
      await again.send('well?', { turnId: 't2' });
      await again.send('well?', { turnId: 't3' });
      await later.agent.suspend();
      const last = await reopen(fixture, () => ({ text: 'Noted.' }));
      await (await last.agent.openSession({ from: { sessionId, turnId: 't3' } })).send('well?');
      assert.deepEqual([...remindersOf(later), ...remindersOf(last)], [[line], [], []]);
    }

    it('end where no shell may run any more, with those of children', async () => {
      const { script } = driven();
      const fixture = await start((request) => {
        if (isRoot(request) || request.messages.length > 1) return isRoot(request) ? (script as (request: ModelRequest) => ScriptedTurn)(request) : never;
        return background('sleep 1001');
      });
      const { agent, recorder, cwd } = fixture;
      const session = await agent.openSession();
      await session.send('start sleep 1000');
      await session.delegate([{ display_name: 'A', prompt: 'A' }]);
      await recorder.until('tool.ended', ({ agent: by }) => by.kind === 'child');
      assert.equal(processesIn(cwd).length > 0, true);
      agent.configure({ shell: false });
      while (processesIn(cwd).length > 0) await new Promise((next) => setImmediate(next));
      await session.send('well?');
      assert.match(remindersOf(fixture).at(-1)?.[0] ?? '', /: was ended$/);
    });
  });

  it('of a query are ended when it has its answer, not waited for', async () => {
    const fixture = await createEnvironment([background('sleep 1000'), { text: 'Done.' }]);
    ends.push(() => fixture.end());
    const { outcome } = await collect(query({ prompt: 'go', runtime: fixture.runtime, ...ALLOWED }));
    assert.deepEqual(outcome, { status: 'completed', text: 'Done.' });
    assert.deepEqual(processesIn(fixture.runtime.cwd), []);
    fixture.model.assertClean();
  });
});
