import type * as vscode from 'vscode';
import type { AgentAccess } from '../host/agentHost.ts';
import type { AuthoringSettings } from '../host/authoringFolders.ts';
import type { McpHost } from '../host/mcp/mcpHost.ts';
import type { Disposable } from '../runtime/base/lifecycle.ts';
import type { LiteAgent } from '../runtime/domain/liteAgent.ts';
import type { ModelCatalog, ModelRef } from '../runtime/domain/models.ts';
import type { Log } from '../runtime/domain/ports.ts';
import type { CronService } from '../runtime/domain/services.ts';
import type { DryRun } from './dryRun.ts';

/** What every part of the user interface is handed. */
export interface UiContext {
  readonly access: AgentAccess;
  /** The model that new work runs on, as the settings have it now. */
  readonly presentModel: () => ModelRef;
  /** The models to choose from, as the settings have them now; nothing where there is no choice. */
  readonly catalog: () => ModelCatalog | undefined;
  readonly dryRun: DryRun;
  /** Where definition files are, and what may be named in them. */
  readonly authoring: AuthoringSettings;
  /** The configured MCP servers and what they ask for. */
  readonly mcp: Pick<McpHost, 'files' | 'onDidChange' | 'servers' | 'forgetInputs' | 'askAgain'>;
  /** The scheduled prompts of all conversations. */
  readonly prompts: Pick<CronService, 'list' | 'remove'>;
  readonly log: Log;
  /** Shows the log channel. */
  readonly showLog: () => void;
  readonly extension: vscode.ExtensionContext;
}

/** Runs for the agent as soon as there is one, now or later; disposing ends what the callback returned. */
export function onAgent(access: AgentAccess, start: (agent: LiteAgent) => Disposable): Disposable {
  let running: Disposable | undefined;
  const begin = (agent: LiteAgent): void => {
    running?.dispose();
    running = start(agent);
  };
  const listening = access.onDidCreate(begin);
  if (access.current !== undefined) begin(access.current);
  return {
    dispose() {
      listening.dispose();
      running?.dispose();
      running = undefined;
    },
  };
}
