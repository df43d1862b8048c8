import assert from 'node:assert/strict';
import { AgentTools } from '../../src/runtime/agent/agentTools.ts';
import type { ToolDefinition } from '../../src/runtime/domain/tools.ts';

/** An agent's tools that never change, none of them deferred. */
export function fixedTools(tools: readonly ToolDefinition[]): AgentTools {
  return new AgentTools(
    () => ({ tools, deferred: [], companions: [], skills: [] }),
    (problem) => assert.fail(problem),
  );
}
