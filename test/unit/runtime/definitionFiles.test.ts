import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import type { TaskInput } from '../../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const agent = (name: string, prompt: string, ...lines: string[]): string => `---\nname: ${name}\ndescription: About ${name}\n${lines.map((line) => `${line}\n`).join('')}---\n${prompt}\n`;
const task = (display_name: string, subagent_type?: string): TaskInput => ({ display_name, prompt: display_name, ...(subagent_type !== undefined && { subagent_type }) });

describe('definition files', () => {
  let fixture: AgentFixture;
  let folder: string;
  let answer: (request: ModelRequest) => ScriptedTurn;
  afterEach(() => fixture.end());

  /** Children answer with their task; the root delegates what stands in the user's message as JSON. */
  async function start(options: AgentFixtureOptions = {}): Promise<void> {
    answer = (request) => {
      if (!isRoot(request)) return { text: `Done: ${promptOf(request)}` };
      const said = lastUserText(request) ?? '';
      return said.startsWith('[') ? { calls: [{ name: 'Agent', input: { tasks: JSON.parse(said) as unknown } }] } : { text: 'Understood.' };
    };
    fixture = await startAgent((request) => answer(request), options);
    folder = join(fixture.cwd, '.lite-agent/agents');
    fixture.agent.configure({ agents: { claude_project: join(fixture.cwd, '.claude/agents'), project: folder } });
  }
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  const childRequest = (name: string): ModelRequest => {
    const request = fixture.model.requests.find((one) => !isRoot(one) && promptOf(one) === name);
    assert.ok(request, `child ${name} asked its model`);
    return request;
  };
  const offered = (): string => fixture.model.requests.findLast(isRoot)?.tools.find(({ name }) => name === 'Agent')?.description ?? '';

  it('count for the next dispatch as they are then, without a watcher; a running child keeps what it started with (case 41)', async () => {
    await start();
    const { agent: runtime } = fixture;
    const session = await runtime.openSession();
    const run = async (name: string, type: string): Promise<void> => {
      const { groupId } = await session.delegate([task(name, type)]);
      await fixture.recorder.until('group.settled', (event) => event.groupId === groupId);
    };
    await assert.rejects(session.delegate([task('early', 'reviewer')]), { reason: 'invalid_input' });

    await write('reviewer.md', agent('reviewer', 'First prompt.', 'tools: Read'));
    await run('created', 'reviewer');
    assert.match(childRequest('created').system, /^First prompt\./);

    const gate = deferred<void>();
    const plain = answer;
    answer = (request) => (promptOf(request) === 'long' && toolResults(request).length === 0 && !isRoot(request) ? { wait: gate.promise, calls: [{ name: 'Read', input: { path: 'none' } }] } : plain(request));
    const { groupId } = await session.delegate([task('long', 'reviewer')]);
    await fixture.recorder.until('child.started', (event) => event.groupId === groupId);

    await write('reviewer.md', agent('reviewer', 'Second prompt.', 'tools: Read, Edit', 'model: other'));
    await run('edited', 'reviewer');
    assert.match(childRequest('edited').system, /^Second prompt\./);
    assert.deepEqual(childRequest('edited').tools.map(({ name }) => name), ['Read', 'Edit']);
    assert.equal(childRequest('edited').model, 'other');

    gate.resolve();
    await fixture.recorder.until('group.settled', (event) => event.groupId === groupId);
    const long = fixture.model.requests.filter((request) => !isRoot(request) && promptOf(request) === 'long');
    assert.equal(long.length, 2);
    for (const request of long) {
      assert.match(request.system, /^First prompt\./);
      assert.deepEqual(request.tools.map(({ name }) => name), ['Read']);
    }

    await rename(join(folder, 'reviewer.md'), join(folder, 'renamed.md'));
    await run('renamed', 'reviewer');
    await rm(join(folder, 'renamed.md'));
    await assert.rejects(session.delegate([task('late', 'reviewer')]), { reason: 'invalid_input' });
    fixture.model.assertClean();
  });

  it('are offered to the model in its next turn as they are then, without the hidden ones (case 45)', async () => {
    await start();
    const session = await fixture.agent.openSession();
    await session.send('hello');
    assert.doesNotMatch(offered(), /reviewer/);
    await write('reviewer.md', agent('reviewer', 'x'));
    await write('hidden.md', agent('hidden', 'x', 'delegable: false'));
    await session.send('hello');
    assert.match(offered(), /- reviewer: About reviewer/);
    assert.doesNotMatch(offered(), /hidden/);
    await rm(folder, { recursive: true });
    await session.send('hello');
    assert.doesNotMatch(offered(), /reviewer/);
  });

  it('are read against the servers that are configured at the moment (case 42)', async () => {
    await start();
    await write('uses.md', agent('uses', 'x', 'tools: [github/search]'));
    await fixture.agent.definitions.reload();
    assert.deepEqual(fixture.agent.definitions.diagnostics().map(({ severity, code, line }) => [severity, code, line]), [['warning', 'unknown_server', 4]]);
    const session = await fixture.agent.openSession();
    await assert.rejects(session.delegate([task('early', 'uses')]), { reason: 'invalid_input', message: /github\/search; MCP servers that aren't configured: github/ });
    fixture.agent.configure({ mcpServers: { github: { command: 'never-started' } } });
    await fixture.recorder.until('definitions.reloaded', ({ names, diagnostics }) => names.includes('uses') && diagnostics.length === 0);
  });

  it('keep each their own model, tools and description after a reload (case 40)', async () => {
    await start();
    const kinds = { one: 'Read', two: 'Write', three: 'Edit' };
    for (const [name, tool] of Object.entries(kinds)) await write(`${name}.md`, agent(name, `Prompt of ${name}.`, `tools: ${tool}`, `model: model-${name}`));
    await fixture.agent.definitions.reload();
    await fixture.agent.definitions.reload();
    const session = await fixture.agent.openSession();
    await session.send(JSON.stringify(Object.keys(kinds).map((name) => task(name, name))));
    await fixture.recorder.until('group.settled');
    for (const [name, tool] of Object.entries(kinds)) {
      const { model, tools, system } = childRequest(name);
      assert.deepEqual([model, tools.map((one) => one.name)], [`model-${name}`, [tool]]);
      assert.ok(system.startsWith(`Prompt of ${name}.`));
      assert.ok(offered().includes(`- ${name}: About ${name}`));
    }
  });

  it('that can\'t be loaded cost the others nothing (case 37)', async () => {
    await start();
    for (const name of ['a', 'b', 'c']) await write(`${name}.md`, agent(name, 'x'));
    await write('bad.md', '---\nname: bad\ndescription: Bad: colon\n---\n');
    const session = await fixture.agent.openSession();
    await session.delegate(['a', 'b', 'c'].map((name) => task(name, name)));
    const problem = fixture.agent.definitions.diagnostics().find(({ severity }) => severity === 'error');
    assert.deepEqual([problem?.path, problem?.line], [join(folder, 'bad.md'), 3]);
    await fixture.recorder.until('group.settled');
  });

  describe('of a project that nobody has looked at', () => {
    const approved = new Set<string>();
    const definitionApprovals = {
      isApproved: ({ path, hash }: AgentDefinition) => approved.has(`${path} ${hash}`),
      approve: ({ path, hash }: AgentDefinition) => Promise.resolve(void approved.add(`${path} ${hash}`)),
    };

    it('are not offered, and refused when they are named, until someone approves them (case 32)', async () => {
      await start({ definitionApprovals });
      await write('reviewer.md', agent('reviewer', 'x'));
      const session = await fixture.agent.openSession();
      await session.send(JSON.stringify([task('A', 'reviewer'), task('B')]));
      assert.doesNotMatch(offered(), /reviewer/);
      const refused = fixture.model.requests.flatMap(toolResults)[0];
      assert.equal(refused?.isError, true);
      assert.match(refused.text, /Task 1.*reviewer.*approve/s);
      assert.deepEqual(fixture.recorder.of('definitions.refused').map(({ sessionId, names }) => [sessionId, names]), [[session.sessionId, ['reviewer']]]);
      assert.deepEqual(fixture.agent.groups(), [], 'nothing started, not even the task beside it');
      await assert.rejects(session.delegate([task('A', 'reviewer')]), { reason: 'invalid_input' });

      const [definition] = fixture.agent.definitions.unapproved();
      await fixture.agent.definitions.approve('reviewer', definition?.hash ?? '');
      await session.send(JSON.stringify([task('A', 'reviewer')]));
      await fixture.recorder.until('group.settled');
      assert.match(offered(), /- reviewer:/);

      await write('reviewer.md', agent('reviewer', 'changed'));
      await assert.rejects(session.delegate([task('A', 'reviewer')]), { reason: 'invalid_input' });
      assert.equal(fixture.recorder.of('definitions.refused').length, 3);
    });

    it('keep even the default name, with or without it being named', async () => {
      await start({ definitionApprovals });
      await write('x.md', agent('General-Purpose', 'x'));
      const session = await fixture.agent.openSession();
      await assert.rejects(session.delegate([task('A')]), /without one, the task would run on "General-Purpose".*approve/s);
      await assert.rejects(session.delegate([task('A', 'general-purpose')]), /General-Purpose.*approve/s);
      await session.delegate([task('A', 'Explore')]);
      await fixture.recorder.until('group.settled');
      await assert.rejects(session.delegate([task('B', 'nobody')]), /Allowed: Explore\./);
    });
  });
});
