import { nameKey } from '../definitions/names.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { ToolDefinition } from '../domain/tools.ts';

/** Tools that delegate; never a child's, which fixes the depth of delegation at one. */
const DELEGATING = new Set(['Agent', 'Task', 'MultiTask']);

/**
 * The tools of a child: the parent's built-ins, narrowed by the definition's lists, without the delegating ones; for
 * `Explore` only what reads, and the built-in `Bash` itself (whose calls then ask unless they are known to only read).
 */
export function childTools(builtins: readonly ToolDefinition[], definition: AgentDefinition): readonly ToolDefinition[] {
  const { tools, disallowedTools } = definition;
  const bash = builtins.find((tool) => tool.name === 'Bash');
  return builtins
    .filter((tool) => tools === 'inherit' || tools.includes(tool.name))
    .filter((tool) => !disallowedTools.includes(tool.name))
    .filter((tool) => !DELEGATING.has(tool.name))
    .filter((tool) => !isExplore(definition) || tool.isReadOnly || tool === bash);
}

/** `Explore` is a policy bound to the name, whoever defines it. */
export function isExplore(definition: AgentDefinition): boolean {
  return nameKey(definition.name) === 'explore';
}
