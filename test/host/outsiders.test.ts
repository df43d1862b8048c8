import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PanelEvent, SubagentPanelApi } from '../../src/api.ts';
import { LM_TOOLS, MODEL_VENDOR } from '../../src/ids.ts';
import { until } from '../support/hostEvents.ts';
import { OUTSIDER, startOutsider, withoutQuestions, type Outsider } from '../support/outsider.ts';

const QUESTION = 'Where is "discount" applied?';

describe('another extension', () => {
  let outsider: Outsider;
  let panel: SubagentPanelApi;
  let askAgain: () => Promise<void>;
  let listening: { dispose(): void };
  let events: PanelEvent[];
  const happened = new vscode.EventEmitter<PanelEvent>();

  before(async () => {
    askAgain = await withoutQuestions();
    outsider = await startOutsider();
    panel = await outsider.panel(1);
  });

  beforeEach(() => {
    events = [];
    listening = panel.subscribe((event) => {
      events.push(event);
      happened.fire(event);
    });
  });

  afterEach(() => listening.dispose());
  after(() => askAgain());

  const ends = (): readonly string[] => events.flatMap((event) => (event.type === 'group.changed' ? [event.status] : []));

  it('has a chat participant that delegates, and gets all results together', async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: MODEL_VENDOR });
    outsider.tasks = [{ display_name: 'First', prompt: QUESTION }, { display_name: 'Second', prompt: 'fail' }];
    await vscode.commands.executeCommand('workbench.action.chat.open', { query: `@${OUTSIDER} go`, modelSelector: { vendor: MODEL_VENDOR, id: model?.id } });
    await until('its answer', outsider.onDidAnswer, () => outsider.answer !== undefined);
    assert.match(outsider.answer ?? '', /^## First \(agentId: agent-general-purpose-\S+; status: completed\)\n.*discount.*\n## Second \(agentId: \S+; status: failed\)\nError: /s);
    assert.deepEqual(ends(), ['partial']);
  });

  it('cancels the group with its call', async () => {
    const cancel = new vscode.CancellationTokenSource();
    const call = outsider.invoke(LM_TOOLS.delegate, { tasks: [{ display_name: 'Slow', prompt: 'sleep 3600' }] }, cancel.token);
    const failed = assert.rejects(call);
    await until('the subagent at work', happened.event, () => events.some((event) => event.type === 'child.changed' && event.status === 'running'));
    cancel.cancel();
    await failed;
    await until('the end of the group', happened.event, () => ends().includes('cancelled'));
    assert.deepEqual(events.flatMap((event) => (event.type === 'child.changed' ? [event.status] : [])), ['queued', 'running', 'cancelled']);
    cancel.dispose();
  });

  it('gets a result that fits the tokens it has', async () => {
    const options = { tokenBudget: 120, countTokens: async (text: string) => text.length / 4 };
    const text = await outsider.invoke(LM_TOOLS.delegate, { tasks: [{ display_name: 'Long', prompt: QUESTION }] }, undefined, options);
    assert.ok(text.length <= 480, text);
    assert.match(text, /## Long .*\[Cut/s);
  });

  it('hears at once all that is wrong with a call, and nothing starts', async () => {
    const call = outsider.invoke(LM_TOOLS.delegate, { tasks: [{ display_name: 'A', prompt: 'x', subagent_type: 'nobody' }, { display_name: 'B', prompt: '' }] });
    await assert.rejects(call, (error: Error) => /nobody/.test(error.message) && /general-purpose/.test(error.message) && /prompt/.test(error.message));
    await assert.rejects(outsider.invoke(LM_TOOLS.delegate, { tasks: [{ display_name: 'A', prompt: 'x' }], folder: '/nowhere' }), /folder/);
    assert.deepEqual(events, []);
  });

  it('can ask how the subagents stand', async () => {
    const { id, results } = await panel.startGroup({ tasks: [{ name: 'Told of', prompt: QUESTION }] });
    await results;
    const text = await outsider.invoke(LM_TOOLS.status, {});
    assert.ok(text.includes(`Group ${id} (completed)`), text);
    assert.match(text, /- Told of \(agentId: \S+\): /);
  });

  it('starts groups by the API, of its own kind of agent too, and cancels them', async () => {
    const agent = panel.registerAgent('outside-expert', { description: 'Knows the outside.', prompt: 'You know the outside.', tools: ['Read', 'Grep', 'Glob'] });
    const group = await panel.startGroup({ tasks: [{ name: 'Expert', agent: 'outside-expert', prompt: QUESTION }] });
    const { status, children, text } = await group.results;
    assert.deepEqual([status, children.map(({ name, status: end }) => [name, end])], ['completed', [['Expert', 'completed']]]);
    assert.ok(text.startsWith('## Expert (agentId: agent-outside-expert-'), text);
    agent.dispose();
    await assert.rejects(panel.startGroup({ tasks: [{ name: 'Expert', agent: 'outside-expert', prompt: 'x' }] }), /outside-expert/);

    const slow = await panel.startGroup({ tasks: [{ name: 'Slow', prompt: 'sleep 3600' }] });
    await slow.cancel();
    assert.equal((await slow.results).status, 'cancelled');
    assert.equal(events.filter(({ type }) => type === 'group.started').length, 2);
  });

  it('is refused what is taken or broken, and harms nobody by what fails', async () => {
    await assert.rejects(outsider.panel(2), /2.*1/);
    const tool = { name: 'outside_weather', description: 'Tells the weather.', inputSchema: { type: 'object' }, invoke: async () => 'sunny' };
    const registered = panel.registerTool(tool);
    assert.throws(() => panel.registerTool(tool), /registered/);
    assert.throws(() => panel.registerTool({ ...tool, name: 'Bash' }), /built-in/);
    assert.throws(() => panel.registerAgent('Explore', { description: 'd', prompt: 'p' }), /built-in/);
    registered.dispose();
    panel.registerTool(tool).dispose();

    const broken = panel.subscribe(() => {
      throw new Error('a broken listener');
    });
    const { results } = await panel.startGroup({ tasks: [{ name: 'Unharmed', prompt: QUESTION }] });
    assert.equal((await results).status, 'completed');
    broken.dispose();
    assert.ok(ends().includes('completed'));
  });
});
