import type { ConfiguredServer } from '../../host/mcp/configuredServers.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ServerStatus, ServerView } from '../../runtime/domain/mcp.ts';
import type { L10n } from '../l10n.ts';
import { withQuotes } from '../plain.ts';
import { joined } from '../tree/presentation.ts';

/** How a server looks in a list. */
export interface ServerRow {
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  /** What is wrong, else where it comes from. */
  readonly detail: string;
}

/** `file`: the path of its file for people, where it is in one. */
export function serverRow(server: ServerView, origin: ConfiguredServer['origin'] | undefined, file: string, l10n: L10n): ServerRow {
  return {
    icon: ICONS[server.status],
    label: truncate(oneLine(server.name), 60),
    description: joined(statusWords(server.status, l10n), server.status === 'ready' ? toolCount(server.tools.length, l10n) : undefined, TRANSPORTS[server.transport]),
    detail: server.error === undefined ? originWords(origin, file, l10n) : truncate(reasonWords(server), 300),
  };
}

/** What is wrong with a server, in a line; empty where nothing is. */
export function reasonWords({ error = '' }: Pick<ServerView, 'error'>): string {
  return withQuotes(oneLine(error));
}

const ICONS: Readonly<Record<ServerStatus, string>> = { connecting: 'loading~spin', ready: 'pass', failed: 'error', closed: 'circle-outline' };

/** Names that are the same in every language. */
const TRANSPORTS: Readonly<Record<ServerView['transport'], string>> = { stdio: 'stdio', http: 'HTTP', sse: 'SSE' };

function statusWords(status: ServerStatus, l10n: L10n): string {
  switch (status) {
    case 'connecting':
      return l10n.t('connecting');
    case 'ready':
      return l10n.t('ready');
    case 'failed':
      return l10n.t('failed');
    case 'closed':
      return l10n.t('starts when it is needed');
  }
}

function toolCount(count: number, l10n: L10n): string {
  return count === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', count);
}

function originWords(origin: ConfiguredServer['origin'] | undefined, file: string, l10n: L10n): string {
  switch (origin?.kind) {
    case 'settings':
      return l10n.t('from your settings');
    case 'file':
      return l10n.t('from {0}', file);
    case undefined:
      return l10n.t('brought by a subagent');
  }
}
