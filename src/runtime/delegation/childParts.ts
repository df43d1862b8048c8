import { AgentTools } from '../agent/agentTools.ts';
import { childPrompt } from '../agent/prompt.ts';
import { resolveAgent, sortTools, type AgentKind, type ResolveOptions, type SortedTools } from '../agent/resolveAgent.ts';
import type { ChildSpec } from '../domain/agents.ts';
import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { ToolDefinition } from '../domain/tools.ts';

/** What decides which tools a child has. */
export interface ToolSources {
  /** What a child inherits, as of now. */
  readonly builtins: () => readonly ToolDefinition[];
  readonly resolving: () => Pick<ResolveOptions, 'parent' | 'deferOver'>;
  /** Asked for at each model turn and each call. */
  readonly readsOnly: (definition: AgentDefinition) => boolean;
}

/** A child as far as its tools are concerned. */
export interface ToolUser {
  readonly definition: AgentDefinition;
  /** Names of the built-in tools that it was given when it was accepted. */
  readonly granted: readonly string[];
  /** What is its own. */
  readonly capabilities: AgentCapabilities;
  /** Is told, in a sentence, what is wrong with a tool. */
  readonly report: (problem: string) => void;
  /** The deferred tools that it has found, by the names that its model calls. Default none. */
  readonly found?: Set<string>;
}

/** The tools of a child over time, and how they come about. */
export function childTools({ definition, granted, capabilities, report, found }: ToolUser, { builtins, resolving, readsOnly }: ToolSources): { readonly tools: AgentTools; readonly sort: () => SortedTools } {
  // Of the built-in tools it has what it was given when it was accepted, as far as that is still there.
  const inherited = (): readonly ToolDefinition[] => builtins().filter(({ name }) => granted.includes(name));
  const kind = (): AgentKind => ({ name: definition.name, readOnly: readsOnly(definition), ...(definition.permission && { permission: definition.permission }) });
  const of = (activated: ReadonlySet<string>): Parameters<typeof resolveAgent> => [{ builtinTools: inherited() }, capabilities, kind(), { ...resolving(), kind: 'child', activated }];
  return { tools: new AgentTools((activated) => resolveAgent(...of(activated)), report, found), sort: () => sortTools(...of(new Set())) };
}

/** The system prompt of a child. `cwd`: the folder of its group. `notes`: what it lacks, in sentences. */
export function childSystem(definition: AgentDefinition, { cwd, tools, worktree }: Pick<ChildSpec, 'tools' | 'worktree'> & { readonly cwd: string }, notes: readonly string[]): string {
  return childPrompt(definition, cwd, { notes, canAsk: tools.includes('AskUser'), ...(worktree && { worktree }) });
}
