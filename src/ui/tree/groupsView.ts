import * as vscode from 'vscode';
import { VIEWS } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { watchAttention } from '../attentionWatch.ts';
import { onAgent, type UiContext } from '../context.ts';
import { Coalescer } from '../coalesce.ts';
import { badge } from './badge.ts';
import { showDryRun } from './dryRunMessage.ts';
import { registerFileDecorations } from './fileDecorations.ts';
import { GroupsTree } from './groupsTree.ts';
import type { Node } from './nodes.ts';

const UNFOLD_MS = 500;

/** The Groups view, as other parts use it. */
export interface GroupsView extends Disposable {
  /** Brings the view to the front, and the group's row where there is one. */
  show(groupId?: string): Promise<void>;
  /** Brings a child's row into sight, unfolded, without taking the focus. */
  showChild(agentId: string): Promise<void>;
}

/** Creates the Groups view with its badge. */
export function createGroupsView(context: UiContext): GroupsView {
  const store = new DisposableStore();
  const tree = store.add(new GroupsTree(context));
  store.add(registerFileDecorations());
  const view = store.add(vscode.window.createTreeView(VIEWS.groups, { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true }));
  store.add(watchAttention(context, (attention, l10n) => {
    const next = badge(attention, l10n);
    if (next?.tooltip !== view.badge?.tooltip) view.badge = next;
  }));
  store.add(showDryRun(context, view));
  store.add(unfoldWaiting(context, tree, view));
  return {
    async show(groupId) {
      await vscode.commands.executeCommand(`${VIEWS.groups}.focus`);
      const node = groupId === undefined ? undefined : await tree.find(groupId);
      if (node !== undefined) await view.reveal(node, { select: true, focus: true, expand: true });
    },
    async showChild(agentId) {
      const groupId = context.access.current?.child(agentId)?.groupId;
      const node = groupId === undefined ? undefined : await tree.findChild(groupId, agentId);
      if (node !== undefined) await view.reveal(node, { select: true, focus: false, expand: true });
    },
    dispose: () => store.dispose(),
  };
}

/**
 * VS Code keeps a known row folded when it gets its first children, so a request would stay hidden under its child.
 * This unfolds each once, without moving selection or focus, and only while the view is open: revealing would open it.
 */
function unfoldWaiting(context: UiContext, tree: GroupsTree, view: vscode.TreeView<Node>): Disposable {
  return onAgent(context.access, (agent) => {
    const store = new DisposableStore();
    const unfolded = new Set<string>();
    const unfold = async (): Promise<void> => {
      for (const { id, agent: asking } of agent.approvals.pending()) {
        if (!view.visible || unfolded.has(id) || asking.kind === 'root') continue;
        unfolded.add(id);
        // Unfolded from the start: revealing it would only bring the view back to someone who is just leaving it.
        if (tree.hasAskedFor(id)) continue;
        const node = await tree.findChild(asking.groupId, asking.agentId);
        if (node !== undefined) await view.reveal(node, { select: false, focus: false, expand: true });
      }
    };
    // Later than the tree's own refresh, which must have brought the rows.
    const soon = store.add(new Coalescer(UNFOLD_MS, () => {
      unfold().catch((error: unknown) => context.log.debug(`a row was not unfolded: ${errorText(error)}`));
    }));
    store.add(agent.subscribe((event) => {
      if (event.type === 'approval.wanted') soon.schedule();
    }));
    store.add(view.onDidChangeVisibility(() => soon.schedule()));
    soon.schedule();
    return store;
  });
}
