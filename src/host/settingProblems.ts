import { SETTINGS_SECTION, type SettingKey } from '../ids.ts';
import type { ServerFault } from './mcp/serverConfig.ts';
import type { TierFault } from './tierSettings.ts';

/** What can be wrong with a value as a whole. */
export type ValueProblem =
  | 'not_a_number'
  | 'not_an_amount'
  | 'out_of_range'
  | 'not_a_list'
  | 'not_text'
  | 'not_a_switch'
  | 'not_an_object'
  | 'not_a_choice'
  | 'not_an_address'
  | 'secret_in_address'
  | 'no_model'
  | 'no_vendor'
  | 'not_a_price'
  | 'effort_not_sent'
  | 'beside_catalog'
  | 'not_a_catalog'
  | 'not_a_tier'
  | 'not_servers'
  | 'not_a_host'
  | 'no_search_address'
  | 'not_a_search_address'
  | 'secret_in_search_address';

/** A value that can't be used; another one counts in its place, or of a server or a tier none. `setting`: its full name, or that of a variable of the environment. */
export type SettingProblem =
  | { readonly setting: string; readonly problem: ValueProblem }
  | { readonly setting: string; readonly problem: 'bad_tier'; readonly tier: string; readonly fault: TierFault }
  | { readonly setting: string; readonly problem: 'tier_effort_not_sent'; readonly tier: string }
  | { readonly setting: string; readonly problem: 'bad_server'; readonly server: string; readonly fault: ServerFault };

/** Collects problems, one for each setting, server or tier. */
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

  addTier(key: SettingKey, tier: string, fault: TierFault): void {
    const setting = `${SETTINGS_SECTION}.${key}`;
    this.#problems.set(`${setting}\n${tier}`, { setting, problem: 'bad_tier', tier, fault });
  }

  addUnsentEffort(key: SettingKey, tier: string): void {
    const setting = `${SETTINGS_SECTION}.${key}`;
    this.#problems.set(`${setting}\n${tier}`, { setting, problem: 'tier_effort_not_sent', tier });
  }

  has(key: SettingKey): boolean {
    return this.#problems.has(`${SETTINGS_SECTION}.${key}`);
  }

  all(): readonly SettingProblem[] {
    return [...this.#problems.values()];
  }
}
