import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { definition } from '../delegation/fixture.ts';
import { define, delegateTo } from '../../support/codedChildren.ts';
import { ownTool, ownToolsOf, toolNames } from '../../support/ownTools.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';
import { rootRequests } from '../../support/tiers.ts';

const ALL = ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];
const taskTools = (request: ModelRequest | undefined): readonly string[] => toolNames(request).filter((name) => ALL.includes(name));

describe('the tools of the task list, in an agent', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  const start = async (options: AgentFixtureOptions = {}, script: Script = (request) => ({ text: isRoot(request) ? 'Noted.' : 'Done.' })): Promise<void> => {
    fixture = await startAgent(script, options);
  };
  const childRequests = (): readonly ModelRequest[] => fixture.model.requests.filter((request) => !isRoot(request));

  it('are the root\'s, and those that look its children\'s', async () => {
    await start();
    await delegateTo(fixture, { 'general-purpose': 'work' });
    assert.deepEqual(taskTools(rootRequests(fixture)[0]), ALL);
    assert.deepEqual(taskTools(childRequests()[0]), ['TaskGet', 'TaskList']);
  });

  it('are nobody\'s where tasks are off', async () => {
    await start({ tasks: false });
    await delegateTo(fixture, { 'general-purpose': 'work' });
    for (const request of fixture.model.requests) assert.deepEqual(taskTools(request), []);
  });

  it('are subject to the lists of the root and of definitions, under other products\' names too', async () => {
    await start({ capabilities: { disallowedTools: ['TaskGet'] } });
    define(fixture, definition('planner', { tools: ['Read', 'TodoWrite'] }), definition('reader', { tools: ['Read'] }), definition('worker'), definition('free', { disallowedTools: ['TaskList'] }));
    await delegateTo(fixture, { planner: 'a', reader: 'b', worker: 'c', free: 'd' });
    assert.deepEqual(childRequests().map(taskTools).map((names) => names.join()).sort(), ['', '', 'TaskList', 'TaskList']);
    assert.deepEqual(taskTools(rootRequests(fixture)[0]), ['TaskCreate', 'TaskUpdate', 'TaskList']);
  });

  it('give way to a tool of the host, which its children have as well', async () => {
    await start({ builtinTools: [ownTool('TaskUpdate', 'the host')] });
    await delegateTo(fixture, { 'general-purpose': 'work' });
    for (const request of fixture.model.requests) assert.deepEqual(ownToolsOf(request), { TaskUpdate: 'the host' });
    assert.deepEqual(taskTools(childRequests()[0]), ['TaskUpdate', 'TaskGet', 'TaskList']);
  });

  it('never ask, plan work, hand it out once its time has come, and complete what changed nothing', async () => {
    const idOf = (subject: string): string => fixture.agent.tasks.list().find((task) => task.subject === subject)?.id ?? '';
    const delegate = (...tasks: readonly string[]): ScriptedTurn => ({ calls: [{ name: 'Agent', input: { tasks: tasks.map((subject) => ({ display_name: subject, prompt: subject, task_id: idOf(subject) })) } }] });
    const rounds: readonly (() => ScriptedTurn)[] = [
      () => ({ calls: [{ name: 'TaskCreate', input: { subject: 'Look' } }] }),
      () => ({ calls: [{ name: 'TaskCreate', input: { subject: 'Write', blocked_by: [idOf('Look')] } }] }),
      () => delegate('Look', 'Write'),
      () => delegate('Look'),
      () => ({ text: 'Begun.' }),
    ];
    let next = 0;
    const heard: string[] = [];
    await start({ permissions: { user: { allow: ['Edit'] } } }, (request) => {
      if (!isRoot(request)) return lastUserText(request) === 'Write' ? { calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'a' } }] } : { text: 'Done.' };
      heard.push(...toolResults(request).map(({ text }) => text));
      if (lastUserText(request)?.startsWith('<background') === true) return { calls: ['Look', 'Write'].filter((subject) => fixture.agent.tasks.list().some((task) => task.subject === subject && task.status === 'review')).map((subject) => ({ name: 'TaskUpdate', input: { task_id: idOf(subject), status: 'completed' } })) };
      if (lastUserText(request) === 'next') return delegate('Write');
      return rounds[next++]?.() ?? { text: 'Noted.' };
    });
    const session = await fixture.agent.openSession();
    await session.send('plan');
    await fixture.recorder.until('task.changed', ({ task }) => task.subject === 'Look' && task.status === 'completed');
    assert.ok(heard.some((text) => text.includes(`task_id: Task ${idOf('Write')} waits for ${idOf('Look')} (pending)`)));
    await session.send('next');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && fixture.agent.groups()[1]?.groupId === cause.groupId);
    assert.match(heard.at(-1) ?? '', /Write changed 1 file, which the user reviews\. Leave task .* in review/);
    assert.deepEqual(fixture.agent.tasks.list().map(({ subject, status, history }) => [subject, status, history.at(-1)?.by]), [['Look', 'completed', 'agent'], ['Write', 'review', 'runtime']]);
    assert.deepEqual(fixture.recorder.of('approval.wanted'), []);
    fixture.model.assertClean();
  });
});
