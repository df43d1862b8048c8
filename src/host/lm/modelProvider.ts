import * as vscode from 'vscode';
import { errorText } from '../../runtime/base/errors.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { ModelError, ModelEvent, ModelProvider, ModelRequest } from '../../runtime/domain/models.ts';
import { parseArguments } from './toolArguments.ts';
import { estimateTokens, fromChatMessages } from './convert.ts';

/** A model that the chat view's picker offers, with the provider that runs it under `info.id`. */
export interface OfferedModel {
  readonly info: vscode.LanguageModelChatInformation;
  readonly provider: ModelProvider;
}

export interface ModelProviderDeps {
  /** As in the manifest's `languageModelChatProviders`. */
  readonly vendor: string;
  readonly models: () => readonly OfferedModel[];
  /** Fires when `models` would answer otherwise. */
  readonly onDidChange?: vscode.Event<void>;
  readonly log: Log;
}

/** The model that needs no account and no network. */
export function offlineModel(provider: ModelProvider): OfferedModel {
  return {
    provider,
    info: {
      id: 'offline',
      name: vscode.l10n.t('Offline demo (not an AI)'),
      family: 'offline',
      version: '1',
      detail: vscode.l10n.t('Scripted'),
      tooltip: vscode.l10n.t('Follows a script, to try Subagent Panel without an account. It does not understand what you write.'),
      maxInputTokens: 200_000,
      maxOutputTokens: 8_000,
      capabilities: { toolCalling: true, imageInput: false },
    },
  };
}

/**
 * Offers the models to VS Code, and has them looked up once: the chat view selects one by itself only after that, and
 * refuses every message while none is selected.
 */
export function registerModelProvider(deps: ModelProviderDeps): vscode.Disposable {
  const registered = vscode.lm.registerLanguageModelChatProvider(deps.vendor, new OfferedModels(deps));
  vscode.lm.selectChatModels({ vendor: deps.vendor }).then(
    (models) => deps.log.debug(`lm: ${models.length} models resolved`),
    (error: unknown) => deps.log.warn(`lm: models could not be resolved: ${errorText(error)}`),
  );
  return registered;
}

class OfferedModels implements vscode.LanguageModelChatProvider {
  readonly onDidChangeLanguageModelChatInformation?: vscode.Event<void>;
  readonly #deps: ModelProviderDeps;

  constructor(deps: ModelProviderDeps) {
    this.#deps = deps;
    if (deps.onDidChange) this.onDidChangeLanguageModelChatInformation = deps.onDidChange;
  }

  provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
    return this.#deps.models().map((model) => model.info);
  }

  async provideLanguageModelChatResponse(
    info: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const model = this.#deps.models().find((one) => one.info.id === info.id);
    if (!model) throw vscode.LanguageModelError.NotFound(vscode.l10n.t('The model {0} is not offered any more.', info.id));
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    if (token.isCancellationRequested) abort.abort();
    const request: ModelRequest = { model: info.id, ...fromChatMessages(messages), tools: (options.tools ?? []).map(toToolSchema), signal: abort.signal };
    try {
      for await (const event of model.provider.stream(request)) report(event, progress);
    } finally {
      listening.dispose();
    }
  }

  async provideTokenCount(_info: vscode.LanguageModelChatInformation, text: string | vscode.LanguageModelChatRequestMessage): Promise<number> {
    return estimateTokens(text);
  }
}

function report(event: ModelEvent, progress: vscode.Progress<vscode.LanguageModelResponsePart>): void {
  switch (event.type) {
    case 'text':
      progress.report(new vscode.LanguageModelTextPart(event.text));
      return;
    case 'tool_call':
      progress.report(new vscode.LanguageModelToolCallPart(event.id, event.name, parseArguments(event.arguments)));
      return;
    case 'end':
      if (event.stop === 'aborted') throw new vscode.CancellationError();
      if (event.error) throw toError(event.error);
      return;
    case 'alive':
    case 'thinking':
    case 'usage':
      return;
  }
}

function toError({ failure, message }: ModelError): Error {
  switch (failure) {
    case 'auth':
      return vscode.LanguageModelError.NoPermissions(message);
    case 'quota':
    case 'rate_limited':
      return vscode.LanguageModelError.Blocked(message);
    default:
      return new Error(message);
  }
}

function toToolSchema({ name, description, inputSchema }: vscode.LanguageModelChatTool): ModelRequest['tools'][number] {
  return { name, description, inputSchema: { type: 'object', ...inputSchema } };
}
