import * as vscode from 'vscode';
import { SETTINGS, SETTINGS_SECTION } from '../ids.ts';
import type { Log } from '../runtime/domain/ports.ts';
import { readSettings, type SettingProblem, type Settings } from './settingsValues.ts';

/** The settings as they are now. Bad values are reported by name in the log, and once on screen. */
export class SettingsReader implements vscode.Disposable {
  readonly #log: Log;
  readonly #folder: vscode.Uri | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  #reported = '';

  /** Some setting changed, or the workspace became trusted. */
  readonly onDidChange = this.#changed.event;

  constructor(log: Log, folder: vscode.Uri | undefined) {
    this.#log = log;
    this.#folder = folder;
    this.#listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) this.#changed.fire();
    });
  }

  read(): Settings {
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION, this.#folder);
    const { settings, problems } = readSettings((key) => configuration.inspect(key));
    this.#report(problems);
    return settings;
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

  #report(problems: readonly SettingProblem[]): void {
    const key = JSON.stringify(problems);
    if (key === this.#reported) return;
    this.#reported = key;
    if (problems.length === 0) return;
    const lines = problems.map((problem) => `${problem.setting}: ${words(problem.problem)}`);
    for (const line of lines) this.#log.warn(line);
    const openSettings = vscode.l10n.t('Open Settings');
    void vscode.window.showWarningMessage(lines.join(' '), openSettings).then((answer) => {
      if (answer === openSettings) void vscode.commands.executeCommand('workbench.action.openSettings', problems[0]?.setting);
    });
  }
}

function words(problem: SettingProblem['problem']): string {
  switch (problem) {
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
    case 'not_a_mode':
      return vscode.l10n.t('This must be enforce or dry-run; rules are enforced.');
    case 'not_an_object':
      return vscode.l10n.t('This must be an object with the lists allow, ask and deny; it is ignored.');
  }
}
