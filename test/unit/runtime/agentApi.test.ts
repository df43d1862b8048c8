import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { Agent } from '../../../src/runtime/api/agent.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { AgentOptions, AgentQuery } from '../../../src/runtime/domain/agentApi.ts';
import type { EventOf, RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, toolResults } from '../../support/agentFixture.ts';
import { collect, createEnvironment, type ApiFixture } from '../../support/apiFixture.ts';
import { customTool } from '../../support/customTool.ts';
import { EventRecorder } from '../../support/events.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

const never: ScriptedTurn = { wait: deferred().promise };
const delegate = (...names: readonly string[]): ScriptedTurn => ({ calls: [{ name: 'Agent', input: { tasks: names.map((name) => ({ display_name: name, prompt: name })) } }] });
const isCompletion = (request: ModelRequest): boolean => lastUserText(request)?.startsWith('<background') ?? false;
/** The user's message that is being answered. */
const promptOfTurn = ({ messages }: ModelRequest): string | undefined => messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : [])).at(-1);
const toolsOf = (request: ModelRequest | undefined): readonly string[] => request?.tools.map(({ name }) => name).toSorted() ?? [];

describe('an Agent', () => {
  let fixture: ApiFixture;
  let agent: Agent;
  let recorder: EventRecorder;
  afterEach(async () => {
    await agent.close();
    await fixture.end();
  });

  async function create(script: Script, options: Partial<AgentOptions> = {}): Promise<void> {
    fixture = await createEnvironment(script);
    agent = new Agent({ runtime: fixture.runtime, ...options });
    recorder = new EventRecorder();
    agent.subscribe((event) => recorder.record(event));
  }

  /** Reads a query until an event of that type. */
  async function until<T extends RuntimeEvent['type']>(asked: AgentQuery, type: T): Promise<EventOf<T>> {
    const events = asked[Symbol.asyncIterator]();
    for (let step = await events.next(); !step.done; step = await events.next()) if (step.value.type === type) return step.value as EventOf<T>;
    throw new Error(`no ${type}`);
  }

  it('holds one conversation, also over requests that are made side by side: they run one after the other', async () => {
    const running: string[] = [];
    await create((request) => {
      running.push(lastUserText(request) ?? '');
      return { text: `Answer to ${lastUserText(request)}` };
    });
    const all = await Promise.all(['one', 'two', 'three'].map((prompt) => collect(agent.query(prompt))));
    assert.deepEqual(running, ['one', 'two', 'three']);
    assert.deepEqual(all.map(({ outcome }) => outcome.status === 'completed' && outcome.text), ['Answer to one', 'Answer to two', 'Answer to three']);
    for (const { events } of all) assert.deepEqual(events.map(({ type }) => type), ['turn.started', 'text.delta', 'model.ended', 'turn.ended'], 'each hears of its own turn alone');
    assert.deepEqual(recorder.events.flatMap(({ type }) => (type.startsWith('turn.') ? [type] : [])), Array(3).fill(['turn.started', 'turn.ended']).flat());
    assert.equal(fixture.model.requests[2]?.messages.length, 5, 'the third knows of the two before');
  });

  it('lets a request pass that is made while the groups of another run, and each ends with its own', async () => {
    const hold = deferred<void>();
    await create((request) => {
      if (!isRoot(request)) return { text: 'From A.', wait: hold.promise };
      if (lastUserText(request) === 'go') return delegate('A');
      return { text: isCompletion(request) ? 'Results are in.' : toolResults(request).length > 0 ? 'Started.' : 'Quick answer.' };
    });
    const slow = agent.query('go');
    const quick = agent.query('and?');
    assert.deepEqual(await quick.result, { status: 'completed', text: 'Quick answer.' });
    hold.resolve();
    assert.deepEqual(await slow.result, { status: 'completed', text: 'Results are in.' });
  });

  it('delegates with all three tools, unless it is told with which', async () => {
    await create([{ text: 'ok' }]);
    await agent.query('hello').result;
    const delegating = (): readonly string[] => toolsOf(fixture.model.requests[0]).filter((name) => ['Agent', 'Task', 'MultiTask'].includes(name));
    assert.deepEqual(delegating(), ['Agent', 'MultiTask', 'Task']);
    await agent.close();
    await fixture.end();
    await create([{ text: 'ok' }], { delegationTools: ['Task'] });
    await agent.query('hello').result;
    assert.deepEqual(delegating(), ['Task']);
  });

  it('is done with a request that waited for its subagent in the call, without a further turn', async () => {
    await create((request) => {
      if (!isRoot(request)) return { text: 'From A.' };
      return lastUserText(request) === 'go' ? { calls: [{ name: 'Task', input: { display_name: 'A', prompt: 'A' } }] } : { text: toolResults(request)[0]?.text ?? '' };
    });
    const { events, outcome } = await collect(agent.query('go'));
    assert.ok(outcome.status === 'completed' && outcome.text.includes('From A.'));
    assert.deepEqual(events.flatMap((event) => (event.type === 'turn.ended' ? [event.cause.kind] : [])), ['user']);
    assert.ok(events.some(({ type }) => type === 'child.settled'));
  });

  it('runs entries with tools of their own, which neither it nor their sibling has', async () => {
    const lookup = customTool('lookup');
    const entry = { description: 'Looks', prompt: 'Look.' };
    await create(
      (request) => {
        if (promptOf(request) === 'finder') return toolResults(request).length > 0 ? { text: 'found' } : { calls: [{ name: 'lookup', input: {} }] };
        if (promptOf(request) === 'other') return { text: 'nothing' };
        if (lastUserText(request) !== 'go') return { text: 'ok' };
        return { calls: [{ name: 'Agent', input: { tasks: ['finder', 'other'].map((name) => ({ display_name: name, subagent_type: name, prompt: name })) } }] };
      },
      { subAgents: { finder: { ...entry, capabilities: { customTools: [lookup] } }, other: entry }, customTools: [customTool('mine')] },
    );
    await agent.query('go').result;
    assert.equal(lookup.calls.length, 1);
    const having = (tool: string): readonly string[] => [...new Set(fixture.model.requests.filter((request) => toolsOf(request).includes(tool)).map(promptOf))];
    assert.deepEqual(having('lookup'), ['finder']);
    assert.deepEqual(having('mine'), ['go']);
  });

  it('has the built-in tools of its environment and no others', async () => {
    fixture = await createEnvironment([{ text: 'ok' }]);
    const runtime = { ...fixture.runtime, builtinTools: fixture.runtime.builtinTools.filter(({ name }) => name === 'Read') };
    agent = new Agent({ runtime, agents: false });
    await agent.query('hello').result;
    assert.deepEqual(toolsOf(fixture.model.requests[0]), ['Read']);
  });

  it('asks with the options of a request over its own, field by field, for that request alone', async () => {
    await create(() => ({ text: 'ok' }), {
      agents: false,
      prompt: 'Prompt of the agent.',
      appendPrompt: 'End of the agent.',
      customTools: [customTool('own')],
      capabilities: { allowedTools: ['Read'], customTools: [customTool('capable')] },
    });
    await agent.query('one', { prompt: 'Prompt of the request.', capabilities: { allowedTools: ['Write'] } }).result;
    await agent.query('two').result;
    const [one, two] = fixture.model.requests;
    assert.deepEqual([toolsOf(one), toolsOf(two)], [['Write', 'capable', 'own'], ['Read', 'capable', 'own']]);
    assert.ok(one?.system.startsWith('Prompt of the request.') && one.system.endsWith('End of the agent.'));
    assert.ok(two?.system.startsWith('Prompt of the agent.'));
  });

  it('hands on to the children of a request the built-in tools that its lists let through, more or less than its own', async () => {
    await create((request) => (isRoot(request) && /^(more|less)$/.test(lastUserText(request) ?? '') ? delegate(lastUserText(request) ?? '') : { text: 'ok' }), { capabilities: { allowedTools: ['Read', 'Write', 'Agent'] } });
    await agent.query('less', { capabilities: { allowedTools: ['Read', 'Agent'] } }).result;
    await agent.query('more', { capabilities: { allowedTools: ['Read', 'Edit', 'Agent'], disallowedTools: ['Read'] } }).result;
    const children = fixture.model.requests.filter((request) => !isRoot(request));
    assert.deepEqual(children.map(toolsOf), [['Read'], ['Edit']]);
  });

  it('takes the turn on the results of a group with what its request asked for', async () => {
    await create((request) => (isRoot(request) && lastUserText(request) === 'go' ? delegate('A') : { text: 'ok' }), { prompt: 'Prompt of the agent.' });
    const extra = customTool('extra');
    await agent.query('go', { prompt: 'Prompt of the request.', customTools: [extra] }).result;
    await agent.query('next').result;
    const [completion, next] = fixture.model.requests.filter(isRoot).slice(-2);
    assert.ok(completion && isCompletion(completion));
    assert.ok(completion.system.startsWith('Prompt of the request.') && toolsOf(completion).includes('extra'));
    assert.ok(next?.system.startsWith('Prompt of the agent.') && !toolsOf(next).includes('extra'));
  });

  it('limits its model turns for a request, and those of its children, each by its own', async () => {
    const reading: ScriptedTurn = { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] };
    const script: Script = (request) => {
      if (!isRoot(request) || promptOfTurn(request) === 'read') return reading;
      return lastUserText(request) === 'go' ? delegate('A') : { text: 'ok' };
    };
    await create(script, { maxTurns: 3, childMaxTurns: 2 });
    assert.equal((await agent.query('go').result).status, 'completed');
    const settled = recorder.of('child.settled').map(({ outcome }) => outcome.status === 'failed' && outcome.reason);
    assert.deepEqual(settled, ['max_turns']);
    assert.equal(fixture.model.requests.filter((request) => !isRoot(request)).length, 2);
    const before = fixture.model.requests.length;
    await agent.query('read').result;
    await agent.query('read', { maxTurns: 1 }).result;
    assert.equal(fixture.model.requests.length - before, 4);
  });

  it('goes on after a request that was left early: its groups end, and the conversation has heard of that', async () => {
    await create((request) => {
      if (!isRoot(request)) return never;
      return lastUserText(request) === 'go' ? delegate('A') : { text: 'ok' };
    });
    const asked = agent.query('go');
    for await (const event of asked) if (event.type === 'child.started') break;
    assert.equal((await asked.result).status, 'cancelled');
    assert.deepEqual(recorder.of('child.settled').map(({ outcome }) => outcome.status), ['cancelled']);
    assert.deepEqual(fixture.model.requests.filter(isCompletion), [], 'nobody was asked what it makes of it');
    assert.deepEqual(await agent.query('next').result, { status: 'completed', text: 'ok' });
    assert.match(JSON.stringify(fixture.model.requests.at(-1)?.messages), /<background-task-completed.*status=\\"cancelled/s);
  });

  it('cancels with a request its own groups only, and at once one that waits for its turn', async () => {
    const hold = deferred<void>();
    await create((request) => {
      if (!isRoot(request)) return promptOf(request) === 'A' ? { text: 'a', wait: hold.promise } : never;
      const text = lastUserText(request) ?? '';
      return text === 'A' || text === 'B' ? delegate(text) : text === 'slow' ? never : { text: 'ok' };
    });
    const stop = new AbortController();
    const [a, b] = [agent.query('A'), agent.query('B', { signal: stop.signal })];
    await until(b, 'child.started');
    stop.abort();
    assert.equal((await b.result).status, 'cancelled');
    hold.resolve();
    assert.equal((await a.result).status, 'completed');

    const leave = new AbortController();
    const slow = agent.query('slow');
    await until(slow, 'turn.started');
    const waiting = agent.query('never sent', { signal: leave.signal });
    await new Promise((next) => setImmediate(next));
    leave.abort();
    assert.deepEqual(await waiting.result, { status: 'cancelled' });
    await slow[Symbol.asyncIterator]().return?.();
    assert.ok(!fixture.model.requests.some((request) => lastUserText(request) === 'never sent'));
  });

  it('closes twice, ends what is under way as cancelled, and takes nothing more', async () => {
    await create((request) => (isRoot(request) && lastUserText(request) === 'go' ? delegate('A') : isRoot(request) ? { text: 'ok' } : never));
    const [asked, waiting] = [agent.query('go'), agent.query('later')];
    const seen = collect(asked);
    await until(asked, 'child.started');
    await Promise.all([agent.close(), agent.close()]);
    assert.equal((await seen).outcome.status, 'cancelled');
    assert.ok(['completed', 'cancelled'].includes((await waiting.result).status));
    await agent.close();
    await assert.rejects(agent.query('more').result, { reason: 'closed' });
    assert.equal(fixture.model.requests.filter(isCompletion).length, 0);
  });

  it('closes in the middle of its start', async () => {
    await create([]);
    const asked = agent.query('go');
    await new Promise((next) => setImmediate(next));
    await agent.close();
    assert.deepEqual(await asked.result, { status: 'cancelled' });
  });

  it('that was never asked has nothing to close', async () => {
    await create([]);
    await agent.close();
    assert.ok(!existsSync(fixture.runtime.storageDir));
  });

  it('tries its start anew with the next request', async () => {
    await create([{ text: 'ok' }]);
    const { storageDir } = fixture.runtime;
    await mkdir(dirname(storageDir), { recursive: true });
    await writeFile(storageDir, 'a file');
    await assert.rejects(agent.query('one').result, (error: Error) => 'code' in error);
    await rm(storageDir);
    assert.equal((await agent.query('two').result).status, 'completed');
  });

  it('refuses what makes no sense: options as it is made, those of a request with that request', async () => {
    await create([]);
    const make = (options: object): Agent => new Agent({ runtime: fixture.runtime, ...options });
    const naming = (...words: readonly string[]) => (error: Error): boolean => 'reason' in error && error.reason === 'invalid_input' && words.every((word) => error.message.includes(word));
    assert.throws(() => make({ maxTurns: 0, childMaxTurns: NaN, onApproval: true, rootMaxTurns: 1, provider: {} }), naming('`maxTurns` must', '`childMaxTurns`', '`onApproval`', '`rootMaxTurns` is `maxTurns`', '`provider` belongs to `runtime`'));
    assert.throws(() => make({ runtime: { cwd: '/x' } }), naming('`createRuntimeEnvironment` makes one'));
    assert.throws(() => make({ availableSkills: [], subAgents: { a: {} } }), naming('`capabilities.skills`', '`subAgents.a.prompt`'));
    await assert.rejects(agent.query('x', { maxTurns: 0, mcpTools: [], subAgents: {} } as object).result, naming('`maxTurns` must', '`mcpTools` is now `capabilities.connectionTools`', '`subAgents` is unknown'));
    for (const request of [null, 'soon', []]) await assert.rejects(agent.query('x', request as never).result, naming('must be an object'));
    await assert.rejects(agent.query('').result, { reason: 'invalid_input' });
    assert.ok(!recorder.events.some(({ type }) => type === 'turn.started'));
  });
});
