import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { COMMANDS, type DelegatingCommandId } from '../../ids.ts';
import { AppError } from '../../runtime/base/errors.ts';
import type { TaskInput } from '../../runtime/domain/liteAgent.ts';
import type { Dialog } from '../models/dialog.ts';
import { QuickDialog } from '../models/quickDialog.ts';
import type { AnywhereContext } from './context.ts';
import { askAgent, askTasks, askWish, type Offered } from './askTasks.ts';
import { pickFolder } from './folders.ts';
import { uncommitted } from './gitChanges.ts';
import { obstacleWords } from './obstacle.ts';
import { problemsAt, selectionOf } from './problemsAt.ts';
import { problemTask } from './problemTask.ts';
import { reviewTask } from './reviewTask.ts';
import { selectionTask } from './selectionTask.ts';
import { startGroup } from './startGroup.ts';

/** Runs a command that delegates without the chat. `args`: as VS Code hands them over. Rejects with what the person is to be told. */
export async function runCommand(context: AnywhereContext, id: DelegatingCommandId, args: readonly unknown[]): Promise<void> {
  const obstacle = context.obstacle();
  if (obstacle !== undefined) throw new AppError('unavailable', obstacleWords(obstacle, vscode.l10n));
  switch (id) {
    case COMMANDS.delegate:
      return delegate(context);
    case COMMANDS.delegateSelection:
      return delegateSelection(context);
    case COMMANDS.fixProblem:
      return fixProblem(context, args[0], args[1]);
    case COMMANDS.reviewUncommitted:
      return reviewUncommitted(context, args[0]);
  }
}

async function delegate(context: AnywhereContext): Promise<void> {
  const tasks = await askTasks(dialogOf(context, vscode.l10n.t('Delegate')), await offered(context), vscode.l10n);
  if (tasks !== undefined) await start(context, tasks);
}

async function delegateSelection(context: AnywhereContext): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    void showInfo(vscode.l10n.t('Select in an editor what it is about first.'));
    return;
  }
  // As it is now: the person may click elsewhere while the questions are open.
  const selection = selectionOf(editor.document, editor.selection);
  const dialog = dialogOf(context, vscode.l10n.t('Delegate Selection'));
  const choices = await offered(context);
  for (;;) {
    const agent = await askAgent(dialog, choices, { step: 1, total: 2, canGoBack: false }, vscode.l10n);
    if (agent.kind !== 'answer') return;
    const wish = await askWish(dialog, agent.value, { step: 2, total: 2, canGoBack: true }, vscode.l10n);
    if (wish.kind === 'back') continue;
    if (wish.kind === 'answer') await start(context, [selectionTask(wish.value, agent.value, selection)], editor.document.uri);
    return;
  }
}

/** Of the place that the code action names; from the palette, of the cursor's. */
async function fixProblem(context: AnywhereContext, uri: unknown, range: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const place = uri instanceof vscode.Uri && range instanceof vscode.Range ? { document: await vscode.workspace.openTextDocument(uri), range } : editor && { document: editor.document, range: editor.selection };
  const found = place && problemsAt(place.document, place.range);
  if (found === undefined) void showInfo(vscode.l10n.t('There is no problem at the cursor.'));
  else await start(context, [problemTask(found.problems, found.around, vscode.l10n)], place?.document.uri);
}

/** `control`: the repository's own, from its menu. */
async function reviewUncommitted(context: AnywhereContext, control: unknown): Promise<void> {
  const changes = await uncommitted(rootOf(control));
  if (changes === undefined) return;
  const task = reviewTask(changes, vscode.l10n);
  if (task === undefined) void showInfo(vscode.l10n.t('There is nothing to review: all changes are committed.'));
  else await start(context, [task], changes.root);
}

function rootOf(control: unknown): vscode.Uri | undefined {
  const root: unknown = typeof control === 'object' && control !== null && 'rootUri' in control ? control.rootUri : undefined;
  return root instanceof vscode.Uri ? root : undefined;
}

/** `about`: the file or folder that decides where it works, of several folders. */
async function start(context: AnywhereContext, tasks: readonly TaskInput[], about?: vscode.Uri): Promise<void> {
  const folder = await pickFolder(about);
  if (folder !== undefined) await startGroup(context, tasks, folder.path);
}

async function offered({ access }: AnywhereContext): Promise<Offered> {
  const { definitions } = await access.agent();
  return { definitions: definitions.list(), unapproved: new Set(definitions.unapproved().map(({ name }) => name)) };
}

function dialogOf({ log }: AnywhereContext, title: string): Dialog {
  return new QuickDialog({ window: vscode.window, backButton: vscode.QuickInputButtons.Back, title, log });
}
