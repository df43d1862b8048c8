import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { onAgent, type UiContext } from '../context.ts';

/** Says above the groups that rules stop nothing, for as long as that is so. Not in an empty view, where it would hide the welcome. */
export function showDryRun(context: UiContext, view: Pick<vscode.TreeView<unknown>, 'message'>): Disposable {
  const store = new DisposableStore();
  const update = (): void => {
    const hasGroups = (context.access.current?.groups().length ?? 0) > 0;
    view.message = hasGroups && context.dryRun.isOn() ? vscode.l10n.t('Dry run: rules are recorded, but stop nothing.') : '';
  };
  store.add(context.dryRun.onDidChange(update));
  store.add(onAgent(context.access, (agent) => {
    update();
    return agent.subscribe(({ type }) => {
      if (type === 'group.accepted') update();
    });
  }));
  return store;
}
