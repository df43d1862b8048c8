import { DELEGATION_TOOLS } from '../definitions/toolNames.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { AgentTools } from './agentTools.ts';

/** What a subagent hears that wants to delegate. */
export const NO_SUBAGENTS = "A subagent can't start subagents: delegation is one level deep. Do the work yourself, or say in your answer what should be delegated.";

/** Why a call comes to nothing whose tool the agent doesn't have, or hasn't loaded yet. */
export function missingTool(name: string, agent: AgentRef, tools: AgentTools): string {
  if (agent.kind === 'child' && DELEGATION_TOOLS.some((tool) => tool === name)) return NO_SUBAGENTS;
  if (tools.isDeferred(name)) return `${name} isn't loaded yet. Call FindTool with the query select:${name}, and then it, in your next turn.`;
  const leader = tools.leaderOf(name);
  if (leader !== undefined) return `${name} can't be called now: no call of ${leader} in this run has started anything for it. What an earlier run or window had started ended with that.`;
  return `There is no tool named ${name}. Available: ${tools.schemas().map((tool) => tool.name).join(', ') || 'none'}.`;
}
