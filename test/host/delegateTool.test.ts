import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LM_TOOLS } from '../../src/ids.ts';
import type { GroupResults, GroupSpec, PlannedChild } from '../../src/runtime/domain/agents.ts';
import type { LiteAgent, LiteSession } from '../../src/runtime/domain/liteAgent.ts';
import type { AnywhereContext } from '../../src/ui/anywhere/context.ts';
import type { Obstacle } from '../../src/ui/anywhere/obstacle.ts';
import { DelegateTool } from '../../src/ui/lmTools/delegateTool.ts';
import { StatusTool } from '../../src/ui/lmTools/statusTool.ts';

const TASKS = [{ display_name: 'Audit', prompt: 'Look.' }];
const PLANNED: PlannedChild = { displayName: 'Audit', prompt: 'Look.', definition: { name: 'worker', description: 'd', prompt: 'p', tools: 'inherit', disallowedTools: [], delegable: true, source: 'bundled' }, model: { provider: 'offline', model: 'offline' }, tools: ['Read'], notes: [] };
const GROUP: GroupSpec = { groupId: 'bg_1', sessionId: 's1', cwd: '/w', children: [] };

/** What is given, and nothing else. */
function contextOf(agent: Partial<LiteAgent>, obstacle?: Obstacle): AnywhereContext {
  const parts: Partial<AnywhereContext> = {
    obstacle: () => obstacle,
    dryRun: { isOn: () => false, onDidChange: () => new vscode.Disposable(() => undefined) },
    access: { agent: async () => agent as LiteAgent, current: undefined, onDidCreate: new vscode.EventEmitter<LiteAgent>().event },
  };
  return parts as AnywhereContext;
}

const prepare = (context: AnywhereContext, input: object): Promise<vscode.PreparedToolInvocation> => new DelegateTool(context).prepareInvocation({ input: { ...input } });
const invoke = (context: AnywhereContext, input: object, token = new vscode.CancellationTokenSource().token): Promise<vscode.LanguageModelToolResult> => new DelegateTool(context).invoke({ input: { ...input }, toolInvocationToken: undefined }, token);

describe(LM_TOOLS.delegate, () => {
  it('asks with what would start, and starts nothing for that', async () => {
    const planned: unknown[] = [];
    const context = contextOf({ plan: async (tasks, options) => (planned.push([tasks, options]), [PLANNED, { ...PLANNED, displayName: 'Second' }]) });
    const { invocationMessage, confirmationMessages } = await prepare(context, { tasks: TASKS });
    assert.deepEqual(planned, [[TASKS, { by: 'model' }]]);
    assert.equal(invocationMessage, 'Delegating to 2 subagents');
    const message = confirmationMessages?.message;
    assert.ok(message instanceof vscode.MarkdownString && message.isTrusted !== true && message.value.includes('**Second** · worker'));
  });

  it('tells the model what keeps it from delegating', async () => {
    const obstacles = { no_folder: /open a folder/, untrusted: /Restricted Mode/, switched_off: /subagents\.agents\.enabled/ };
    for (const [obstacle, words] of Object.entries(obstacles)) {
      const context = contextOf({}, obstacle as Obstacle);
      await assert.rejects(prepare(context, { tasks: TASKS }), words);
      await assert.rejects(invoke(context, { tasks: TASKS }), words);
    }
    await assert.rejects(invoke(contextOf({}), { tasks: TASKS, wait: true }), /wait.*Allowed: tasks, folder/);
    await assert.rejects(new StatusTool(contextOf({}, 'no_folder')).invoke(), /open a folder/);
  });

  it('is over, when it is cancelled, only once the group has really stopped', async () => {
    const order: string[] = [];
    const results = Promise.withResolvers<GroupResults>();
    const stopped = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const session: Partial<LiteSession> = { start: async () => (started.resolve(), { group: GROUP, results: results.promise }) };
    const cancelGroup = async (id: string): Promise<void> => {
      order.push(`cancel ${id}`);
      await stopped.promise;
      order.push('stopped');
    };
    const cancel = new vscode.CancellationTokenSource();
    const call = invoke(contextOf({ openSession: async () => session as LiteSession, cancelGroup }), { tasks: TASKS }, cancel.token).catch((error: unknown) => {
      order.push('over');
      return error;
    });
    await started.promise;
    await new Promise(setImmediate);
    cancel.cancel();
    results.resolve({ groupId: 'bg_1', status: 'cancelled', children: [], text: () => '' });
    await new Promise(setImmediate);
    stopped.resolve();
    assert.ok((await call) instanceof vscode.CancellationError);
    assert.deepEqual(order, ['cancel bg_1', 'stopped', 'over']);
  });

  it('starts nothing where it was cancelled before it could', async () => {
    const cancel = new vscode.CancellationTokenSource();
    cancel.cancel();
    await assert.rejects(invoke(contextOf({ openSession: async () => ({}) as LiteSession }), { tasks: TASKS }, cancel.token), vscode.CancellationError);
  });

  it('works in a conversation of its own in the folder, and its tasks are a model’s', async () => {
    const seen: unknown[] = [];
    const session: Partial<LiteSession> = { start: async (...args) => (seen.push(args), { group: GROUP, results: Promise.resolve({ groupId: 'bg_1', status: 'completed', children: [], text: () => 'All of it.' }) }) };
    const result = await invoke(contextOf({ openSession: async (options) => (seen.push(options), session as LiteSession) }), { tasks: TASKS });
    assert.deepEqual(seen, [{ cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, answers: false }, [TASKS, { by: 'model' }]]);
    assert.deepEqual(result.content.map((part) => part instanceof vscode.LanguageModelTextPart && part.value), ['All of it.']);
  });
});
