import { roomOf } from '../agent/context/room.ts';
import { modelOrigin } from '../agent/modelChoice.ts';
import type { PooledTool } from '../agent/resolveAgent.ts';
import { childTiming, type SharedTiming } from '../agent/timing.ts';
import { throwIfAborted } from '../base/abort.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { capitalised } from '../base/text.ts';
import { wireName } from '../base/wireNames.ts';
import { nameKey } from '../definitions/names.ts';
import type { AgentDefinition, FoundDefinition } from '../domain/definitions.ts';
import type { DroppedName, EffectiveAgent, EffectiveChild, EffectiveServer, EffectiveTool, PreviewOptions, ToolOrigin } from '../domain/effectiveAgent.ts';
import type { GroupBudget, TaskInput } from '../domain/liteAgent.ts';
import type { PermissionLayer, PermissionMode } from '../domain/permissions.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { specifyChild } from './accept.ts';
import { withBudgetNotes } from './budget.ts';
import type { ChildCapabilities } from './capabilities.ts';
import { planWorktree } from './checkCall.ts';
import { childSystem, childTools, type ToolSources } from './childParts.ts';
import { grantedTools, resolveChild, type Inheritance } from './childSetup.ts';
import type { WorktreePlans } from './deps.ts';
import { checkStart, type ValidTask } from './validate.ts';

/** What a preview is made from: the same as a child that starts. */
export interface PreviewParts extends ToolSources {
  /** Brings definitions and skills up to their files' present state. */
  readonly refresh: () => Promise<void>;
  readonly found: () => readonly FoundDefinition[];
  readonly inheritance: () => Inheritance;
  readonly worktrees: WorktreePlans;
  /** `connects`: with its servers, for a limited time. Never rejects. */
  readonly capabilities: (definition: AgentDefinition, connects: boolean, signal: AbortSignal) => Promise<ChildCapabilities>;
  readonly layers: (definition: AgentDefinition) => readonly PermissionLayer[];
  readonly permissionMode: () => PermissionMode;
  readonly timing: SharedTiming;
  readonly budget: () => GroupBudget | undefined;
  /** Whether a built-in tool is the host's. */
  readonly isHosts: (tool: ToolDefinition) => boolean;
  /** The agent's own folder, absolute. */
  readonly cwd: () => string;
}

type Named = Extract<FoundDefinition, { status: 'active' | 'unapproved' }>;

/** See `LiteAgent.preview`. */
export async function previewAgent(name: string, { model, cwd, connect = true, signal = new AbortController().signal }: PreviewOptions, parts: PreviewParts): Promise<EffectiveAgent> {
  await parts.refresh();
  throwIfAborted(signal);
  const found = parts.found().find((one): one is Named => (one.status === 'active' || one.status === 'unapproved') && nameKey(one.name) === nameKey(name));
  if (!found) throw new AppError('not_found', `There is no definition called "${name}".`);
  const { definition, diagnostics } = found;
  const isApproved = found.status === 'active';
  const { description, source, path, hash, delegable } = definition;
  const problems: string[] = [];
  const place = cwd ?? parts.cwd();
  const task: TaskInput = { display_name: 'Preview', subagent_type: definition.name, prompt: 'Preview', ...(model !== undefined && { model }) };
  const worktree = definition.isolation && (await planWorktree({ cwd: place }, parts));
  const valid = checkStart(task, definition, { resolveChild: (...of) => resolveChild(...of, parts.inheritance()), ...(worktree && { worktree }) }, (_field, problem) => problems.push(sentence(problem)));
  // What nobody has looked at starts no program.
  const child = valid && (await previewChild(valid, place, connect && isApproved, problems, signal, parts));
  return { name: definition.name, description, source, ...(path !== undefined && { path }), ...(hash !== undefined && { hash }), delegable, isApproved, diagnostics, problems, ...(child && { child }) };
}

async function previewChild(valid: ValidTask, cwd: string, connects: boolean, problems: string[], signal: AbortSignal, parts: PreviewParts): Promise<EffectiveChild> {
  const own = await parts.capabilities(valid.definition, connects, signal);
  try {
    throwIfAborted(signal);
    if (own.refusal) {
      if (!isAppError(own.refusal, 'unavailable')) throw own.refusal;
      problems.push(own.refusal.message);
    }
    return await childWith(own, valid, cwd, parts);
  } finally {
    await own.release();
  }
}

