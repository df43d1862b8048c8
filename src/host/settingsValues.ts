import { SETTINGS, type SettingKey } from '../ids.ts';
import type { GroupBudget, TimeLimits } from '../runtime/domain/liteAgent.ts';
import type { PermissionLists, PermissionMode } from '../runtime/domain/permissions.ts';
import { readModels, type ConfiguredModels } from './catalogSettings.ts';
import type { Environment } from './endpoints.ts';
import type { WrittenServer } from './mcp/serverConfig.ts';
import { readMcpServers } from './mcpSettings.ts';
import { ProblemList, type SettingProblem, type ValueProblem } from './settingProblems.ts';
import { isText, SettingValues, type Inspect, type Inspection } from './settingValue.ts';
import { readWeb, type WebSettings } from './webSettings.ts';

export interface Settings extends ConfiguredModels, WebSettings {
  readonly maxParallelSubagents: number;
  readonly maxTasksPerCall: number;
  readonly maxTurns: number;
  readonly timeLimits: Required<TimeLimits>;
  /** What one group may use up; empty means no limit. */
  readonly budget: GroupBudget;
  /** The user's rules, the only ones that can loosen a default. */
  readonly userPermissions: PermissionLists;
  /** Rules of workspace and folder, which can only tighten. */
  readonly workspacePermissions: PermissionLists;
  readonly subagentPermission: PermissionLists | undefined;
  readonly permissionMode: PermissionMode;
  /** Names of variables for the shell, by the user alone. */
  readonly shellEnvironment: { readonly keep: readonly string[]; readonly drop: readonly string[] };
  /** As written; empty means none. */
  readonly agentsDirectory: string;
  readonly agentsEnabled: boolean;
  /** Whether other products' folders of definitions and skills are read. */
  readonly agentsInterop: boolean;
  readonly tasksEnabled: boolean;
  /** The user's own, by name; variables in them are still open. */
  readonly mcpServers: Readonly<Record<string, WrittenServer>>;
  /** As written; empty means none. */
  readonly skillsDirectory: string;
  readonly skillsEnabled: boolean;
}

/** A week: longer spans than this are not meant, and some would not fit into a timer. */
const MAX_SECONDS = 604_800;

/**
 * Reads every setting. A bad value is reported and skipped, so that the next wider scope's counts; it never throws.
 * @param env may name the address of a provider where the settings don't
 */
export function readSettings(inspect: Inspect, env: Environment = {}): { readonly settings: Settings; readonly problems: readonly SettingProblem[] } {
  const problems = new ProblemList();
  const values = new SettingValues(inspect, problems);
  const list = (key: SettingKey, scopes: readonly (keyof Inspection)[]): readonly string[] => [
    // With one folder, VS Code gives its values for the workspace and for the folder.
    ...new Set(scopes.flatMap((scope) => rules(inspect(key)?.[scope], () => problems.add(key, 'not_a_list')))),
  ];
  /** Of a limit that can't be read nobody knows what it was to stop. */
  const limits = (key: SettingKey, scopes: readonly (keyof Inspection)[]): readonly string[] => [...new Set([...list(key, scopes), ...scopes.flatMap((scope) => brokenRules(inspect(key)?.[scope]))])];
  const inner = ['workspaceValue', 'workspaceFolderValue'] as const;
  const settings: Settings = {
    ...readModels(values, env),
    maxParallelSubagents: values.count(SETTINGS.maxParallelSubagents, 'any', 5, { max: 64 }),
    maxTasksPerCall: values.count(SETTINGS.maxTasksPerCall, 'any', 20, { max: 200 }),
    maxTurns: values.count(SETTINGS.maxTurns, 'any', 50, { max: 1000 }),
    timeLimits: {
      maxDurationMs: milliseconds(values, SETTINGS.maxDuration, 0),
      toolMs: milliseconds(values, SETTINGS.toolLimit, 0),
      toolIdleMs: milliseconds(values, SETTINGS.toolIdle, 900),
      streamIdleMs: milliseconds(values, SETTINGS.streamIdle, 300),
    },
    budget: readBudget(values),
    userPermissions: { allow: list(SETTINGS.allow, ['globalValue']), ask: limits(SETTINGS.ask, ['globalValue']), deny: limits(SETTINGS.deny, ['globalValue']) },
    // No `allow` here, whatever a workspace file says: only the user may loosen.
    workspacePermissions: { ask: limits(SETTINGS.ask, inner), deny: limits(SETTINGS.deny, inner) },
    subagentPermission: permissionLists(inspect(SETTINGS.subagentPermission)?.globalValue, (problem) => problems.add(SETTINGS.subagentPermission, problem)),
    permissionMode: values.choice(SETTINGS.permissionMode, 'user', ['enforce', 'dry-run']),
    shellEnvironment: { keep: list(SETTINGS.keepEnvironment, ['globalValue']), drop: list(SETTINGS.dropEnvironment, ['globalValue']) },
    agentsDirectory: values.text(SETTINGS.agentsDirectory, 'user'),
    agentsEnabled: values.toggle(SETTINGS.agentsEnabled, 'any', true),
    agentsInterop: values.toggle(SETTINGS.agentsInterop, 'user', true),
    tasksEnabled: values.toggle(SETTINGS.tasksEnabled, 'any', true),
    mcpServers: readMcpServers(values),
    skillsDirectory: values.text(SETTINGS.skillsDirectory, 'user'),
    skillsEnabled: values.toggle(SETTINGS.skillsEnabled, 'any', true),
    ...readWeb(values, list(SETTINGS.privateHosts, ['globalValue'])),
  };
  return { settings, problems: problems.all() };
}

function milliseconds(values: SettingValues, key: SettingKey, seconds: number): number {
  return values.count(key, 'user', seconds, { min: 0, max: MAX_SECONDS }) * 1000;
}

/** 0 means no limit. */
function readBudget(values: SettingValues): GroupBudget {
  const tokens = values.count(SETTINGS.budgetTokens, 'user', 0, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const cost = values.amount(SETTINGS.budgetCost, 'user', 0);
  return { ...(tokens > 0 && { tokens }), ...(cost > 0 && { cost }) };
}

function permissionLists(value: unknown, onBad: (problem: ValueProblem) => void): PermissionLists | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    onBad('not_an_object');
    return { ask: [brokenRule(value)] };
  }
  const lists = new Map(Object.entries(value));
  const entries = (['allow', 'ask', 'deny'] as const).filter((key) => lists.get(key) !== undefined).map((key) => {
    const value: unknown = lists.get(key);
    return [key, [...rules(value, () => onBad('not_a_list')), ...(key === 'allow' ? [] : brokenRules(value))]] as const;
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The rules of one scope's list; what isn't text is left out and reported. */
function rules(value: unknown, onBad: () => void): readonly string[] {
  if (value === undefined) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const good = items.filter(isText).map((rule) => rule.trim()).filter((rule) => rule !== '');
  if (!Array.isArray(value) || good.length !== items.length) onBad();
  return good;
}

/** What a list of limits holds besides texts, or holds instead of a list, as rules that can't be read: those ask for every call. */
function brokenRules(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.filter((item) => !isText(item)).map(brokenRule) : [brokenRule(value)];
}

/** Without a tool's name at its start it guards all tools. */
function brokenRule(value: unknown): string {
  return `(${String(JSON.stringify(value)).slice(0, 200)})`;
}
