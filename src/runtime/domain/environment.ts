import type { ModelProvider, ModelRef } from './models.ts';
import type { FilePort, Log } from './ports.ts';
import type { ServiceOptions } from './services.ts';
import type { ToolDefinition } from './tools.ts';

/** What the root and all its children work in: one object, shared by reference. `createRuntimeEnvironment` makes it. */
export interface RuntimeEnvironment extends RuntimeOptions {
  /** All of them, the runtime's own and the host's. */
  readonly builtinTools: readonly ToolDefinition[];
}

/** What a runtime environment is made from. Everything optional has the default that is named. */
export interface RuntimeOptions extends ServiceOptions {
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** Folders that file tools may use; default `[cwd]`. */
  readonly roots?: readonly string[];
  readonly provider: ModelProvider;
  readonly model: ModelRef;
  /** The provider of a model that isn't on `provider`, for a run that began elsewhere and goes on; nothing where it can't be reached any more. */
  readonly providerFor?: (model: ModelRef) => ModelProvider | undefined;
  /** Where transcripts, group logs, tasks and spilled output go. */
  readonly storageDir: string;
  /** Environment for shell commands; provider keys and secrets are removed from it. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Names of variables, with `*` and without case, that shell commands get although they look like secrets (`keep`), or don't get (`drop`, which wins). */
  readonly shellEnv?: ShellEnvironmentNames;
  /** False: no shell tools (an untrusted or virtual workspace). Default true. */
  readonly shell?: boolean;
  readonly files?: FilePort;
  /** Path of a ripgrep binary; without one `Grep` and `Glob` aren't offered. */
  readonly ripgrep?: string;
  /** The host's tools for every agent, which count as built in. Of two with one name the host's is taken. Default none. */
  readonly builtinTools?: readonly ToolDefinition[];
  readonly log?: Log;
}

export interface ShellEnvironmentNames {
  readonly keep?: readonly string[];
  readonly drop?: readonly string[];
}
