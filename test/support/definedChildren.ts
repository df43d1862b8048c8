import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiteAgentOptions } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, startAgent, toolResults, type AgentFixture } from './agentFixture.ts';
import type { ScriptedTurn } from './scriptedModel.ts';

/** Children by name, each with its definition's frontmatter (none: the default definition) and its turns. */
export type DefinedChildren = Readonly<Record<string, { readonly fields?: readonly string[]; readonly turns: readonly ScriptedTurn[] }>>;

/**
 * A runtime whose root, told `go`, delegates to children that run on definitions of their own.
 * @param files of the workspace by relative path
 */
export async function startDefined(children: DefinedChildren, options: Partial<LiteAgentOptions> = {}, files: Readonly<Record<string, string>> = {}): Promise<AgentFixture> {
  const turns = new Map(Object.entries(children).map(([name, own]) => [name, [...own.turns]]));
  const tasks = Object.entries(children).map(([name, { fields }]) => ({ display_name: name, prompt: name, ...(fields && { subagent_type: name }) }));
  const script = (request: ModelRequest): ScriptedTurn => {
    if (!isRoot(request)) return turns.get(promptOf(request))?.shift() ?? { text: 'done' };
    if (lastUserText(request) === 'go') return { calls: [{ name: 'Agent', input: { tasks } }] };
    return { text: toolResults(request).length > 0 ? 'Delegated.' : 'Understood.' };
  };
  const fixture = await startAgent(script, { workspace: files, ...options });
  const folder = join(fixture.storageDir, '../definitions');
  await mkdir(folder, { recursive: true });
  for (const [name, { fields }] of Object.entries(children)) {
    if (fields) await writeFile(join(folder, `${name}.md`), ['---', `description: ${name}`, ...fields, '---', 'Work.', ''].join('\n'));
  }
  fixture.agent.configure({ agents: { directory: folder } });
  await fixture.agent.definitions.reload();
  return fixture;
}

/** Sends `go` and waits for the group's completion turn; resolves to the message with which the results came. */
export async function runGroup({ agent, recorder, model }: AgentFixture): Promise<string> {
  await (await agent.openSession()).send('go');
  await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
  const request = model.requests.find((each) => isRoot(each) && lastUserText(each)?.startsWith('<background-task-completed'));
  return request === undefined ? '' : (lastUserText(request) ?? '');
}

/** The results that a child heard, of all its calls, in order. */
export function heardBy({ model }: AgentFixture, name: string): readonly string[] {
  const requests = model.requests.filter((request) => !isRoot(request) && promptOf(request) === name);
  return requests.flatMap((request) => toolResults(request).map(({ text }) => text));
}
