import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { Agent } from '../../../src/runtime/api/agent.ts';
import { query } from '../../../src/runtime/api/query.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { QueryEngineConfig } from '../../../src/runtime/domain/agentApi.ts';
import type { ApprovalRequest } from '../../../src/runtime/domain/approvals.ts';
import type { RuntimeOptions } from '../../../src/runtime/domain/environment.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { createLiteAgent } from '../../../src/runtime/runtime.ts';
import { delegating, isRoot, lastUserText, toolResults } from '../../support/agentFixture.ts';
import { EventRecorder } from '../../support/events.ts';
import { processesWith } from '../../support/processes.ts';
import { collect, createEnvironment, type ApiFixture } from '../../support/apiFixture.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

const never: ScriptedTurn = { wait: deferred().promise };
const bash = (command: string): ScriptedTurn => ({ calls: [{ name: 'Bash', input: { command } }] });
const types = (events: readonly RuntimeEvent[]): readonly string[] => events.map(({ type }) => type);

describe('a query', () => {
  let fixture: ApiFixture;
  afterEach(() => fixture.end());

  const create = async (script: Script, options: Partial<RuntimeOptions> = {}): Promise<void> => void (fixture = await createEnvironment(script, options));
  const ask = (more: Partial<QueryEngineConfig> = {}) => query({ prompt: 'go', runtime: fixture.runtime, ...more });
  /** The agents on the storage that haven't said goodbye. */
  async function living(): Promise<readonly string[]> {
    const folder = join(fixture.runtime.storageDir, 'hosts');
    const files = existsSync(folder) ? await readdir(folder) : [];
    const texts = await Promise.all(files.filter((name) => name.endsWith('.json')).map((name) => readFile(join(folder, name), 'utf8')));
    return texts.filter((text) => !text.includes('"hasLeft":true'));
  }

  it('gives what happens as it comes, and how it ended', async () => {
    await create([{ text: 'Hello.' }]);
    const { events, outcome } = await collect(ask());
    assert.deepEqual(outcome, { status: 'completed', text: 'Hello.' });
    assert.deepEqual(types(events), ['turn.started', 'text.delta', 'model.ended', 'turn.ended']);
    assert.deepEqual(await living(), [], 'its agent is closed');
    fixture.model.assertClean();
  });

  it('runs to its end where nobody iterates, and gives nothing to whoever comes late', async () => {
    await create([{ text: 'Hello.' }]);
    const asked = ask();
    assert.deepEqual(await asked.result, { status: 'completed', text: 'Hello.' });
    assert.deepEqual(await collect(asked), { events: [], outcome: { status: 'completed', text: 'Hello.' } });
  });

  it('tells a failed turn as its outcome, not by throwing', async () => {
    await create([{ stop: 'error', error: { failure: 'auth', message: 'no key' } }]);
    const { events, outcome } = await collect(ask());
    assert.equal(outcome.status === 'failed' && outcome.reason, 'auth');
    assert.equal(events.at(-1)?.type, 'turn.ended');
  });

  it('waits for the group that it started, and for the turn on its results, which is its result', async () => {
    const hold = deferred<void>();
    await create(delegating({ A: [{ text: 'a', wait: hold.promise }], B: [{ text: 'b' }] }));
    const seen: RuntimeEvent[] = [];
    const asked = ask();
    for await (const event of asked) {
      seen.push(event);
      if (event.type === 'turn.ended' && event.cause.kind === 'user') hold.resolve();
    }
    assert.deepEqual(await asked.result, { status: 'completed', text: 'Understood.' });
    assert.deepEqual(seen.flatMap((event) => (event.type === 'turn.ended' ? [event.cause.kind] : [])), ['user', 'completion']);
    assert.equal(types(seen).filter((type) => type === 'child.settled').length, 2);
    assert.deepEqual(await living(), []);
    fixture.model.assertClean();
  });

  it('waits for groups that its completion turns start, too', async () => {
    const task = (name: string): ScriptedTurn => ({ calls: [{ name: 'Agent', input: { tasks: [{ display_name: name, prompt: name }] } }] });
    await create((request) => {
      if (!isRoot(request)) return { text: 'done' };
      const text = lastUserText(request);
      if (text === 'go') return task('first');
      if (text?.includes('first') && text.startsWith('<background')) return task('second');
      return { text: text?.includes('second') ? 'All done.' : 'Started.' };
    });
    const { events, outcome } = await collect(ask());
    assert.deepEqual(outcome, { status: 'completed', text: 'All done.' });
    assert.equal(types(events).filter((type) => type === 'turn.ended').length, 3);
  });

  it('does not wait for a background command, and leaves none running', async () => {
    await create((request) => (lastUserText(request) === 'go' ? { calls: [{ name: 'Bash', input: { command: 'sleep 61234 & echo started' } }] } : { text: 'Done.' }));
    assert.deepEqual(await ask({ permissions: { user: { allow: ['Bash'] } } }).result, { status: 'completed', text: 'Done.' });
    assert.deepEqual(processesWith('sleep 61234'), []);
  });

  it('neither hears of the group of another conversation on its storage nor waits for it', async () => {
    const [child, other] = [deferred<void>(), deferred<void>()];
    await create((request) => {
      if (!isRoot(request)) return { text: 'From A.', wait: child.promise };
      return lastUserText(request) === 'go' ? { text: 'Mine.', wait: other.promise } : never;
    });
    const before = await createLiteAgent({ ...fixture.runtime });
    const recorder = new EventRecorder();
    before.subscribe((event) => recorder.record(event));
    const session = await before.openSession();
    await session.delegate([{ display_name: 'A', prompt: 'A' }]);
    // While this turn lasts, the results wait for theirs, and so they wait for a later agent.
    const lasting = session.send('wait');
    await recorder.until('turn.started', () => recorder.of('turn.started').length === 2);
    child.resolve();
    await recorder.until('group.settled');
    await before.suspend();
    assert.equal((await lasting).status, 'cancelled');

    const agent = new Agent({ runtime: fixture.runtime });
    agent.subscribe((event) => void (event.type === 'turn.started' && event.cause.kind === 'completion' && other.resolve()));
    const { events, outcome } = await collect(agent.query('go'));
    assert.deepEqual(outcome, { status: 'completed', text: 'Mine.' });
    assert.deepEqual(events.filter((event) => JSON.stringify(event).includes(session.sessionId)), []);
    await agent.close();
  });

  it('has prompts, limit of turns and tools of its own', async () => {
    await create([{ calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }], { workspace: { 'a.txt': 'x' } } as Partial<RuntimeOptions>);
    const outcome = await ask({ systemPrompt: 'You read.', appendPrompt: 'Once.', maxTurns: 1, capabilities: { allowedTools: ['Read'] } }).result;
    assert.equal(outcome.status === 'failed' && outcome.reason, 'max_turns');
    const [request] = fixture.model.requests;
    assert.ok(request?.system.startsWith('You read.') && request.system.endsWith('Once.'));
    assert.deepEqual(request?.tools.map(({ name }) => name), ['Read']);
  });

  for (const how of ['break', 'signal'] as const) {
    it(`that ends early by ${how} cancels the group that it started, asks no model any more, and leaves nothing`, async () => {
      await create(delegating({ A: [never], B: [bash('sleep 600'), { text: 'b' }] }));
      const stop = new AbortController();
      const asked = ask({ signal: stop.signal, permissions: { user: { allow: ['Bash(sleep:*)'] } } });
      const seen: RuntimeEvent[] = [];
      for await (const event of asked) {
        seen.push(event);
        if (event.type !== 'tool.called' || event.tool !== 'Bash') continue;
        if (how === 'break') break;
        stop.abort();
      }
      const requests = fixture.model.requests.length;
      assert.equal((await asked.result).status, 'cancelled');
      assert.deepEqual(await living(), []);
      if (how === 'signal') assert.deepEqual(seen.flatMap((event) => (event.type === 'child.settled' ? [event.outcome.status] : [])), ['cancelled', 'cancelled']);
      assert.equal(fixture.model.requests.length, requests);
      assert.equal(fixture.model.requests.filter((request) => lastUserText(request)?.startsWith('<background')).length, 0);
    });
  }

  it('that is cancelled in the middle of its own turn keeps what was said', async () => {
    await create((request) => (toolResults(request).length > 0 ? never : { text: 'So far.', calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }));
    const stop = new AbortController();
    const asked = ask({ signal: stop.signal });
    for await (const event of asked) if (event.type === 'tool.ended') stop.abort();
    assert.deepEqual(await asked.result, { status: 'cancelled', partialText: 'So far.' });
  });

  it('that was cancelled before it began starts nothing', async () => {
    await create([]);
    const { events, outcome } = await collect(ask({ signal: AbortSignal.abort() }));
    assert.deepEqual([events, outcome], [[], { status: 'cancelled' }]);
    assert.ok(!existsSync(fixture.runtime.storageDir));
  });

  it("can't start with anything but options, and says so where one waits for it", async () => {
    await create([]);
    for (const config of [undefined, null, 'go', 5]) await assert.rejects(query(config as never).result, { reason: 'invalid_input' });
  });

  const refused: Readonly<Record<string, () => object>> = {
    'options of the 2.x shape': () => ({ env: { cwd: '/x' }, mcpTools: [], allowedTools: [] }),
    'no runtime': () => ({ runtime: undefined }),
    'an empty prompt': () => ({ prompt: ' ' }),
    'a prompt that is none': () => ({ prompt: undefined }),
  };
  for (const [what, options] of Object.entries(refused)) {
    it(`can't start with ${what}: the first next() and the result reject, and nothing else does`, async () => {
      await create([]);
      const unhandled: unknown[] = [];
      const listen = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', listen);
      try {
        await assert.rejects(collect(ask(options())), { reason: 'invalid_input' });
        const asked = ask(options());
        await assert.rejects(asked.result, { reason: 'invalid_input' });
        const late = asked[Symbol.asyncIterator]();
        await assert.rejects(late.next(), { reason: 'invalid_input' });
        assert.deepEqual(await late.next(), { done: true, value: undefined });
        await assert.rejects(ask(options())[Symbol.asyncIterator]().next());
        await new Promise((next) => setImmediate(next));
        assert.deepEqual(unhandled, []);
        assert.deepEqual(await living(), []);
      } finally {
        process.off('unhandledRejection', listen);
      }
    });
  }

  it('says where options of the 2.x shape belong now', async () => {
    await create([]);
    await assert.rejects(ask({ env: {}, cwd: '/x', subAgents: { a: { description: 'x', prompt: 'x', customTools: [] } } } as object).result, (error: Error) => {
      return ['`env` is now `runtime`', '`cwd` belongs to `runtime`', '`subAgents.a.customTools` is now `subAgents.a.capabilities.customTools`'].every((words) => error.message.includes(words));
    });
  });

  it("can't start where its storage can't be made", async () => {
    await create([]);
    await mkdir(join(fixture.runtime.storageDir, '..'), { recursive: true });
    await writeFile(fixture.runtime.storageDir, 'a file');
    await assert.rejects(ask().result, (error: Error) => 'code' in error);
  });

  describe('that asks', () => {
    const asking: Script = (request) => (toolResults(request).length > 0 ? { text: 'Done.' } : { calls: ['a', 'b', 'c'].map((name) => ({ name: 'Bash', input: { command: `touch ${name}` } })) });
    const made = async (): Promise<readonly string[]> => readdir(fixture.runtime.cwd);

    it('is denied where nobody answers', async () => {
      await create(asking);
      assert.equal((await ask().result).status, 'completed');
      assert.deepEqual(await made(), []);
    });

    it('is answered by its handler, in order', async () => {
      await create(asking);
      const requests: ApprovalRequest[] = [];
      await ask({
        onApproval: async (request) => {
          requests.push(request);
          return request.action.includes('b') ? { kind: 'deny', message: 'Not b.' } : { kind: 'allow_once' };
        },
      }).result;
      assert.deepEqual(requests.map(({ action }) => action), ['touch a', 'touch b', 'touch c']);
      assert.deepEqual(await made(), ['a', 'c']);
      assert.match(toolResults(fixture.model.requests[1] ?? assert.fail()).find(({ isError }) => isError)?.text ?? '', /Not b\./);
    });

    it('is denied by a handler that throws, gives no decision, or an "always" that can not be kept', async () => {
      await create(asking);
      const answers: readonly (() => Promise<unknown>)[] = [async () => Promise.reject(new Error('SECRET')), async () => undefined, async () => ({ kind: 'allow_always' })];
      let next = 0;
      await ask({ onApproval: () => answers[next++]?.() as never }).result;
      assert.equal(next, 3);
      assert.deepEqual(await made(), []);
      assert.ok(!JSON.stringify(fixture.model.requests).includes('SECRET'));
    });

    it('waits for no handler of a call that was cancelled, and asks none of a queue that is gone', async () => {
      await create(asking);
      const asked = deferred<void>();
      const stop = new AbortController();
      let times = 0;
      const result = ask({
        signal: stop.signal,
        onApproval: () => {
          times++;
          asked.resolve();
          return deferred<never>().promise;
        },
      }).result;
      await asked.promise;
      stop.abort();
      assert.equal((await result).status, 'cancelled');
      assert.equal(times, 1);
    });

    it('answers for its children', async () => {
      await create(delegating({ A: [bash('touch a'), { text: 'a' }], B: [bash('touch b'), { text: 'b' }] }));
      const names: string[] = [];
      await ask({
        onApproval: async ({ agent }) => {
          names.push(agent.kind === 'child' ? agent.displayName : 'root');
          return { kind: 'allow_once' };
        },
      }).result;
      assert.deepEqual(names.toSorted(), ['A', 'B']);
      assert.deepEqual(await made(), ['a', 'b']);
    });
  });
});
