import { MODEL_VENDOR } from '../ids.ts';
import type { Disposable } from '../runtime/base/lifecycle.ts';
import type { LiteAgent, LiteAgentOptions } from '../runtime/domain/liteAgent.ts';
import { EDITOR_PROVIDER } from '../runtime/domain/models.ts';
import type { FilePort } from '../runtime/domain/ports.ts';
import { createAnthropicProvider } from '../runtime/providers/anthropic/client.ts';
import { createOfflineProvider } from '../runtime/providers/offline/client.ts';
import { lazyProvider } from '../runtime/providers/lazyProvider.ts';
import { createOpenAiProvider } from '../runtime/providers/openai/client.ts';
import { findRipgrep } from '../runtime/tools/ripgrep.ts';
import type { ProviderFactories } from './models.ts';

/** What the host takes from the runtime and from its own ports to build an agent: the one place where they meet. */
export interface RuntimePieces {
  createLiteAgent(options: LiteAgentOptions): Promise<LiteAgent>;
  readonly providerFactories: ProviderFactories;
  /** Files with unsaved editor content; whoever asks for them disposes of them. */
  files(): Promise<FilePort & Disposable>;
  /** VS Code's own ripgrep, or one on PATH. */
  findRipgrep(options: { readonly appRoot: string }): Promise<string | undefined>;
}

/** The pieces of the product. The runtime itself, and what only it uses, is loaded when the first agent is built. */
export const runtimePieces: RuntimePieces = {
  createLiteAgent: async (options) => (await import('../runtime/runtime.ts')).createLiteAgent(options),
  providerFactories: { offline: createOfflineProvider, anthropic: createAnthropicProvider, openai: createOpenAiProvider, vscode: () => lazyProvider(EDITOR_PROVIDER, async () => (await import('./lm/editorStream.ts')).editorStream(MODEL_VENDOR)) },
  files: async () => (await import('./editorFiles.ts')).createEditorFiles(),
  findRipgrep: ({ appRoot }) => findRipgrep({ appRoot, path: process.env['PATH'] ?? '' }),
};
