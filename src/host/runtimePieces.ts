import { AppError } from '../runtime/base/errors.ts';
import type { LiteAgent, LiteAgentOptions } from '../runtime/domain/liteAgent.ts';
import type { ModelProvider, ModelRef } from '../runtime/domain/models.ts';
import type { FilePort } from '../runtime/domain/ports.ts';

/** What the host takes from the runtime and from its own ports to build an agent: the one place where they meet. */
export interface RuntimePieces {
  createLiteAgent(options: LiteAgentOptions): Promise<LiteAgent>;
  /** The model that the root and its children run on. */
  defaultModel(): { readonly provider: ModelProvider; readonly model: ModelRef };
  /** Files with unsaved editor content; absent: the disk alone. */
  files?(): FilePort;
  /** VS Code's own ripgrep, or one on PATH. */
  findRipgrep(options: { readonly appRoot: string }): Promise<string | undefined>;
}

/**
 * INTEGRATION: the runtime's exports go here:
 * `createLiteAgent` and `findRipgrep` from ../runtime/index.ts (imported dynamically, so that activation stays fast),
 * the offline provider for `defaultModel`, and the file port of ./files.ts.
 */
export const runtimePieces: RuntimePieces = {
  async createLiteAgent() {
    throw new AppError('unavailable', 'The agent runtime is not part of this build.');
  },
  async findRipgrep() {
    return undefined;
  },
  defaultModel() {
    throw new AppError('unavailable', 'The agent runtime is not part of this build.');
  },
};
