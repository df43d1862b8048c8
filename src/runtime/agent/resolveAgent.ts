import { wireName } from '../base/wireNames.ts';
import { nameKey } from '../definitions/names.ts';
import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { DropReason } from '../domain/effectiveAgent.ts';
import type { RuntimeEnvironment } from '../domain/environment.ts';
import type { SkillDefinition } from '../domain/skills.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { isAllowed, isDenied, type ToolLists } from './toolLists.ts';

/** Tools that delegate; never a child's, which fixes the depth of delegation at one. */
const DELEGATING: ReadonlySet<string> = new Set(['Agent', 'Task', 'MultiTask']);
/** Bytes of the schemas of all connection tools together, past which they wait to be found. */
const DEFER_OVER = 24_000;

export interface ResolveOptions {
  /** Default `root`. */
  readonly kind?: 'root' | 'child';
  /** The lists of a child's parent: they narrow the built-in tools that it inherits, and nothing else. */
  readonly parent?: ToolLists;
  /** The deferred tools that the agent has found, by the names that its model calls. Default none. */
  readonly activated?: ReadonlySet<string>;
  /** See `LiteAgentOptions.deferToolsOver`. */
  readonly deferOver?: number;
}

/** What of a definition has a say in which tools its agents have. */
export type AgentKind = Pick<AgentDefinition, 'name' | 'readOnly' | 'permission'>;

/** What an agent works with at one moment. */
export interface ResolvedAgent {
  /** Those that its model is told of, in this order; no two have one name for the model. */
  readonly tools: readonly ToolDefinition[];
  /** Those that wait until it looks for them with `FindTool`. */
  readonly deferred: readonly ToolDefinition[];
  /** Those that wait until a call of the tool that they come with takes them into use. */
  readonly companions: readonly ToolDefinition[];
  readonly skills: readonly SkillDefinition[];
}

/** A tool with where it comes from, which tells what the lists and policies do to it. */
export interface PooledTool {
  readonly tool: ToolDefinition;
  readonly origin: 'builtin' | 'custom' | 'connection';
}

/**
 * The tools and skills of an agent. Pure, and the same for root and children:
 *
 * 1. built-in tools (a child's as its parent's lists narrow them), then custom, then connection tools; of two with
 *    one name the later is taken
 * 2. the allow list drops built-in tools that it doesn't name, and never touches the others; one that comes with
 *    another tool is named with that
 * 3. the deny list drops from everything, and with a tool goes what comes with it
 * 4. a child never delegates, and one whose definition never asks has no tool that does
 * 5. a child called `Explore`, and any with `readOnly`, keeps only what reads, and the built-in `Bash` itself, whose
 *    calls then ask or are denied unless they are known to only read
 * 6. deferred tools go to the agent's own catalogue, unless its lists took `FindTool` away; one that comes with another
 *    waits for a call of that, and isn't in the catalogue
 *
 * `FindTool` is there as long as any tool is deferred, found or not, and `Skill` where there are skills.
 *
 * @param runtime what is inherited.
 * @param capabilities the agent's own; nothing in them falls back to anybody else's.
 * @param definition what kind of agent it is.
 */
export function resolveAgent(
  runtime: Pick<RuntimeEnvironment, 'builtinTools'>,
  capabilities: AgentCapabilities,
  definition: AgentKind,
  options: ResolveOptions = {},
): ResolvedAgent {
  const pool = pooledTools(runtime, capabilities, definition, options);
  const { skills = [] } = capabilities;
  const { activated = new Set() } = options;
  const findTool = pool.find((pooled) => isBuiltin(pooled, 'FindTool'));
  const deferrable = new Set(findTool ? deferrableTools(pool, options) : []);
  const waits = ({ tool }: PooledTool): boolean => !activated.has(wireName(tool.name));
  const companions = pool.filter(({ tool }) => tool.comesWith !== undefined);
  const isOffered = (pooled: PooledTool): boolean => {
    if (pooled === findTool) return deferrable.size > 0;
    if (isBuiltin(pooled, 'Skill')) return skills.length > 0;
    return !(deferrable.has(pooled) || companions.includes(pooled)) || !waits(pooled);
  };
  return { tools: pool.filter(isOffered).map(toolOf), deferred: [...deferrable].filter(waits).map(toolOf), companions: companions.filter(waits).map(toolOf), skills };
}

/** All tools that an agent may have, and those that were taken away on the way there, in the order of the steps. */
export interface SortedTools {
  readonly kept: readonly PooledTool[];
  readonly dropped: readonly DroppedTool[];
}

export interface DroppedTool {
  readonly tool: ToolDefinition;
  readonly why: DropReason;
}

/** Steps 1 to 5 of `resolveAgent`. */
export function sortTools(runtime: Pick<RuntimeEnvironment, 'builtinTools'>, capabilities: AgentCapabilities, definition: AgentKind, options: ResolveOptions = {}): SortedTools {
  const dropped: DroppedTool[] = [];
  const kept = pooledTools(runtime, capabilities, definition, options, dropped);
  return { kept, dropped };
}

