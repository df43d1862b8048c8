import type { SkillDefinition } from './skills.ts';
import type { ToolDefinition } from './tools.ts';

/**
 * What belongs to one agent alone. Nothing of it is inherited, and no field falls back to anybody else's: an absent
 * one is that agent's own empty value. Read anew at each model turn, so that a getter may follow a connection whose
 * tools change.
 */
export interface AgentCapabilities {
  /** Tools of connected servers, such as `acquireMCPConnection` gives them. Default none. */
  readonly connectionTools?: readonly ToolDefinition[];
  /** The host's own tools for this agent. Default none. */
  readonly customTools?: readonly ToolDefinition[];
  /** The agent's own set. Default none for a child; for the root those that were found in its folders. */
  readonly skills?: readonly SkillDefinition[];
  /** The built-in tools that it is limited to. Custom and connection tools are never limited by it. Default all that it inherits. */
  readonly allowedTools?: readonly string[];
  /** Taken away from all of its tools. `mcp__server__*` names all tools of a server. */
  readonly disallowedTools?: readonly string[];
}

/** A kind of subagent that is given in code. */
export interface SubAgentEntry {
  /** Tells the model when to use it. */
  readonly description: string;
  /** The system prompt. */
  readonly prompt: string;
  /** Added at the end of the system prompt. */
  readonly appendPrompt?: string;
  /** As a definition's. */
  readonly model?: string;
  /** Model turns. */
  readonly maxTurns?: number;
  /** As a definition's: its children work in a git worktree of their own. */
  readonly isolation?: 'worktree';
  readonly capabilities?: AgentCapabilities;
}
