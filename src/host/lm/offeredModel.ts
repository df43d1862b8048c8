import * as vscode from 'vscode';
import type { ModelProvider, ModelRef } from '../../runtime/domain/models.ts';
import { endpointOf } from '../endpoints.ts';
import { endpointName } from '../endpointName.ts';
import { OFFLINE_MODEL } from '../modelSettings.ts';

/** A model that the chat view's picker offers, with what runs it. */
export interface OfferedModel {
  readonly info: vscode.LanguageModelChatInformation;
  readonly model: ModelRef;
  /** May throw where the model's provider isn't there. */
  readonly provider: () => ModelProvider;
}

/** One id whatever the settings say: VS Code keeps the picked model by id, and refuses every message once that is gone. */
const MODEL_ID = 'present';
/** Tokens that a model takes unless something says otherwise. */
const CONTEXT_WINDOW = 128_000;

export function offeredModel(model: ModelRef, provider: () => ModelProvider): OfferedModel {
  return { info: isOffline(model) ? offlineInfo() : configuredInfo(model), model, provider };
}

/** What people call the model that answers. */
export function modelName(model: ModelRef): string {
  if (isOffline(model)) return vscode.l10n.t('Offline demo (not an AI)');
  return vscode.l10n.t('{0} ({1})', model.displayName ?? model.model, providerName(model));
}

/** The model that needs no account and no network. */
function offlineInfo(): vscode.LanguageModelChatInformation {
  return {
    id: MODEL_ID,
    name: modelName(OFFLINE_MODEL),
    family: 'offline',
    version: '1',
    detail: vscode.l10n.t('Scripted'),
    tooltip: vscode.l10n.t('Follows a script, to try Subagent Panel without an account. It does not understand what you write.'),
    maxInputTokens: 200_000,
    maxOutputTokens: 8_000,
    capabilities: { toolCalling: true, imageInput: false },
  };
}

function configuredInfo(model: ModelRef): vscode.LanguageModelChatInformation {
  const origin = endpointOf(model)?.origin;
  return {
    id: MODEL_ID,
    name: modelName(model),
    family: model.model,
    version: '1',
    ...(origin === undefined ? {} : { detail: new URL(origin).host }),
    tooltip: vscode.l10n.t('The model in the settings of Subagent Panel.'),
    maxInputTokens: CONTEXT_WINDOW,
    maxOutputTokens: model.maxOutputTokens ?? 8192,
    capabilities: { toolCalling: true, imageInput: true },
  };
}

function isOffline(model: ModelRef): boolean {
  return model.provider === OFFLINE_MODEL.provider;
}

/** The name of the model's provider, where it has one for people. */
function providerName(model: ModelRef): string {
  const endpoint = endpointOf(model);
  return endpoint === undefined ? model.provider : endpointName(endpoint);
}
