import * as vscode from 'vscode';
import { errorText } from '../../runtime/base/errors.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { ModelError, ModelEvent } from '../../runtime/domain/models.ts';
import { parseArguments } from './toolArguments.ts';
import { estimateTokens } from './convert.ts';
import type { OfferedModel } from './offeredModel.ts';
import { toModelRequest } from './request.ts';

export interface ModelProviderDeps {
  /** As in the manifest's `languageModelChatProviders`. */
  readonly vendor: string;
  readonly models: () => readonly OfferedModel[];
  /** Fires when `models` would answer otherwise. */
  readonly onDidChange?: vscode.Event<void>;
  readonly log: Log;
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
    const offered = this.#deps.models().find((one) => one.info.id === info.id);
    if (!offered) throw vscode.LanguageModelError.NotFound(vscode.l10n.t('The model {0} is not offered any more.', info.id));
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    if (token.isCancellationRequested) abort.abort();
    const request = toModelRequest(offered.model, messages, options.tools ?? [], abort.signal);
    try {
      for await (const event of offered.provider().stream(request)) report(event, progress);
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
