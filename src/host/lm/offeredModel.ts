import * as vscode from 'vscode';
import { EDITOR_PROVIDER, type ModelProvider, type ModelRef } from '../../runtime/domain/models.ts';
import { endpointOf } from '../endpoints.ts';
import { endpointName } from '../endpointName.ts';
import { OFFLINE_MODEL } from '../modelSettings.ts';
import type { PickerEntry } from './pickerModels.ts';

/** A model that the chat view's picker offers, with what runs it. */
export interface OfferedModel {
  readonly info: vscode.LanguageModelChatInformation;
  readonly model: ModelRef;
  /** May throw where the model's provider isn't there. */
  readonly provider: () => ModelProvider;
}

/** Tokens that a model takes unless something says otherwise. */
const CONTEXT_WINDOW = 128_000;

export function offeredModel(entry: PickerEntry, provider: () => ModelProvider): OfferedModel {
  const { id, model } = entry;
  return { info: { id, ...(isOffline(model) ? offlineInfo() : configuredInfo(entry)) }, model, provider };
}

/** What people call the model that answers. */
function modelName(model: ModelRef): string {
  if (isOffline(model)) return vscode.l10n.t('Offline demo (not an AI)');
  return vscode.l10n.t('{0} ({1})', model.displayName ?? model.model, providerName(model));
}

/**
 * The chat view sorts its models by name and picks the first by itself where nobody has picked any: so the default's name
 * comes before the tiers', in English and in Chinese.
 */
function entryName(entry: PickerEntry): string {
  const name = modelName(entry.model);
  switch (entry.kind) {
    case 'default':
      return vscode.l10n.t('Default: {0}', name);
    case 'tier':
      return vscode.l10n.t('Tier {0}: {1}', entry.tier, name);
    case 'single':
    case 'instead':
      return name;
  }
}

type Info = Omit<vscode.LanguageModelChatInformation, 'id'>;

/** The model that needs no account and no network. */
function offlineInfo(): Info {
  return {
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

function configuredInfo(entry: PickerEntry): Info {
  const { model } = entry;
  const detail = detailOf(entry);
  return {
    name: entryName(entry),
    family: model.model,
    version: '1',
    ...(detail === undefined ? {} : { detail }),
    tooltip: tooltipOf(entry),
    maxInputTokens: model.contextWindow ?? CONTEXT_WINDOW,
    maxOutputTokens: model.maxOutputTokens ?? 8192,
    capabilities: { toolCalling: true, imageInput: true },
  };
}

/** Where the model stands. */
function detailOf(entry: PickerEntry): string | undefined {
  const origin = endpointOf(entry.model)?.origin;
  return origin === undefined ? undefined : new URL(origin).host;
}

function tooltipOf(entry: PickerEntry): string {
  const { reasoningEffort } = entry.model;
  const effort = reasoningEffort === undefined ? '' : ` ${vscode.l10n.t('Reasoning effort: {0}.', reasoningEffort)}`;
  switch (entry.kind) {
    case 'tier':
      return `${vscode.l10n.t('The {0} tier in the settings of Subagent Panel.', entry.tier)}${effort}`;
    case 'default':
      return `${vscode.l10n.t('The default tier in the settings of Subagent Panel.')}${effort}`;
    case 'single':
      return `${vscode.l10n.t('The model in the settings of Subagent Panel.')}${effort}`;
    case 'instead':
      return vscode.l10n.t('What was picked here is not configured any more. The default model of Subagent Panel answers instead.');
  }
}

function isOffline(model: ModelRef): boolean {
  return model.provider === OFFLINE_MODEL.provider;
}

/** The name of the model's provider, where it has one for people. */
function providerName(model: ModelRef): string {
  if (model.provider === EDITOR_PROVIDER) return 'VS Code';
  const endpoint = endpointOf(model);
  return endpoint === undefined ? model.provider : endpointName(endpoint);
}
