import { toolsNamed } from '../definitions/toolNames.ts';
import { nameKey } from '../definitions/names.ts';
import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { RuntimeEnvironment } from '../domain/environment.ts';
import type { SkillDefinition } from '../domain/skills.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { wireName } from './wireNames.ts';

/** Tools that delegate; never a child's, which fixes the depth of delegation at one. */
const DELEGATING: ReadonlySet<string> = new Set(['Agent', 'Task', 'MultiTask']);
/** Bytes of the schemas of all connection tools together, past which they wait to be found. */
const DEFER_OVER = 24_000;

export interface ResolveOptions {
  /** Default `root`. */
  readonly kind?: 'root' | 'child';
  /** The lists of a child's parent: they narrow the built-in tools that it inherits, and nothing else. */
  readonly parent?: Pick<AgentCapabilities, 'allowedTools' | 'disallowedTools'>;
  /** The deferred tools that the agent has found, by the names that its model calls. Default none. */
  readonly activated?: ReadonlySet<string>;
  /** See `LiteAgentOptions.deferToolsOver`. */
  readonly deferOver?: number;
}

/** What an agent works with at one moment. */
export interface ResolvedAgent {
  /** Those that its model is told of, in this order. */
  readonly tools: readonly ToolDefinition[];
  /** Those that wait until it looks for them with `FindTool`. */
  readonly deferred: readonly ToolDefinition[];
  readonly skills: readonly SkillDefinition[];
}

/**
 * The tools and skills of an agent. Pure, and the same for root and children:
 *
 * 1. built-in tools (a child's as its parent's lists narrow them), then custom, then connection tools; of two with
 *    one name the later is taken
 * 2. the allow list drops built-in tools that it doesn't name, and never touches the others
 * 3. the deny list drops from everything
 * 4. a child never delegates
 * 5. a child called `Explore`, and any with `readOnly`, keeps only what reads, and the built-in `Bash` itself, whose
 *    calls then ask or are denied unless they are known to only read
 * 6. deferred tools go to the agent's own catalogue, unless its lists took `FindTool` away
 *
 * @param runtime what is inherited.
 * @param capabilities the agent's own; nothing in them falls back to anybody else's.
 * @param definition what kind of agent it is.
 */
export function resolveAgent(
  runtime: Pick<RuntimeEnvironment, 'builtinTools'>,
  capabilities: AgentCapabilities,
  definition: Pick<AgentDefinition, 'name' | 'readOnly'>,
  options: ResolveOptions = {},
): ResolvedAgent {
  const pool = toolPool(runtime, capabilities, definition, options);
  const { skills = [], connectionTools = [] } = capabilities;
  const { builtinTools } = runtime;
  const findTool = pool.find((tool) => tool.name === 'FindTool' && builtinTools.includes(tool));
  const deferred = findTool ? deferredTools(pool, connectionTools, options) : new Set<ToolDefinition>();
  const isOffered = (tool: ToolDefinition): boolean => {
    if (tool === findTool) return deferred.size > 0;
    if (tool.name === 'Skill' && builtinTools.includes(tool)) return skills.length > 0;
    return !deferred.has(tool);
  };
  return { tools: pool.filter(isOffered), deferred: [...deferred], skills };
}

/** Steps 1 to 5 of `resolveAgent`: all tools that the agent may have. */
export function toolPool(
  runtime: Pick<RuntimeEnvironment, 'builtinTools'>,
  { customTools = [], connectionTools = [], allowedTools, disallowedTools }: AgentCapabilities,
  definition: Pick<AgentDefinition, 'name' | 'readOnly'>,
  { kind = 'root', parent = {} }: ResolveOptions = {},
): readonly ToolDefinition[] {
  const { builtinTools } = runtime;
  const bash = builtinTools.find(({ name }) => name === 'Bash');
  const inherited = kind === 'child' ? builtinTools.filter(({ name }) => isAllowed(name, parent.allowedTools) && !isDenied(name, parent.disallowedTools)) : builtinTools;
  const merged = new Map([...inherited, ...customTools, ...connectionTools].map((tool) => [tool.name, tool]));
  const onlyReads = kind === 'child' && (isExplore(definition) || definition.readOnly === true);
  return [...merged.values()]
    .filter((tool) => !builtinTools.includes(tool) || isAllowed(tool.name, allowedTools))
    .filter((tool) => !isDenied(tool.name, disallowedTools))
    .filter((tool) => kind === 'root' || !DELEGATING.has(tool.name))
    .filter((tool) => !onlyReads || tool.isReadOnly || tool === bash);
}

/** `Explore` is a policy bound to the name, whoever defines it. */
export function isExplore({ name }: Pick<AgentDefinition, 'name'>): boolean {
  return nameKey(name) === 'explore';
}

/** The lists of a definition as capabilities. One that names skills can load them, whatever tools it is limited to. */
export function listsOf({ tools, disallowedTools, skills = [] }: Pick<AgentDefinition, 'tools' | 'disallowedTools' | 'skills'>): Pick<AgentCapabilities, 'allowedTools' | 'disallowedTools'> {
  return { ...(tools !== 'inherit' && { allowedTools: skills.length > 0 ? [...tools, 'Skill'] : tools }), disallowedTools };
}

function isAllowed(name: string, list: readonly string[] | undefined): boolean {
  return list === undefined || list.some((entry) => entry === name || toolsNamed(entry, 'own').some((tool) => tool === name));
}

function isDenied(name: string, list: readonly string[] = []): boolean {
  return list.some((entry) => entry === name || isServerOf(entry, name) || toolsNamed(entry, 'own').some((tool) => tool === name));
}

/** `mcp__server` and `mcp__server__*` stand for all tools of that server. */
function isServerOf(entry: string, name: string): boolean {
  return entry.startsWith('mcp__') && name.startsWith(`${entry.replace(/__\*$/, '')}__`);
}

function deferredTools(pool: readonly ToolDefinition[], connectionTools: readonly ToolDefinition[], { activated = new Set(), deferOver = DEFER_OVER }: ResolveOptions): Set<ToolDefinition> {
  const connected = pool.filter((tool) => connectionTools.includes(tool));
  const areMany = connected.reduce((sum, tool) => sum + schemaSize(tool), 0) > deferOver;
  return new Set(pool.filter((tool) => !activated.has(wireName(tool.name)) && (tool.isDeferred === true || (areMany && connectionTools.includes(tool)))));
}

const sizes = new WeakMap<ToolDefinition, number>();

/** Bytes that a tool costs each request. */
function schemaSize(tool: ToolDefinition): number {
  const known = sizes.get(tool);
  if (known !== undefined) return known;
  const size = Buffer.byteLength(JSON.stringify([tool.name, tool.description, tool.inputSchema]));
  sizes.set(tool, size);
  return size;
}
