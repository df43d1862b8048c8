import * as vscode from 'vscode';
import { showWarning } from '../../host/messages.ts';
import { COMMANDS } from '../../ids.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { ServerView } from '../../runtime/domain/mcp.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { openConfiguration } from './configuration.ts';
import { ServerFailures } from './failures.ts';
import { reasonWords } from './serverWords.ts';

/** Servers that start together fail together: that is one message. */
const GATHER_MS = 500;

/** Warns of servers that can't be used, each once until it has worked again. */
export function registerServerNotification(context: UiContext): Disposable {
  const store = new DisposableStore();
  const failures = new ServerFailures();
  let waiting: ServerView[] = [];
  const told = store.add(new Coalescer(GATHER_MS, () => {
    const failed = waiting;
    waiting = [];
    tell(context, failed).catch((error: unknown) => context.log.error(`MCP servers: ${errorText(error)}`));
  }));
  store.add(onAgent(context.access, (agent) => agent.subscribe((event) => {
    if (event.type !== 'connection.changed' || !failures.isNews(event.server)) return;
    waiting.push(event.server);
    told.schedule();
  })));
  return store;
}

async function tell(context: UiContext, failed: readonly ServerView[]): Promise<void> {
  const [first, ...others] = failed;
  if (first === undefined) return;
  for (const { name, error } of failed) context.log.warn(`the MCP server ${name} isn't available: ${error ?? 'it failed'}`);
  const details = vscode.l10n.t('Show Details');
  const configuration = vscode.l10n.t('Open Configuration');
  const text = others.length === 0
    ? vscode.l10n.t('The MCP server {0} isn’t available. {1}', truncate(oneLine(first.name), 60), truncate(oneLine(reasonWords(first)), 300))
    : vscode.l10n.t('{0} MCP servers aren’t available: {1}', failed.length, truncate(oneLine(failed.map(({ name }) => name).join(', ')), 300));
  // One that a subagent brought is configured in its definition, which isn't known here.
  const origin = context.mcp.servers().get(first.name)?.origin;
  const answer = await showWarning(text, ...(origin === undefined ? [details] : [details, configuration]));
  if (answer === details) await vscode.commands.executeCommand(COMMANDS.showMcpServers);
  if (answer === configuration) await openConfiguration(origin);
}
