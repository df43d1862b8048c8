import type { ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { L10n } from '../l10n.ts';
import { withoutIcons } from '../../host/messageText.ts';

export type DecisionAction = 'allow_once' | 'allow_group' | 'allow_always' | 'answer' | 'deny' | 'deny_message' | 'details' | 'transcript';

export interface DecisionItem {
  readonly action: DecisionAction;
  readonly icon: string;
  readonly label: string;
  readonly description: string;
}

/** What can be done about a request: only what would have an effect. */
export function decisionItems(request: ApprovalRequest, l10n: L10n): readonly DecisionItem[] {
  const { agent, canAlways, question } = request;
  const rule = request.rule === undefined ? undefined : withoutIcons(request.rule);
  const item = (action: DecisionAction, icon: string, label: string, description = ''): DecisionItem => ({ action, icon, label, description });
  const views = [
    item('details', 'go-to-file', l10n.t('Show details'), l10n.t('decides nothing yet')),
    ...(agent.kind === 'child' ? [item('transcript', 'list-flat', l10n.t('Open transcript'))] : []),
  ];
  const reads = agent.kind === 'child' ? l10n.t('the subagent reads it and goes on') : l10n.t('the chat reads it and goes on');
  if (question !== undefined) return [item('answer', 'comment', l10n.t('Answer…')), item('deny', 'circle-slash', l10n.t('Don’t answer')), item('deny_message', 'comment-discussion', l10n.t('Don’t answer, with message…'), reads), ...views];
  return [
    item('allow_once', 'check', l10n.t('Allow once')),
    ...(agent.kind === 'child' && rule !== undefined ? [item('allow_group', 'check-all', l10n.t('Allow for this group'), rule)] : []),
    ...(canAlways && rule !== undefined ? [item('allow_always', 'star-full', l10n.t('Always allow'), l10n.t('adds the rule {0} to your settings', rule))] : []),
    item('deny', 'close', l10n.t('Deny')),
    item('deny_message', 'comment', l10n.t('Deny with message…'), reads),
    ...views,
  ];
}
