import { DELEGATION_TOOLS } from '../definitions/toolNames.ts';
import type { AgentRef } from '../domain/agents.ts';

/** What a subagent hears that wants to delegate. */
export const NO_SUBAGENTS = "A subagent can't start subagents: delegation is one level deep. Do the work yourself, or say in your answer what should be delegated.";

/** Why a call comes to nothing whose tool the agent doesn't have. `available`: the names of those that it has. */
export function missingTool(name: string, agent: AgentRef, available: readonly string[]): string {
  if (agent.kind === 'child' && DELEGATION_TOOLS.some((tool) => tool === name)) return NO_SUBAGENTS;
  return `There is no tool named ${name}. Available: ${available.join(', ') || 'none'}.`;
}
