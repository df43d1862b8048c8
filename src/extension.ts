import type * as vscode from 'vscode';
import { AgentHost } from './host/agentHost.ts';
import { componentLog, createLogChannel } from './host/log.ts';
import { runtimePieces } from './host/runtimePieces.ts';
import { panelContributions, startContributions } from './ui/contributions.ts';

let host: AgentHost | undefined;

/** Registers everything; builds nothing that costs time before it is used. */
export function activate(context: vscode.ExtensionContext): void {
  const channel = createLogChannel();
  const log = componentLog(channel, 'ui');
  const access = (host = new AgentHost(context, runtimePieces, componentLog(channel, 'agent')));
  const parts = [
    ...panelContributions({ access, log, showLog: () => channel.show(), extension: context }),
    // INTEGRATION: the chat's parts go here, with `{ agent: () => access.agent(), log }`:
    // { name: 'chat', start: () => registerChatParticipant(deps) }  from ./ui/chat/participant.ts
    // { name: 'models', start: () => registerModelProvider(deps) }  from ./host/lm/modelProvider.ts
  ];
  context.subscriptions.push(channel, startContributions(parts, log));
}

/** Waits until everything that runs has stopped, so that no process outlives the window. */
export async function deactivate(): Promise<void> {
  await host?.close();
  host = undefined;
}
