import * as vscode from 'vscode';
import { showInfo, showProgress } from '../../host/messages.ts';
import type { ServerOrigin } from '../../host/mcp/configuredServers.ts';
import { deferred } from '../../runtime/base/async.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { ServerView } from '../../runtime/domain/mcp.ts';
import type { UiContext } from '../context.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { openConfiguration } from './configuration.ts';
import { reasonWords, serverRow } from './serverWords.ts';

interface ServerItem extends vscode.QuickPickItem {
  readonly server: ServerView;
}

/** Lists the MCP servers with what can be done about each. After a restart the list is there again, with how that went. */
export async function showServers(context: UiContext, agent: LiteAgent): Promise<void> {
  for (;;) {
    if (agent.connections.list().length === 0) return tellNone();
    const server = await pickServer(context, agent);
    const action = server && (await pickAction(server, originOf(context, server.name)));
    if (server === undefined || action === undefined) return;
    if ((await act(context, agent, server, action)) === 'done') return;
  }
}

async function tellNone(): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void showInfo(vscode.l10n.t('In Restricted Mode no MCP server is started. Trust this workspace first.'));
    return;
  }
  const settings = vscode.l10n.t('Open Settings');
  const none = vscode.l10n.t('No MCP server is configured. Add one to the setting subagents.mcpServers, or to the file .vscode/mcp.json of this workspace.');
  if ((await showInfo(none, settings)) === settings) await openConfiguration(undefined);
}

/** Follows the servers while it is open. Nothing where it is hidden. */
async function pickServer(context: UiContext, agent: LiteAgent): Promise<ServerView | undefined> {
  const pick = vscode.window.createQuickPick<ServerItem>();
  pick.placeholder = vscode.l10n.t('Choose an MCP server to restart it, or to look at its tools or its configuration');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const refresh = (): void => {
    const before = pick.activeItems[0]?.server.name;
    pick.items = agent.connections.list().map((server) => serverItem(context, server));
    // New items move the cursor to the first one.
    const active = pick.items.filter((item) => item.server.name === before);
    if (active.length > 0) pick.activeItems = active;
  };
  const listening = agent.subscribe((event) => {
    if (event.type === 'connection.changed') refresh();
  });
  const chosen = deferred<ServerView | undefined>();
  pick.onDidAccept(() => chosen.resolve(pick.selectedItems[0]?.server));
  pick.onDidHide(() => chosen.resolve(undefined));
  refresh();
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    listening.dispose();
    pick.dispose();
  }
}

function serverItem(context: UiContext, server: ServerView): ServerItem {
  const origin = originOf(context, server.name);
  const file = origin?.kind === 'file' ? oneLine(vscode.workspace.asRelativePath(origin.path)) : '';
  const { icon, label, description, detail } = serverRow(server, origin, file, vscode.l10n);
  return { server, label: `$(${icon}) ${withoutIcons(label)}`, description, detail: withoutIcons(detail) };
}

function originOf(context: UiContext, name: string): ServerOrigin | undefined {
  return context.mcp.servers().get(name)?.origin;
}

type ServerAction = 'restart' | 'tools' | 'configuration' | 'log';

async function pickAction(server: ServerView, origin: ServerOrigin | undefined): Promise<ServerAction | undefined> {
  const actions: readonly { readonly action: ServerAction; readonly label: string }[] = [
    ...(origin === undefined ? [] : [{ action: 'restart', label: `$(debug-restart) ${server.status === 'closed' ? vscode.l10n.t('Start') : vscode.l10n.t('Restart')}` } as const]),
    ...(server.tools.length === 0 ? [] : [{ action: 'tools', label: `$(tools) ${vscode.l10n.t('Show Tools')}` } as const]),
    ...(origin === undefined ? [] : [{ action: 'configuration', label: `$(gear) ${vscode.l10n.t('Open Configuration')}` } as const]),
    ...(server.error === undefined ? [] : [{ action: 'log', label: `$(output) ${vscode.l10n.t('Show Log')}` } as const]),
  ];
  if (actions.length === 0) {
    void showInfo(vscode.l10n.t('A subagent brought the MCP server {0}, which starts and ends with it.', truncate(oneLine(server.name), 60)));
    return undefined;
  }
  const placeHolder = truncate(oneLine(reasonWords(server)), 200) || oneLine(server.name);
  return (await vscode.window.showQuickPick(actions, { title: truncate(oneLine(server.name), 60), placeHolder }))?.action;
}

/** `again`: the list is worth another look. */
async function act(context: UiContext, agent: LiteAgent, server: ServerView, action: ServerAction): Promise<'again' | 'done'> {
  switch (action) {
    case 'restart':
      // Whoever restarts it by hand is there to be asked.
      context.mcp.askAgain();
      await showProgress(vscode.l10n.t('Starting the MCP server {0}', truncate(server.name, 60)), () => agent.connections.restart(server.name));
      return 'again';
    case 'tools':
      await vscode.window.showQuickPick(server.tools.map((tool) => withoutIcons(oneLine(tool))), { title: vscode.l10n.t('Tools of {0}', truncate(oneLine(server.name), 60)), placeHolder: vscode.l10n.t('These tools can be named in a definition') });
      return 'again';
    case 'configuration':
      await openConfiguration(originOf(context, server.name));
      return 'done';
    case 'log':
      context.showLog();
      return 'done';
  }
}
