import { COMMANDS } from '../../ids.ts';
import { harmless } from '../../host/messageText.ts';
import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { L10n } from '../l10n.ts';
import { actionWords, toolWords } from '../toolWords.ts';

/** VS Code cuts a notification at 1000 characters, links and all, so the action must leave room. */
const MAX_ACTION = 240;
/** A question has one link less. */
const MAX_QUESTION = 360;

/** The notification for the head of the queue. `name` is who asks; `more` counts the other waiting requests. */
export function notificationText(request: ApprovalRequest, name: string, more: number, l10n: L10n): string {
  const waiting = more === 0 ? '' : more === 1 ? ` ${l10n.t('(1 more waits)')}` : ` ${l10n.t('({0} more wait)', more)}`;
  const links = request.question === undefined ? [link(l10n.t('Allow'), COMMANDS.allow, request.id), link(l10n.t('Deny'), COMMANDS.deny, request.id)] : [link(l10n.t('Answer…'), COMMANDS.answer, request.id)];
  return `${wish(request, harmless(name, 120), l10n)}${waiting} — ${[...links, link(l10n.t('More…'), COMMANDS.moreDecisions, request.id)].join(' · ')}`;
}

function wish(request: ApprovalRequest, who: string, l10n: L10n): string {
  if (request.question !== undefined) return l10n.t('{0} asks: “{1}”', who, harmless(request.question.question, MAX_QUESTION));
  const action = harmless(actionWords(request), MAX_ACTION);
  const tool = harmless(toolWords(request.tool), 60);
  return action === '' ? l10n.t('{0} wants to use {1}.', who, tool) : l10n.t('{0} wants to use {1}: “{2}”', who, tool, action);
}

function link(label: string, command: string, requestId: string): string {
  // Parentheses would end the link early; encodeURIComponent leaves them.
  const args = encodeURIComponent(JSON.stringify([{ requestId }])).replace(/[()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `[${label}](command:${command}?${args})`;
}
