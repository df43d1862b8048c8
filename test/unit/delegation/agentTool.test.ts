import assert from 'node:assert/strict';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { AgentRef } from '../../../src/runtime/domain/agents.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import type { Tier } from '../../../src/runtime/domain/models.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { ToolContext, ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createAgentTool, type AgentToolOptions } from '../../../src/runtime/delegation/agentTool.ts';
import { definition, DEFINITIONS, Fixture, quiet, task } from './fixture.ts';

const ROOT: AgentRef = { kind: 'root', sessionId: 's1' };

function context(agent: AgentRef, signal: AbortSignal): ToolContext {
  const unused = (): never => assert.fail('not for this tool');
  return { agent, callId: 'c1', cwd: '/project', signal, files: { stat: unused, read: unused, write: unused, remove: unused }, reads: { seen: unused, last: unused }, resolvePath: unused, mayRead: unused, keep: unused, changed: unused, spill: unused, progress: unused, skills: [], deferred: { list: unused, activate: unused }, noteProcess: unused, services: {}, background: { start: unused, list: unused, output: unused, kill: unused } };
}

const tool = (f: Fixture, more: Partial<AgentToolOptions> = {}): ToolDefinition => createAgentTool({ dispatch: (request) => f.delegation.dispatch(request), definitions: () => DEFINITIONS, maxTasks: () => 20, background: true, tasks: false, ...more });

async function call(agentTool: ToolDefinition, input: object, agent = ROOT, signal = new AbortController().signal): Promise<string> {
  const result = await agentTool.execute(input as never, context(agent, signal));
  assert.notEqual(result.isError, true);
  return textOf(result.content);
}

describe('the Agent tool', () => {
  it('answers at once with the ids and no result (case 73)', async () => {
    const f = new Fixture();
    const text = await call(tool(f), { tasks: [task('A'), task('B')], run_in_background: false });
    const [group] = f.delegation.running('s1');
    assert.ok(group && text.includes(group.spec.groupId));
    for (const { spec } of group.children) assert.ok(text.includes(`- ${spec.displayName} (agentId: ${spec.agentId}; status: not finished)`));
    await f.delegation.close();
    assert.deepEqual(f.delegation.running(), []);
  });

  it('lets its children outlive the turn that called it (case 76)', async () => {
    const f = new Fixture();
    const turn = new AbortController();
    await call(tool(f), { tasks: [task('A')] }, ROOT, turn.signal);
    turn.abort();
    await quiet();
    assert.equal(f.children.get('A')?.signal.aborted, false);
    await assert.rejects(call(tool(f), { tasks: [task('B')] }, ROOT, turn.signal), (error) => isAppError(error, 'aborted'));
    assert.equal(f.children.size, 1);
    await f.delegation.close();
  });

  it('refuses children, too many tasks and the same task twice (case 77)', async () => {
    const f = new Fixture();
    const child: AgentRef = { kind: 'child', sessionId: 's1', groupId: 'bg_1', agentId: 'agent-1', displayName: 'A' };
    await assert.rejects(call(tool(f), { tasks: [task('A')] }, child), (error) => isAppError(error, 'denied'));
    const many = Array.from({ length: 21 }, (_, index) => task(`T${index}`));
    await assert.rejects(call(tool(f), { tasks: many }), (error) => isAppError(error, 'invalid_input') && error.message.includes('at most 20 in one call, not 21'));
    await assert.rejects(call(tool(f), { tasks: [task('A'), task('A')] }), (error) => isAppError(error, 'invalid_input') && error.message.includes('identical to task 1'));
    assert.equal(f.events.length, 0);
  });

  it('fails clearly where background work is off', async () => {
    const f = new Fixture();
    await assert.rejects(call(tool(f, { background: false }), { tasks: [task('A')] }), (error) => isAppError(error, 'unavailable'));
    assert.equal(f.events.length, 0);
  });

  it('lets no field of the call vanish', async () => {
    await assert.rejects(call(tool(new Fixture()), { tasks: [task('A')], wait: true }), (error) => isAppError(error, 'invalid_input') && error.message.includes('wait: unknown field'));
  });

  it('describes the definitions of the moment, each on one line, without hidden ones', () => {
    let definitions: readonly AgentDefinition[] = DEFINITIONS;
    const agentTool = tool(new Fixture(), { definitions: () => definitions, tiers: () => ['simple', 'complex'] });
    assert.match(agentTool.description, /\n- general-purpose: Does general-purpose\n- Researcher: Does Researcher\n\nModels \(model\), for light to hard work: simple, complex\./);
    assert.ok(!agentTool.description.includes('secret'));
    definitions = [definition('writer', { description: 'Writes\n- fake: entry' })];
    assert.match(agentTool.description, /\n- writer: Writes - fake: entry\n/);
  });

  it('says which kinds work in a worktree, since nothing of that is in the workspace at first', () => {
    const coder = definition('coder', { isolation: 'worktree' });
    const { description } = tool(new Fixture(), { definitions: () => [...DEFINITIONS, coder], tiers: () => ['simple'] });
    assert.match(description, /\n- coder: Does coder \(works in a git worktree of its own: its changes are in the workspace only once the user accepts them\)\n/);
    assert.match(description, /\n- Researcher: Does Researcher\n/);
  });

  it('tells the model nothing of how servers are reached, nor of what is hidden from it (case 45)', () => {
    const servers = [{ server: 'private-server', config: { command: 'hidden-command', env: { TOKEN: 'hidden-value' } }, tools: 'all' as const }];
    const definitions = [definition('writer', { servers, skills: ['hidden-skill'] }), definition('unlisted', { delegable: false })];
    const { description } = tool(new Fixture(), { definitions: () => definitions });
    assert.match(description, /\n- writer: Does writer$/);
    assert.doesNotMatch(description, /private-server|hidden|TOKEN|unlisted/);
  });

  it('tells the model the tiers of the moment, and leaves a wrong one to the dispatch, which names every problem', () => {
    let tiers: readonly Tier[] | undefined = ['simple', 'complex'];
    const agentTool = tool(new Fixture(), { tiers: () => tiers });
    const told = (): unknown => /"enum":(\[[^\]]*\])/.exec(JSON.stringify(agentTool.schemaFor?.()))?.[1];
    assert.equal(told(), '["simple","complex","inherit"]');
    tiers = ['medium'];
    assert.equal(told(), '["medium","inherit"]');
    assert.match(agentTool.description, /: medium\. /);
    tiers = undefined;
    assert.equal(told(), undefined);
    assert.doesNotMatch(agentTool.description, /Models/);
    assert.ok(!JSON.stringify(agentTool.inputSchema).includes('enum'));
  });

  it('offers task_id only where tasks are on', () => {
    const offers = (tasks: boolean): boolean => JSON.stringify(tool(new Fixture(), { tasks }).inputSchema).includes('task_id');
    assert.deepEqual([offers(true), offers(false)], [true, false]);
  });

  it('acts on the run, changes nothing by itself, and says in a few words what it does', () => {
    const agentTool = tool(new Fixture());
    assert.deepEqual([agentTool.actsOnRun, agentTool.isReadOnly, agentTool.targets({} as never)], [true, false, []]);
    assert.equal(agentTool.describe({ tasks: [task('Audit\n1'), {}, null] } as never), 'Delegating: Audit 1 and 2 more');
  });
});