async function childWith({ capabilities, notes, servers }: ChildCapabilities, valid: ValidTask, cwd: string, parts: PreviewParts): Promise<EffectiveChild> {
  const { definition, task } = valid;
  const fresh = await specifyChild(valid, parts.worktrees);
  const [spec = fresh] = withBudgetNotes([fresh], parts.budget());
  const inheritance = parts.inheritance();
  const toolProblems: string[] = [];
  const { tools, sort } = childTools({ definition, granted: spec.tools, capabilities, report: (problem) => toolProblems.push(problem) }, parts);
  const sorted = sort();
  const now = tools.current();
  const shown = (tool: ToolDefinition): EffectiveTool => ({ ...tools.schema(tool, now), origin: originOf(tool, sorted.kept, servers, parts) });
  const offered = now.tools.map(shown);
  const waiting = [...now.deferred, ...now.companions];
  const { window: contextWindow, answer: maxOutputTokens } = roomOf(spec.model);
  const { limits } = childTiming(parts.timing, definition);
  const { effort, maxTurns, maxDurationMs, resultSchema } = definition;
  return {
    cwd: spec.worktree?.path ?? cwd,
    ...(spec.worktree && { worktree: spec.worktree }),
    system: childSystem(definition, { ...spec, cwd }, notes),
    model: spec.model,
    modelFrom: modelOrigin(task.model, definition, inheritance.models),
    ...(spec.model.reasoningEffort && { effortFrom: effort === undefined ? 'model' : 'definition' }),
    maxOutputTokens,
    contextWindow,
    maxTurns: spec.maxTurns,
    maxTurnsFrom: maxTurns === undefined ? 'settings' : 'definition',
    maxDurationMs: limits.maxDurationMs,
    maxDurationFrom: maxDurationMs === undefined ? 'settings' : 'definition',
    tools: offered,
    waiting: waiting.map((tool) => ({ ...shown(tool), ...(tool.comesWith !== undefined && { comesWith: tool.comesWith }) })),
    dropped: [
      ...[...grantedTools(definition, inheritance).dropped, ...sorted.dropped].map(({ tool, why }): DroppedName => ({ name: tool.name, why })),
      ...sorted.kept.filter(({ tool }) => !now.tools.includes(tool) && !waiting.includes(tool)).map(({ tool }): DroppedName => ({ name: tool.name, why: 'idle' })),
      ...unknownNames(definition, inheritance).map((name): DroppedName => ({ name, why: 'unknown' })),
    ],
    skills: now.skills,
    servers,
    layers: parts.layers(definition),
    permissionMode: parts.permissionMode(),
    ...(resultSchema && { resultSchema }),
    notes: [...(spec.notes ?? []), ...notes, ...toolProblems],
  };
}

/** What its list names of built-in tools that nobody has here. One of a definition in code may name tools of its own, which its notes tell of. */
function unknownNames({ tools, source }: AgentDefinition, { builtinTools }: Inheritance): readonly string[] {
  if (tools === 'inherit' || source === 'code') return [];
  return tools.filter((named) => !builtinTools.some(({ name }) => name === named));
}

function originOf(tool: ToolDefinition, pool: readonly PooledTool[], servers: readonly EffectiveServer[], { isHosts }: PreviewParts): ToolOrigin {
  const origin = pool.find((pooled) => wireName(pooled.tool.name) === wireName(tool.name))?.origin;
  switch (origin) {
    case 'connection': {
      const server = servers.find(({ tools }) => tools.includes(tool.name))?.server;
      return { kind: 'server', ...(server !== undefined && { server }) };
    }
    case 'builtin':
      return { kind: isHosts(tool) ? 'host' : tool.name === 'Skill' ? 'skill' : 'builtin' };
    case 'custom':
    case undefined:
      return { kind: 'own' };
  }
}

function sentence(problem: string): string {
  return capitalised(problem).replace(/[.!?]?$/, '.');
}
