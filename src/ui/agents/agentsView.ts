import * as vscode from 'vscode';
import { VIEWS } from '../../ids.ts';
import type { WorkspaceTrust } from '../../host/trust.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { onAgent, type UiContext } from '../context.ts';
import { AgentsTree } from './agentsTree.ts';

/** Creates the Agents view. In Restricted Mode it says what trust adds. */
export function createAgentsView(context: UiContext, trust: WorkspaceTrust): Disposable {
  const store = new DisposableStore();
  const tree = store.add(new AgentsTree(context));
  const view = store.add(vscode.window.createTreeView(VIEWS.agents, { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true }));
  const say = (): void => {
    // A view with a message doesn't show its welcome, which speaks where there is nothing.
    const hasRows = (context.access.current?.definitions.found().length ?? 0) > 0;
    const message = hasRows && !trust.isTrusted() ? vscode.l10n.t('Restricted Mode: the agents of this folder are not read. They are once you trust it.') : '';
    if ((view.message ?? '') !== message) view.message = message;
  };
  store.add(trust.onDidGrant(say));
  store.add(onAgent(context.access, (agent) => {
    say();
    return agent.subscribe((event) => {
      if (event.type === 'definitions.reloaded') say();
    });
  }));
  return store;
}
