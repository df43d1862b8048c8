import { SETTINGS_SECTION, type SettingKey } from '../ids.ts';
import type { ServerFault } from './mcp/serverConfig.ts';

/** What can be wrong with a value as a whole. */
export type ValueProblem =
  | 'not_a_number'
  | 'out_of_range'
  | 'not_a_list'
  | 'not_text'
  | 'not_a_switch'
  | 'not_an_object'
  | 'not_a_choice'
  | 'not_an_address'
  | 'secret_in_address'
  | 'no_model'
  | 'not_servers';

/** A value that can't be used; another one counts in its place, or of a server none. `setting`: its full name, or that of a variable of the environment. */
export type SettingProblem =
  | { readonly setting: string; readonly problem: ValueProblem }
  | { readonly setting: string; readonly problem: 'bad_server'; readonly server: string; readonly fault: ServerFault };

/** Collects problems, one for each setting or server. */
export class ProblemList {
  readonly #problems = new Map<string, SettingProblem>();

  add(key: SettingKey, problem: ValueProblem): void {
    this.addNamed(`${SETTINGS_SECTION}.${key}`, problem);
  }

  addNamed(setting: string, problem: ValueProblem): void {
    this.#problems.set(setting, { setting, problem });
  }

  addServer(key: SettingKey, server: string, fault: ServerFault): void {
    const setting = `${SETTINGS_SECTION}.${key}`;
    this.#problems.set(`${setting}\n${server}`, { setting, problem: 'bad_server', server, fault });
  }

  has(key: SettingKey): boolean {
    return this.#problems.has(`${SETTINGS_SECTION}.${key}`);
  }

  all(): readonly SettingProblem[] {
    return [...this.#problems.values()];
  }
}
