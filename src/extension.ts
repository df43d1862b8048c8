import type * as vscode from 'vscode';
import { AgentHost } from './host/agentHost.ts';
import { componentLog, createLogChannel } from './host/log.ts';
import { offlineModel, registerModelProvider } from './host/lm/modelProvider.ts';
import { runtimePieces } from './host/runtimePieces.ts';
import { COMMANDS, MODEL_VENDOR, PARTICIPANT } from './ids.ts';
import type { ChatIds } from './ui/chat/chatIds.ts';
import { registerChatParticipant } from './ui/chat/participant.ts';
import { panelContributions, startContributions } from './ui/contributions.ts';

let host: AgentHost | undefined;

const chatIds: ChatIds = {
  participant: PARTICIPANT.id,
  vendor: MODEL_VENDOR,
  showGroup: COMMANDS.showPanel,
  cancelGroup: COMMANDS.cancelGroup,
  resumeGroup: COMMANDS.resume,
  reviewDefinitions: COMMANDS.reviewDefinitions,
  continueInBackground: COMMANDS.continueInBackground,
};

/** Registers everything; builds nothing that costs time before it is used. */
export function activate(context: vscode.ExtensionContext): void {
  const channel = createLogChannel();
  const log = componentLog(channel, 'ui');
  const access = (host = new AgentHost(context, runtimePieces, componentLog(channel, 'agent')));
  const { provider, model: presentModel } = runtimePieces.defaultModel();
  const model = offlineModel(provider);
  const parts = [
    ...panelContributions({ access, presentModel: () => presentModel, log, showLog: () => channel.show(), extension: context }),
    { name: 'chat', start: () => registerChatParticipant({ access, log: componentLog(channel, 'chat'), ids: chatIds }) },
    { name: 'models', start: () => registerModelProvider({ vendor: MODEL_VENDOR, models: () => [model], log: componentLog(channel, 'lm') }) },
  ];
  context.subscriptions.push(channel, startContributions(parts, log));
}

/** Waits until everything that runs has stopped, so that no process outlives the window. */
export async function deactivate(): Promise<void> {
  await host?.close();
  host = undefined;
}
