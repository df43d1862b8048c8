import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { KNOWN_SERVERS, findLocalServers } from '../../host/localServers.ts';
import type { ApiKeys } from '../../host/apiKeys.ts';
import type { Environment } from '../../host/endpoints.ts';
import type { ProviderFactories } from '../../host/models.ts';
import type { SettingsReader } from '../../host/settings.ts';
import { COMMANDS, MODEL_VENDOR } from '../../ids.ts';
import { SYSTEM_CLOCK } from '../../runtime/base/clock.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import { oneLine } from '../../runtime/base/text.ts';
import type { ListedModel } from '../../runtime/providers/modelList.ts';
import { QuickDialog } from '../models/quickDialog.ts';
import { registerCommands, type ReportContext } from './command.ts';

export interface ConfigureModelsContext extends ReportContext {
  readonly keys: ApiKeys;
  readonly settings: SettingsReader;
  readonly factories: ProviderFactories;
  readonly env: Environment;
}

/** Registers **Configure Models…**. It needs neither a folder nor an agent, and looks for servers only while it is open. */
export function registerConfigureModels({ keys, settings, factories, env, ...context }: ConfigureModelsContext): Disposable {
  return registerCommands(context, {
    [COMMANDS.configureModels]: async () => {
      const { configureModels } = await import('../models/configureModels.ts');
      await configureModels({
        dialog: new QuickDialog({ window: vscode.window, backButton: vscode.QuickInputButtons.Back, title: vscode.l10n.t('Configure Models'), log: context.log }),
        keys,
        env,
        factories,
        present: () => ({ ...settings.peek(), written: (key) => settings.written(key) }),
        change: (updates) => settings.change(updates),
        findServers: (signal) => findLocalServers(KNOWN_SERVERS, SYSTEM_CLOCK, signal),
        editorModels: listEditorModels,
        clock: SYSTEM_CLOCK,
        l10n: vscode.l10n,
        say: (message) => void showInfo(message),
      });
    },
  });
}

/** Ours stand for configured models, so none of them can be one. */
async function listEditorModels(): Promise<readonly ListedModel[]> {
  const models = await vscode.lm.selectChatModels();
  return models
    .filter(({ vendor, id }) => vendor !== MODEL_VENDOR && oneLine(`${vendor}/${id}`) === `${vendor}/${id}`)
    .map(({ vendor, id, name, maxInputTokens }) => ({ id: `${vendor}/${id}`, displayName: oneLine(name) || id, ...(Number.isSafeInteger(maxInputTokens) && maxInputTokens > 0 && { contextWindow: maxInputTokens }) }));
}
