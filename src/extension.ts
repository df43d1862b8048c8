import * as vscode from 'vscode';
import type { SubagentPanelExports } from './api.ts';
import { AgentHost } from './host/agentHost.ts';
import { authoringSettingsOf } from './host/authoringFolders.ts';
import { ApiKeys } from './host/apiKeys.ts';
import { componentLog, createLogChannel } from './host/log.ts';
import { registerModelProvider } from './host/lm/modelProvider.ts';
import { offeredModel } from './host/lm/offeredModel.ts';
import { PickerModels } from './host/lm/pickerModels.ts';
import { McpHost } from './host/mcp/mcpHost.ts';
import { Models } from './host/models.ts';
import { Registrations } from './host/registrations/registrations.ts';
import { runtimePieces } from './host/runtimePieces.ts';
import { SettingsReader } from './host/settings.ts';
import { windowTrust } from './host/trust.ts';
import { searchEndpoint } from './host/webServices.ts';
import { windowFacts } from './host/windowFacts.ts';
import { windowPrompts } from './host/windowPrompts.ts';
import { COMMANDS, MODEL_VENDOR, PARTICIPANT } from './ids.ts';
import { errorText } from './runtime/base/errors.ts';
import type { Log } from './runtime/domain/ports.ts';
import type { AnywhereContext } from './ui/anywhere/context.ts';
import { workFolders } from './ui/anywhere/folders.ts';
import { obstacleIn } from './ui/anywhere/obstacle.ts';
import type { ChatIds } from './ui/chat/chatIds.ts';
import { createPanelExports } from './ui/api/panelApi.ts';
import { registerChatParticipant } from './ui/chat/participant.ts';
import { registerApiKeyCommand } from './ui/commands/apiKey.ts';
import { registerConfigureModels } from './ui/commands/configureModels.ts';
import { anywhereContributions, panelContributions, startContributions } from './ui/contributions.ts';
import { dryRunOf } from './ui/dryRun.ts';
import { askInput } from './ui/mcp/inputPrompts.ts';

let host: AgentHost | undefined;

/** Key of the id that was picked last in the chat view, of our models. */
const LAST_PICKED = 'models.lastPicked';

const chatIds: ChatIds = {
  participant: PARTICIPANT.id,
  vendor: MODEL_VENDOR,
  showGroup: COMMANDS.showPanel,
  cancelGroup: COMMANDS.cancelGroup,
  resumeGroup: COMMANDS.resume,
  reviewGroup: COMMANDS.reviewGroup,
  reviewPending: COMMANDS.reviewApprovals,
  reviewDefinitions: COMMANDS.reviewDefinitions,
  continueInBackground: COMMANDS.continueInBackground,
};

/** Registers everything; builds nothing that costs time before it is used. Returns what other extensions can use. */
export function activate(context: vscode.ExtensionContext): SubagentPanelExports {
  const channel = createLogChannel();
  const log = componentLog(channel, 'ui');
  const showLog = (): void => channel.show();
  const settings = new SettingsReader(componentLog(channel, 'settings'), vscode.workspace.workspaceFolders?.[0]?.uri, process.env);
  const keys = new ApiKeys(context.secrets, process.env, componentLog(channel, 'keys'));
  const models = createModels(settings, keys, componentLog(channel, 'models'));
  const picker = createPicker(settings, context.globalState, componentLog(channel, 'lm'));
  const mcp = new McpHost({ context, settings, facts: () => windowFacts(context, windowTrust), ask: askInput, env: process.env, log: componentLog(channel, 'mcp') });
  const prompts = windowPrompts(context, windowTrust, componentLog(channel, 'prompts'));
  const registrations = new Registrations(componentLog(channel, 'api'));
  const access = (host = new AgentHost({ context, pieces: runtimePieces, settings, keys, models, mcp, prompts, registrations, trust: windowTrust, log: componentLog(channel, 'agent') }));
  const ui: AnywhereContext = {
    access, presentModel: () => models.model, catalog: () => settings.peek().models, dryRun: dryRunOf(settings, windowTrust), authoring: authoringSettingsOf(settings), mcp, prompts, log, showLog, extension: context,
    obstacle: () => obstacleIn({ isTrusted: windowTrust.isTrusted(), hasFolder: workFolders().length > 0, isEnabled: settings.peek().agentsEnabled }),
  };
  const parts = [
    { name: 'keys', start: () => registerApiKeyCommand({ keys, models: () => models.all(), search: () => searchEndpoint(settings.peek()), log, showLog }) },
    { name: 'model configuration', start: () => registerConfigureModels({ keys, settings, factories: runtimePieces.providerFactories, env: process.env, log, showLog }) },
    ...panelContributions(ui),
    ...anywhereContributions(ui),
    { name: 'chat', start: () => registerChatParticipant({ access, prompts, rootModel: (picked) => picker.rootModel(picked), log: componentLog(channel, 'chat'), ids: chatIds }) },
    { name: 'models', start: () => offerModels(picker, models, componentLog(channel, 'lm')) },
  ];
  const forOthers = createPanelExports(ui, registrations);
  context.subscriptions.push(channel, settings, keys, models, picker, forOthers, startContributions(parts, log));
  return { getAPI: (version) => forOthers.getAPI(version) };
}

/** Waits until everything that runs has stopped, so that no process outlives the window. What isn't finished can go on in the next one. */
export async function deactivate(): Promise<void> {
  await host?.suspend();
  host = undefined;
}

function createModels(settings: SettingsReader, keys: ApiKeys, log: Log): Models {
  return new Models({ read: () => settings.peek().model, tiers: () => Object.values(settings.peek().models ?? {}), onDidChange: (listener) => settings.onDidChange(listener) }, keys, runtimePieces.providerFactories, log);
}

function createPicker(settings: SettingsReader, memory: vscode.Memento, log: Log): PickerModels {
  return new PickerModels({
    choice: () => settings.peek(),
    onDidChange: (listener) => settings.onDidChange(listener),
    ownVendor: MODEL_VENDOR,
    lastPicked: { get: () => memory.get<string>(LAST_PICKED), set: (id) => void memory.update(LAST_PICKED, id).then(undefined, (error: unknown) => log.warn(`the picked model was not kept: ${errorText(error)}`)) },
    log,
  });
}

function offerModels(picker: PickerModels, models: Models, log: Log): vscode.Disposable {
  return registerModelProvider({
    vendor: MODEL_VENDOR,
    models: () => picker.entries().map((entry) => offeredModel(entry, () => models.providerOf(entry.model))),
    onDidChange: (listener: () => void) => picker.onDidChange(() => listener()),
    log,
  });
}
