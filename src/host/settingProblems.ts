import { SETTINGS_SECTION, type SettingKey } from '../ids.ts';

/** A value that can't be used; another one counts in its place. `setting`: its full name, or that of a variable of the environment. */
export interface SettingProblem {
  readonly setting: string;
  readonly problem:
    | 'not_a_number'
    | 'out_of_range'
    | 'not_a_list'
    | 'not_text'
    | 'not_a_switch'
    | 'not_an_object'
    | 'not_a_choice'
    | 'not_an_address'
    | 'secret_in_address'
    | 'no_model';
}

/** Collects problems, one for each setting. */
export class ProblemList {
  readonly #problems = new Map<string, SettingProblem>();

  add(key: SettingKey, problem: SettingProblem['problem']): void {
    this.addNamed(`${SETTINGS_SECTION}.${key}`, problem);
  }

  addNamed(setting: string, problem: SettingProblem['problem']): void {
    this.#problems.set(setting, { setting, problem });
  }

  has(key: SettingKey): boolean {
    return this.#problems.has(`${SETTINGS_SECTION}.${key}`);
  }

  all(): readonly SettingProblem[] {
    return [...this.#problems.values()];
  }
}
