import * as vscode from 'vscode';
import { showWarning } from './messages.ts';
import { SETTINGS, SETTINGS_SECTION, type SettingKey } from '../ids.ts';
import type { Log } from '../runtime/domain/ports.ts';
import type { ConfigService } from '../runtime/domain/services.ts';
import { maskSecrets } from '../runtime/permissions/record.ts';
import type { Environment } from './endpoints.ts';
import type { SettingUpdate } from './modelUpdates.ts';
import type { SettingProblem } from './settingProblems.ts';
import { readSettings, type Settings } from './settingsValues.ts';
import { openSetting } from './openSettings.ts';
import { settingWords } from './settingWords.ts';

/** The settings as they are now. Bad values are reported by name in the log, and once on screen. */
export class SettingsReader implements vscode.Disposable {
  readonly #log: Log;
  readonly #folder: vscode.Uri | undefined;
  readonly #env: Environment;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  #reported = '';
  /** Changes that are being written. What is half written is nobody's wish, so nothing is read of it. */
  #writing = 0;

  /** For tools of other code: the present value of a setting by its whole name, such as `subagents.maxTurns`. Nothing for one that is unknown or may hold secrets. */
  readonly config: ConfigService = {
    get: (key) => {
      const name = openSetting(key);
      return name === undefined ? undefined : maskSecrets(vscode.workspace.getConfiguration(SETTINGS_SECTION, this.#folder).get(name));
    },
  };

  /** Some setting changed, or the workspace became trusted. */
  readonly onDidChange = this.#changed.event;

  /** @param env may name the address of a provider where the settings don't */
  constructor(log: Log, folder: vscode.Uri | undefined, env: Environment = {}) {
    this.#log = log;
    this.#folder = folder;
    this.#env = env;
    this.#listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(SETTINGS_SECTION) || this.#writing > 0) return;
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

  /** What the user's own settings say, as it is written there. */
  written(key: SettingKey): unknown {
    return vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(key)?.globalValue;
  }

  /** Writes to the user's settings, never to a workspace's, in the given order; what comes of it is told once. Rejects when VS Code can't write; what was written before then stays. */
  async change(updates: readonly SettingUpdate[]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
    this.#writing += 1;
    try {
      for (const { key, value } of updates) await configuration.update(key, value, vscode.ConfigurationTarget.Global);
    } finally {
      this.#writing -= 1;
      this.read();
      this.#changed.fire();
    }
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
    const lines = problems.map((problem) => `${problem.setting}: ${settingWords(problem, vscode.l10n)}`);
    for (const line of lines) this.#log.warn(line);
    const openSettings = vscode.l10n.t('Open Settings');
    void showWarning(lines.join(' '), openSettings).then((answer) => {
      if (answer === openSettings) void vscode.commands.executeCommand('workbench.action.openSettings', problems[0]?.setting);
    });
  }
}
