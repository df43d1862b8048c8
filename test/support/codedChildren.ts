import type { AgentDefinition } from '../../src/runtime/domain/definitions.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, promptOf, type AgentFixture } from './agentFixture.ts';

/** Makes these the agent's definitions, beside those it was started with, of which they replace any of the same name. */
export function define({ agent }: AgentFixture, ...definitions: readonly AgentDefinition[]): void {
  const { definitions: access } = agent;
  const others = access.list().filter(({ name }) => definitions.every((own) => own.name !== name));
  access.list = () => [...others, ...definitions];
}

/** Delegates prompts, each to the definition of that name or to the one that it is given, and waits for their group's end. Resolves to the ids of the children. */
export async function delegateTo({ agent, recorder }: AgentFixture, tasks: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const session = await agent.openSession();
  const group = await session.delegate(Object.entries(tasks).map(([name, prompt]) => ({ display_name: name, subagent_type: name, prompt })));
  await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && cause.groupId === group.groupId);
  return group.children.map(({ agentId }) => agentId);
}

/** The requests of the children that began with that prompt. */
export function requestsOf({ model }: AgentFixture, prompt: string): readonly ModelRequest[] {
  return model.requests.filter((request) => !isRoot(request) && promptOf(request) === prompt);
}
