import { SETTINGS, SETTINGS_SECTION, type SettingKey } from '../ids.ts';
import type { PermissionLists, PermissionMode } from '../runtime/domain/permissions.ts';

/** What each scope says about one setting, as `inspect()` gives it. */
export interface Inspection {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}
export type Inspect = (key: SettingKey) => Inspection | undefined;

export interface Settings {
  readonly maxParallelSubagents: number;
  readonly maxTasksPerCall: number;
  readonly maxTurns: number;
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
  readonly tasksEnabled: boolean;
}

/** A value that can't be used; another one counts in its place. */
export interface SettingProblem {
  readonly setting: string;
  readonly problem: 'not_a_number' | 'out_of_range' | 'not_a_list' | 'not_text' | 'not_a_switch' | 'not_an_object' | 'not_a_mode';
}

type Report = (key: SettingKey, problem: SettingProblem['problem']) => void;

/** Reads every setting. A bad value is reported and skipped, so that the next wider scope's counts; it never throws. */
export function readSettings(inspect: Inspect): { readonly settings: Settings; readonly problems: readonly SettingProblem[] } {
  const problems = new Map<string, SettingProblem>();
  const report: Report = (key, problem) => problems.set(key, { setting: `${SETTINGS_SECTION}.${key}`, problem });
  const number = (key: SettingKey, fallback: number, max: number): number => pick(inspect(key), fallback, (value): value is number => isCount(value, max, (problem) => report(key, problem)));
  const list = (key: SettingKey, scopes: readonly (keyof Inspection)[]): readonly string[] => [
    // With one folder, VS Code gives its values for the workspace and for the folder.
    ...new Set(scopes.flatMap((scope) => rules(inspect(key)?.[scope], () => report(key, 'not_a_list')))),
  ];
  const inner = ['workspaceValue', 'workspaceFolderValue'] as const;
  const settings: Settings = {
    maxParallelSubagents: number(SETTINGS.maxParallelSubagents, 5, 64),
    maxTasksPerCall: number(SETTINGS.maxTasksPerCall, 20, 200),
    maxTurns: number(SETTINGS.maxTurns, 50, 1000),
    userPermissions: { allow: list(SETTINGS.allow, ['globalValue']), ask: list(SETTINGS.ask, ['globalValue']), deny: list(SETTINGS.deny, ['globalValue']) },
    // No `allow` here, whatever a workspace file says: only the user may loosen.
    workspacePermissions: { ask: list(SETTINGS.ask, inner), deny: list(SETTINGS.deny, inner) },
    subagentPermission: permissionLists(inspect(SETTINGS.subagentPermission)?.globalValue, (problem) => report(SETTINGS.subagentPermission, problem)),
    permissionMode: userValue(inspect(SETTINGS.permissionMode), 'enforce', isMode, () => report(SETTINGS.permissionMode, 'not_a_mode')),
    shellEnvironment: { keep: list(SETTINGS.keepEnvironment, ['globalValue']), drop: list(SETTINGS.dropEnvironment, ['globalValue']) },
    agentsDirectory: userValue(inspect(SETTINGS.agentsDirectory), '', isText, () => report(SETTINGS.agentsDirectory, 'not_text')),
    agentsEnabled: pick(inspect(SETTINGS.agentsEnabled), true, (value): value is boolean => isSwitch(value) || complain(() => report(SETTINGS.agentsEnabled, 'not_a_switch'))),
    tasksEnabled: pick(inspect(SETTINGS.tasksEnabled), true, (value): value is boolean => isSwitch(value) || complain(() => report(SETTINGS.tasksEnabled, 'not_a_switch'))),
  };
  return { settings, problems: [...problems.values()] };
}

/** The value of the narrowest scope that has a good one. */
function pick<T>(inspection: Inspection | undefined, fallback: T, isGood: (value: unknown) => value is T): T {
  for (const value of [inspection?.workspaceFolderValue, inspection?.workspaceValue, inspection?.globalValue, inspection?.defaultValue]) {
    if (value !== undefined && isGood(value)) return value;
  }
  return fallback;
}

function userValue<T>(inspection: Inspection | undefined, fallback: T, isGood: (value: unknown) => value is T, onBad: () => void): T {
  const value = inspection?.globalValue;
  if (value === undefined) return fallback;
  if (isGood(value)) return value;
  onBad();
  return fallback;
}

function permissionLists(value: unknown, onBad: (problem: SettingProblem['problem']) => void): PermissionLists | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    onBad('not_an_object');
    return undefined;
  }
  const lists = new Map(Object.entries(value));
  const entries = (['allow', 'ask', 'deny'] as const).filter((key) => lists.get(key) !== undefined).map((key) => [key, rules(lists.get(key), () => onBad('not_a_list'))] as const);
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

function isCount(value: unknown, max: number, onBad: (problem: SettingProblem['problem']) => void): value is number {
  if (typeof value !== 'number' || !Number.isInteger(value)) return complain(() => onBad('not_a_number'));
  return (value >= 1 && value <= max) || complain(() => onBad('out_of_range'));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isMode(value: unknown): value is PermissionMode {
  return value === 'enforce' || value === 'dry-run';
}

function isSwitch(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function complain(report: () => void): false {
  report();
  return false;
}
