import * as vscode from 'vscode';
import { VIEWS } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { UiContext } from '../context.ts';
import { TasksTree } from './tasksTree.ts';

/** Creates the Tasks view. It looks at the stored list whenever somebody begins to look at it: other windows change that, too. */
export function createTasksView(context: UiContext): Disposable {
  const store = new DisposableStore();
  const tree = store.add(new TasksTree(context));
  const view = store.add(vscode.window.createTreeView(VIEWS.tasks, { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true }));
  const look = (): void => {
    if (!view.visible) return;
    context.access.current?.tasks.refresh().catch((error: unknown) => context.log.warn(`the task list is not up to date: ${errorText(error)}`));
  };
  store.add(view.onDidChangeVisibility(look));
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) look();
  }));
  return store;
}
