import * as vscode from 'vscode';
import { showBriefly, showError } from '../../host/messages.ts';
import { ROW_COMMANDS, type COMMANDS, type CommandId, type DelegatingCommandId, type ThreadCommandId } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { isAbort } from '../../runtime/base/abort.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { ApprovalDetails } from '../approvals/approvalDetails.ts';
import type { DecisionsDocument } from '../approvals/decisionsDocument.ts';
import type { UiContext } from '../context.ts';
import type { PreviewDocuments } from '../preview/previewDocuments.ts';
import type { ChangeRequests } from '../review/comments/requestChanges.ts';
import type { ReviewDocuments } from '../review/documents.ts';
import type { GroupsView } from '../tree/groupsView.ts';
import { targetsOf, type Target } from './targets.ts';

/** What commands work with. */
export interface CommandContext extends UiContext {
  readonly view: GroupsView;
  readonly documents: ReviewDocuments;
  readonly details: ApprovalDetails;
  readonly decisions: DecisionsDocument;
  readonly requests: ChangeRequests;
  readonly previews: PreviewDocuments;
}

/** A command. `targets` is empty when it comes from the palette. */
export type Command = (targets: readonly Target[]) => Promise<void>;

/** The commands of the panel: all but those that the chat, the keys, the models and the threads of comments register, and those that delegate without the chat. */
export type PanelCommandId = Exclude<CommandId, ThreadCommandId | DelegatingCommandId | typeof COMMANDS.continueInBackground | typeof COMMANDS.setApiKey | typeof COMMANDS.configureModels>;

/** Where a command's failure is told. */
export type ReportContext = Pick<UiContext, 'log' | 'showLog'>;

/** Registers commands. What one throws is logged and shown. */
export function registerCommands(context: ReportContext, commands: Readonly<Partial<Record<CommandId, Command>>>): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(commands)) {
    store.add(vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        const targets = targetsOf(args);
        // VS Code forgets a row while it asks for its list anew, and then hands over nothing: never pass that over in silence.
        if (targets.length === 0 && ROW_COMMANDS.has(id)) showBriefly(vscode.l10n.t('That row has just changed. Try again.'), 5000);
        else await run(targets);
      } catch (error) {
        if (!isAbort(error)) report(context, id, error);
      }
    }));
  }
  return store;
}

/** Tells the person what a command failed with. */
export function report(context: ReportContext, id: string, error: unknown): void {
  context.log.error(`${id}: ${errorText(error)}`);
  const showLog = vscode.l10n.t('Show Log');
  void showError(errorText(error), showLog).then((answer) => {
    if (answer === showLog) context.showLog();
  });
}
