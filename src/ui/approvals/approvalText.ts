import { COMMANDS } from '../../ids.ts';
import { harmless } from '../../host/messageText.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { L10n } from '../l10n.ts';
import { actionWords, toolWords } from '../toolWords.ts';

/** VS Code cuts a notification at 1000 characters, links and all, so the action must leave room. */
const MAX_ACTION = 240;

/** The notification for the head of the queue. `name` is who asks; `more` counts the other waiting requests. */
export function notificationText(request: ApprovalRequest, name: string, more: number, l10n: L10n): string {
  const action = harmless(actionWords(request), MAX_ACTION);
  const who = harmless(name, 120);
  const tool = harmless(toolWords(request.tool), 60);
  const asks = action === '' ? l10n.t('{0} wants to use {1}.', who, tool) : l10n.t('{0} wants to use {1}: “{2}”', who, tool, action);
  const waiting = more === 0 ? '' : more === 1 ? ` ${l10n.t('(1 more waits)')}` : ` ${l10n.t('({0} more wait)', more)}`;
  const links = [
    link(l10n.t('Allow'), COMMANDS.allow, request.id),
    link(l10n.t('Deny'), COMMANDS.deny, request.id),
    link(l10n.t('More…'), COMMANDS.moreDecisions, request.id),
  ];
  return `${asks}${waiting} — ${links.join(' · ')}`;
}

function link(label: string, command: string, requestId: string): string {
  // Parentheses would end the link early; encodeURIComponent leaves them.
  const args = encodeURIComponent(JSON.stringify([{ requestId }])).replace(/[()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `[${label}](command:${command}?${args})`;
}
