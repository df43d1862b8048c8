import { windowTrust } from '../host/trust.ts';
import { errorText } from '../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../runtime/base/lifecycle.ts';
import type { Log } from '../runtime/domain/ports.ts';
import { createAgentsView } from './agents/agentsView.ts';
import { DefinitionDocuments } from './agents/definitionDocuments.ts';
import { registerAnywhere } from './anywhere/commands.ts';
import type { AnywhereContext } from './anywhere/context.ts';
import { registerFixAction } from './anywhere/fixAction.ts';
import { ApprovalDetails } from './approvals/approvalDetails.ts';
import { registerApprovalNotifications } from './approvals/approvalNotifications.ts';
import { DecisionsDocument } from './approvals/decisionsDocument.ts';
import { registerDefinitionEditing } from './authoring/definitionEditing.ts';
import { registerDefinitionNotification } from './authoring/definitionNotification.ts';
import { registerDefinitionProblems, registerSkillProblems } from './authoring/fileProblems.ts';
import { registerPanelCommands } from './commands/all.ts';
import { onAgent, type UiContext } from './context.ts';
import { registerTools } from './lmTools/registerTools.ts';
import { registerServerFileProblems } from './mcp/fileProblems.ts';
import { registerServerNotification } from './mcp/serverNotification.ts';
import { askSummary, ChangeRequests } from './review/comments/requestChanges.ts';
import { ReviewComments } from './review/comments/reviewComments.ts';
import { registerThreadCommands } from './review/comments/threadCommands.ts';
import { registerDefinitionContext } from './preview/definitionContext.ts';
import { PreviewDocuments } from './preview/previewDocuments.ts';
import { ChangeFiles } from './review/diff/changeFiles.ts';
import { ReviewDocuments } from './review/documents.ts';
import { registerReviewNotification } from './review/reviewNotification.ts';
import { offerModel } from './resume/offerModel.ts';
import { registerProblems } from './problems.ts';
import { restoreHistory } from './restore.ts';
import { registerStatusBar } from './statusBar.ts';
import { registerCompletedMessage } from './tasks/completedMessage.ts';
import { createTasksView } from './tasks/tasksView.ts';
import { createGroupsView } from './tree/groupsView.ts';

/** One part of the extension: registers itself and returns what ends it. */
export interface Contribution {
  readonly name: string;
  readonly start: () => Disposable;
}

/** Starts every part on its own: one that fails is logged and costs the others nothing. */
export function startContributions(contributions: readonly Contribution[], log: Log): Disposable {
  const store = new DisposableStore();
  for (const { name, start } of contributions) {
    try {
      store.add(start());
    } catch (error) {
      log.error(`${name} did not start: ${errorText(error)}`);
    }
  }
  return store;
}

/** The parts of the panel. */
export function panelContributions(context: UiContext): readonly Contribution[] {
  return [
    { name: 'panel', start: () => startPanel(context) },
    { name: 'tasks', start: () => createTasksView(context) },
    { name: 'agents', start: () => createAgentsView(context, windowTrust) },
    { name: 'agent documents', start: () => new DefinitionDocuments(context) },
    { name: 'completed tasks', start: () => registerCompletedMessage(context) },
    { name: 'status bar', start: () => registerStatusBar(context) },
    { name: 'approval notifications', start: () => registerApprovalNotifications(context) },
    { name: 'problems', start: () => registerProblems(context) },
    { name: 'definition problems', start: () => registerDefinitionProblems(context) },
    { name: 'definition editing', start: () => registerDefinitionEditing(context) },
    { name: 'definition files in sight', start: () => registerDefinitionContext(context) },
    { name: 'skill problems', start: () => registerSkillProblems(context) },
    { name: 'definition approval', start: () => registerDefinitionNotification(context) },
    { name: 'MCP files', start: () => registerServerFileProblems(context) },
    { name: 'MCP servers', start: () => registerServerNotification(context) },
    { name: 'history', start: () => restoreHistory(context) },
  ];
}

/** The ways to delegate without the chat. */
export function anywhereContributions(context: AnywhereContext): readonly Contribution[] {
  return [
    { name: 'delegating commands', start: () => registerAnywhere(context) },
    { name: 'fixes', start: () => registerFixAction(() => context.obstacle() === undefined) },
    { name: 'language model tools', start: () => registerTools(context) },
  ];
}

/** View, documents, comments and commands belong together: the commands use the others. */
function startPanel(context: UiContext): Disposable {
  const store = new DisposableStore();
  const documents = store.add(new ReviewDocuments(context));
  store.add(new ChangeFiles(context));
  const details = store.add(new ApprovalDetails());
  const decisions = store.add(new DecisionsDocument(context));
  store.add(onAgent(context.access, (agent) => agent.subscribe((event) => {
    if (event.type !== 'approval.decided' && event.type !== 'approval.withdrawn') return;
    details.close(event.request.id).catch((error: unknown) => context.log.warn(`approval details: ${errorText(error)}`));
  })));
  const previews = store.add(new PreviewDocuments(context));
  const view = store.add(createGroupsView(context));
  const comments = store.add(new ReviewComments(context));
  const requests = new ChangeRequests(comments, { askSummary, offerModel: (message) => offerModel(context, message) });
  store.add(registerPanelCommands({ ...context, view, documents, details, decisions, requests, previews }));
  store.add(registerThreadCommands(context, comments, requests));
  store.add(registerReviewNotification({ ...context, view, documents, requests }));
  return store;
}