/** All tools that the agent may have. */
export function toolPool(...of: Parameters<typeof resolveAgent>): readonly ToolDefinition[] {
  return sortTools(...of).kept.map(toolOf);
}

/** The built-in tools that a child of a root with these lists may have at all. */
export function inheritedTools(builtinTools: readonly ToolDefinition[], parent: ToolLists): readonly ToolDefinition[] {
  return inherited(builtinTools.map(ofBuiltin), parent, []).map(toolOf);
}

function inherited(builtins: readonly PooledTool[], parent: ToolLists, dropped: DroppedTool[]): readonly PooledTool[] {
  const tools = sieve(builtins, 'parent_lists', dropped, ({ tool: { name, comesWith = name } }) => isAllowed(comesWith, parent) && !isDenied(name, parent));
  return withLeaders(tools, dropped);
}

/** Without the tools that come with one that isn't there. */
function withLeaders(pool: readonly PooledTool[], dropped: DroppedTool[]): readonly PooledTool[] {
  const names = new Set(pool.map(({ tool }) => tool.name));
  return sieve(pool, 'alone', dropped, ({ tool: { comesWith } }) => comesWith === undefined || names.has(comesWith));
}

/** Takes tools out of the pool, and notes why. */
function sieve(pool: readonly PooledTool[], why: DropReason, dropped: DroppedTool[], isKept: (pooled: PooledTool) => boolean): readonly PooledTool[] {
  return pool.filter((pooled) => {
    if (isKept(pooled)) return true;
    dropped.push({ tool: pooled.tool, why });
    return false;
  });
}

/** `Explore` is a policy bound to the name, whoever defines it. */
export function isExplore({ name }: Pick<AgentDefinition, 'name'>): boolean {
  return nameKey(name) === 'explore';
}

function pooledTools(
  { builtinTools }: Pick<RuntimeEnvironment, 'builtinTools'>,
  { customTools = [], connectionTools = [], allowedTools, disallowedTools }: AgentCapabilities,
  definition: AgentKind,
  { kind = 'root', parent = {} }: ResolveOptions = {},
  dropped: DroppedTool[] = [],
): readonly PooledTool[] {
  const isChild = kind === 'child';
  const onlyReads = isChild && (isExplore(definition) || definition.readOnly === true);
  const isSilent = isChild && definition.permission?.onAsk === 'deny';
  const lists: ToolLists = { ...(allowedTools && { allowedTools }), ...(disallowedTools && { disallowedTools }) };
  const builtins = builtinTools.map(ofBuiltin);
  let pool = mergeByName(
    [
      ...(isChild ? inherited(builtins, parent, dropped) : builtins),
      ...customTools.map((tool): PooledTool => ({ tool, origin: 'custom' })),
      ...connectionTools.map((tool): PooledTool => ({ tool, origin: 'connection' })),
    ],
    dropped,
  );
  const keep = (why: DropReason, isKept: (pooled: PooledTool) => boolean): void => void (pool = sieve(pool, why, dropped, isKept));
  keep('not_allowed', ({ tool: { name, comesWith = name }, origin }) => origin !== 'builtin' || isAllowed(comesWith, lists));
  keep('denied', ({ tool }) => !isDenied(tool.name, lists));
  keep('delegates', ({ tool }) => !isChild || !DELEGATING.has(tool.name));
  keep('never_asks', ({ tool }) => !isSilent || !tool.asksPerson);
  keep('only_reads', (pooled) => !onlyReads || pooled.tool.isReadOnly === true || isBuiltin(pooled, 'Bash') || comesWithBash(pooled));
  return withLeaders(pool, dropped);
}

/** By the names that a model sees: a request with two tools of one name is refused as a whole. */
function mergeByName(tools: readonly PooledTool[], dropped: DroppedTool[]): readonly PooledTool[] {
  const latest = new Map(tools.map((pooled) => [wireName(pooled.tool.name), pooled]));
  dropped.push(...tools.filter((pooled) => latest.get(wireName(pooled.tool.name)) !== pooled).map(({ tool }): DroppedTool => ({ tool, why: 'replaced' })));
  return [...latest.values()];
}

function ofBuiltin(tool: ToolDefinition): PooledTool {
  return { tool, origin: 'builtin' };
}

/** Of what Bash left running it sees and ends nothing that Bash wasn't allowed to start. */
function comesWithBash({ tool, origin }: PooledTool): boolean {
  return origin === 'builtin' && tool.comesWith === 'Bash';
}

function deferrableTools(pool: readonly PooledTool[], { deferOver = DEFER_OVER }: ResolveOptions): readonly PooledTool[] {
  const connected = pool.filter(({ origin }) => origin === 'connection');
  const areMany = connected.reduce((sum, { tool }) => sum + schemaSize(tool), 0) > deferOver;
  return pool.filter((pooled) => !isBuiltin(pooled, 'FindTool') && (pooled.tool.isDeferred === true || (areMany && pooled.origin === 'connection')));
}

/** By where it comes from, not by its name alone. */
function isBuiltin({ tool, origin }: PooledTool, name: string): boolean {
  return origin === 'builtin' && tool.name === name;
}

function toolOf({ tool }: PooledTool): ToolDefinition {
  return tool;
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
