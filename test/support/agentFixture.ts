import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DelegationTool, LiteAgent, LiteAgentOptions } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { DELEGATION_TOOLS } from '../../src/runtime/definitions/toolNames.ts';
import { startRuntime, type RuntimeTuning } from '../../src/runtime/runtime.ts';
import { findRipgrep } from '../../src/runtime/tools/ripgrep.ts';
import { EventRecorder } from './events.ts';
import { ScriptedModel, type Script, type ScriptedTurn } from './scriptedModel.ts';

export interface AgentFixture {
  readonly agent: LiteAgent;
  readonly model: ScriptedModel;
  readonly recorder: EventRecorder;
  /** The workspace folder. */
  readonly cwd: string;
  readonly storageDir: string;
  /** Closes the agent and removes its folders. */
  end(): Promise<void>;
}

export interface AgentFixtureOptions extends Partial<LiteAgentOptions>, RuntimeTuning {
  /** Files of the workspace by relative path. */
  readonly workspace?: Readonly<Record<string, string>>;
}

/** A whole runtime on a scripted model, in folders of its own. */
export async function startAgent(script: Script, { workspace = {}, ...options }: AgentFixtureOptions = {}): Promise<AgentFixture> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'agent-')));
  const [cwd, storageDir] = [join(folder, 'workspace'), join(folder, 'storage')];
  await mkdir(cwd);
  for (const [path, text] of Object.entries(workspace)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  const fixture = await reopenAgent({ cwd, storageDir }, script, options);
  return {
    ...fixture,
    async end() {
      await fixture.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A further runtime on folders that another one has used or uses. `end` closes it and leaves the folders. */
export async function reopenAgent(
  { cwd, storageDir }: Pick<AgentFixture, 'cwd' | 'storageDir'>,
  script: Script,
  { beatMs, timing, ...options }: Partial<LiteAgentOptions> & RuntimeTuning = {},
): Promise<AgentFixture> {
  const model = new ScriptedModel(script);
  const ripgrep = await findRipgrep({ path: process.env['PATH'] ?? '' });
  const agent = await startRuntime(
    {
      cwd,
      storageDir,
      provider: model,
      model: { provider: 'scripted', model: 'm' },
      env: { PATH: process.env['PATH'] },
      tasks: true,
      ...(ripgrep && { ripgrep }),
      ...options,
    },
    { ...(beatMs !== undefined && { beatMs }), ...(timing && { timing }) },
  );
  const recorder = new EventRecorder();
  agent.subscribe((event) => recorder.record(event));
  return { agent, model, recorder, cwd, storageDir, end: () => agent.close() };
}

/** Whether a request is the root's: the only agent that can delegate. */
export function isRoot(request: ModelRequest): boolean {
  return request.tools.some(({ name }) => DELEGATION_TOOLS.some((tool) => tool === name));
}

/** The text of the first user message: for a child, its prompt. */
export function promptOf(request: ModelRequest): string {
  const first = request.messages[0];
  return first?.role === 'user' && first.content[0]?.type === 'text' ? first.content[0].text : '';
}

/** The text of the last message when it is the user's or a completion. */
export function lastUserText(request: ModelRequest): string | undefined {
  const last = request.messages.at(-1);
  return last?.role === 'user' && last.content[0]?.type === 'text' ? last.content[0].text : undefined;
}

/** The results of the calls before this request. */
export function toolResults(request: ModelRequest): { readonly text: string; readonly isError: boolean }[] {
  const last = request.messages.at(-1);
  if (last?.role !== 'tool') return [];
  return last.results.map(({ content, isError }) => ({ isError, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') }));
}

/**
 * A root that delegates the children by name, with that tool, and then acknowledges what it hears, and children that each follow the
 * turns of their own: by display name, which is also their prompt.
 */
export function delegating(children: Readonly<Record<string, readonly ScriptedTurn[]>>, tool: DelegationTool = 'Agent'): Script {
  const turns = new Map(Object.entries(children).map(([name, own]) => [name, [...own]]));
  return (request) => {
    if (!isRoot(request)) {
      const turn = turns.get(promptOf(request))?.shift();
      if (!turn) throw new Error(`unexpected turn of child ${promptOf(request)}`);
      return turn;
    }
    if (lastUserText(request) === 'go') {
      const tasks = Object.keys(children).map((name) => ({ display_name: name, prompt: name }));
      return { calls: tool === 'Task' ? tasks.map((input) => ({ name: tool, input })) : [{ name: tool, input: { tasks } }] };
    }
    return { text: toolResults(request).length > 0 ? 'Delegated.' : 'Understood.' };
  };
}
