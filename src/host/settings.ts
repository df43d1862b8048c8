import * as vscode from 'vscode';
import { SETTINGS, SETTINGS_SECTION } from '../ids.ts';
import type { Log } from '../runtime/domain/ports.ts';
import type { Environment } from './endpoints.ts';
import { faultWords } from './mcp/faultWords.ts';
import type { SettingProblem } from './settingProblems.ts';
import { readSettings, type Settings } from './settingsValues.ts';

/** The settings as they are now. Bad values are reported by name in the log, and once on screen. */
export class SettingsReader implements vscode.Disposable {
  readonly #log: Log;
  readonly #folder: vscode.Uri | undefined;
  readonly #env: Environment;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  #reported = '';

  /** Some setting changed, or the workspace became trusted. */
  readonly onDidChange = this.#changed.event;

  /** @param env may name the address of a provider where the settings don't */
  constructor(log: Log, folder: vscode.Uri | undefined, env: Environment = {}) {
    this.#log = log;
    this.#folder = folder;
    this.#env = env;
    this.#listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(SETTINGS_SECTION)) return;
      // Whoever has just written a bad value is told so, whether or not anything needs it yet.
      this.read();
      this.#changed.fire();
    });
  }

  read(): Settings {
    const { settings, problems } = this.#look();
    this.#report(problems);
    return settings;
  }

  /** The same without a report: for what is looked at from the start, when nothing may pop up. */
  peek(): Settings {
    return this.#look().settings;
  }

  /** Adds a rule to the user's own list. Rejects when VS Code can't write the setting. */
  async allowAlways(rule: string): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
    const before = readSettings((key) => configuration.inspect(key)).settings.userPermissions.allow ?? [];
    if (before.includes(rule)) return;
    await configuration.update(SETTINGS.allow, [...before, rule], vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #look(): ReturnType<typeof readSettings> {
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION, this.#folder);
    return readSettings((key) => configuration.inspect(key), this.#env);
  }

  #report(problems: readonly SettingProblem[]): void {
    const key = JSON.stringify(problems);
    if (key === this.#reported) return;
    this.#reported = key;
    if (problems.length === 0) return;
    const lines = problems.map((problem) => `${problem.setting}: ${words(problem)}`);
    for (const line of lines) this.#log.warn(line);
    const openSettings = vscode.l10n.t('Open Settings');
    void vscode.window.showWarningMessage(lines.join(' '), openSettings).then((answer) => {
      if (answer === openSettings) void vscode.commands.executeCommand('workbench.action.openSettings', problems[0]?.setting);
    });
  }
}

function words(problem: SettingProblem): string {
  switch (problem.problem) {
    case 'not_a_number':
      return vscode.l10n.t('This must be a whole number; it is ignored.');
    case 'out_of_range':
      return vscode.l10n.t('This number is too small or too large; it is ignored.');
    case 'not_a_list':
      return vscode.l10n.t('This must be a list of texts; what is not is ignored.');
    case 'not_text':
      return vscode.l10n.t('This must be text; it is ignored.');
    case 'not_a_switch':
      return vscode.l10n.t('This must be true or false; it is ignored.');
    case 'not_an_object':
      return vscode.l10n.t('This must be an object with the lists allow, ask and deny; it is ignored.');
    case 'not_a_choice':
      return vscode.l10n.t('This is none of the choices; it is ignored.');
    case 'not_an_address':
      return vscode.l10n.t('This must be an address that starts with http:// or https://. Until it is, the offline demo answers.');
    case 'secret_in_address':
      return vscode.l10n.t('An address must not hold a user name or password; give the key by the command “Set API Key…”. Until then, the offline demo answers.');
    case 'not_servers':
      return vscode.l10n.t('This must be an object with MCP servers by their names; it is ignored.');
    case 'bad_server':
      return vscode.l10n.t('The server {0} is left out. {1}', problem.server, faultWords(problem.fault, vscode.l10n));
    case 'no_model':
      return vscode.l10n.t('Enter the id of the model, as its provider writes it. Until then, the offline demo answers.');
  }
}
