import * as vscode from 'vscode';
import { VIEWS } from '../../ids.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { watchAttention } from '../attentionWatch.ts';
import type { UiContext } from '../context.ts';
import { badge } from './badge.ts';
import { GroupsTree } from './groupsTree.ts';

/** The Groups view, as other parts use it. */
export interface GroupsView extends Disposable {
  /** Brings the view to the front, and the group's row where there is one. */
  show(groupId?: string): Promise<void>;
}

/** Creates the Groups view with its badge. */
export function createGroupsView(context: UiContext): GroupsView {
  const store = new DisposableStore();
  const tree = store.add(new GroupsTree(context));
  const view = store.add(vscode.window.createTreeView(VIEWS.groups, { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true }));
  store.add(watchAttention(context, (attention, l10n) => {
    const next = badge(attention, l10n);
    if (next?.tooltip !== view.badge?.tooltip) view.badge = next;
  }));
  return {
    async show(groupId) {
      await vscode.commands.executeCommand(`${VIEWS.groups}.focus`);
      const node = groupId === undefined ? undefined : await tree.find(groupId);
      if (node !== undefined) await view.reveal(node, { select: true, focus: true, expand: true });
    },
    dispose: () => store.dispose(),
  };
}
