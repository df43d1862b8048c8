import type { SettingKey } from '../ids.ts';
import type { ProblemList, ValueProblem } from './settingProblems.ts';

/** What each scope says about one setting, as `inspect()` gives it. */
export interface Inspection {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}
export type Inspect = (key: SettingKey) => Inspection | undefined;

/** Whose values count: those of every scope, the narrowest first, or the user's alone. */
export type Scope = 'any' | 'user';

const SCOPES: Readonly<Record<Scope, readonly (keyof Inspection)[]>> = {
  any: ['workspaceFolderValue', 'workspaceValue', 'globalValue'],
  user: ['globalValue'],
};

/** Reads one setting at a time. A bad value is reported and skipped, so that the next wider scope's counts, and at last the default. */
export class SettingValues {
  readonly inspect: Inspect;
  readonly problems: ProblemList;

  constructor(inspect: Inspect, problems: ProblemList) {
    this.inspect = inspect;
    this.problems = problems;
  }

  /** A whole number from `min` (1 where not given) to `max`. */
  count(key: SettingKey, scope: Scope, fallback: number, { min = 1, max }: { readonly min?: number; readonly max: number }): number {
    return this.#first(key, scope, fallback, (value): value is number => isWhole(value), 'not_a_number', (value) => (value >= min && value <= max ? undefined : 'out_of_range'));
  }

  /** Any number from 0 on. */
  amount(key: SettingKey, scope: Scope, fallback: number): number {
    return this.#first(key, scope, fallback, isAmount, 'not_an_amount');
  }

  toggle(key: SettingKey, scope: Scope, fallback: boolean): boolean {
    return this.#first(key, scope, fallback, (value) => typeof value === 'boolean', 'not_a_switch');
  }

  /** Text without white space around it; none where nothing is set. */
  text(key: SettingKey, scope: Scope): string {
    return this.#first(key, scope, '', isText, 'not_text').trim();
  }

  choice<T extends string>(key: SettingKey, scope: Scope, choices: readonly [T, ...(readonly T[])]): T {
    return this.#first(key, scope, choices[0], (value): value is T => choices.some((choice) => choice === value), 'not_a_choice');
  }

  #first<T>(
    key: SettingKey,
    scope: Scope,
    fallback: T,
    isKind: (value: unknown) => value is T,
    otherwise: ValueProblem,
    check: (value: T) => ValueProblem | undefined = () => undefined,
  ): T {
    const inspection = this.inspect(key);
    for (const value of SCOPES[scope].map((one) => inspection?.[one])) {
      if (value === undefined) continue;
      const problem = isKind(value) ? check(value) : otherwise;
      if (problem === undefined && isKind(value)) return value;
      this.problems.add(key, problem ?? otherwise);
    }
    return fallback;
  }
}

/** A number that something can cost or measure: finite and not below 0. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}
