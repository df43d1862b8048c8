import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskInput } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelCatalog, ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, toolResults, type AgentFixture } from './agentFixture.ts';
import type { Script } from './scriptedModel.ts';

/** Three tiers of the scripted model's provider, which tell apart what runs on them. */
export const TIERED: ModelCatalog = {
  simple: { provider: 'scripted', model: 'model-s', displayName: 'Small' },
  medium: { provider: 'scripted', model: 'model-m', reasoningEffort: 'low' },
  complex: { provider: 'scripted', model: 'model-c', reasoningEffort: 'high', maxOutputTokens: 900 },
};

/** A root that delegates the tasks that stand, as JSON, behind `go`, and children that answer. */
export const delegatesAsTold: Script = (request) => {
  const text = isRoot(request) ? (lastUserText(request) ?? '') : '';
  if (text.startsWith('go ')) return { calls: [{ name: 'Agent', input: { tasks: JSON.parse(text.slice(3)) as unknown } }] };
  return { text: isRoot(request) && toolResults(request).length > 0 ? 'Delegated.' : 'Done.' };
};

/** A message that makes the root delegate these. */
export function go(...tasks: readonly TaskInput[]): string {
  return `go ${JSON.stringify(tasks)}`;
}

/** A task whose prompt is its name. */
export function named(display_name: string, more: Partial<TaskInput> = {}): TaskInput {
  return { display_name, prompt: display_name, ...more };
}

/** The models that children were asked on, by prompt, in the order of their requests. */
export function modelsOfChildren({ model }: AgentFixture): readonly string[] {
  return model.requests.filter((request) => !isRoot(request)).map((request) => `${promptOf(request)}: ${request.model}`);
}

/** The requests of the root. */
export function rootRequests({ model }: AgentFixture): readonly ModelRequest[] {
  return model.requests.filter(isRoot);
}

/** Makes these the project's definitions, each with the lines of its frontmatter. */
export async function defineFiles({ agent, cwd }: AgentFixture, files: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const folder = join(cwd, 'kinds');
  await mkdir(folder, { recursive: true });
  for (const [name, fields] of Object.entries(files)) await writeFile(join(folder, `${name}.md`), ['---', `description: ${name}`, ...fields, '---', 'Work.', ''].join('\n'));
  agent.configure({ agents: { claude_project: folder } });
  await agent.definitions.reload();
}

/** Waits for the completion turn of a group. */
export async function delivered({ recorder }: AgentFixture, groupId: string): Promise<void> {
  await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && cause.groupId === groupId);
}
