import * as vscode from 'vscode';
import { confirm, showError, showInfo, showWarning } from '../../host/messages.ts';
import { deferred } from '../../runtime/base/async.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { rowChildren } from '../children.ts';
import type { UiContext } from '../context.ts';
import { childName, groupName } from '../names.ts';
import { withoutIcons } from '../../host/messageText.ts';
import type { GroupsView } from '../tree/groupsView.ts';
import type { Acceptable } from '../waiting.ts';
import { accept, inReview } from './accept.ts';
import { nameOf } from './acceptEach.ts';
import type { ChangeRequests } from './comments/requestChanges.ts';
import { openChanges } from './diff/openChanges.ts';
import type { ReviewDocuments } from './documents.ts';
import { reviewFacts } from './reviewItem.ts';

const MAX_OWNER = 60;

interface ResultItem extends vscode.QuickPickItem {
  readonly shown: Acceptable;
}

/** What a review works with. */
export interface ReviewContext extends UiContext {
  readonly view: Pick<GroupsView, 'showChild'>;
  readonly documents: ReviewDocuments;
  readonly requests: ChangeRequests;
}

/** Shows what waits for review, in one group or in all: the only one at once, else a list to choose from. */
export async function reviewResults(context: ReviewContext, agent: LiteAgent, groupId?: string): Promise<void> {
  const waiting = inReview(agent, groupId);
  const [first, ...others] = waiting;
  if (first === undefined) {
    void showInfo(vscode.l10n.t('Nothing waits for your review.'));
  } else if (others.length === 0 && first.kind === 'child') {
    await reviewOne(context, agent, first.child);
  } else {
    const chosen = await pickResults(context, agent, waiting);
    if (chosen !== undefined) await acceptShown(context, agent, chosen, groupId);
  }
}

/** Accepts what was shown as it was then. What has gone on since nobody has seen: that is said, and what of it waits now is shown. */
export async function acceptShown(context: ReviewContext, agent: LiteAgent, shown: readonly Acceptable[], groupId?: string): Promise<void> {
  if (!(await mayLeaveUnsent(context, shown))) return;
  const [first, ...others] = await accept(context, agent, shown);
  if (first === undefined) return;
  const name = others.length === 0 ? nameOf(first) : vscode.l10n.t('{0} and {1} more', nameOf(first), others.length);
  void showWarning(vscode.l10n.t('“{0}” has gone on since this was shown, so it was not accepted.', name));
  if (inReview(agent, groupId).length > 0) await reviewResults(context, agent, groupId);
}

/** Whether what was written for a child may stay unsent: once its task is completed nobody would read it. */
async function mayLeaveUnsent({ requests }: ReviewContext, shown: readonly Acceptable[]): Promise<boolean> {
  const unsent = shown.filter((item) => item.kind === 'child' && requests.unsent(item.child.agentId) > 0);
  const [first] = unsent;
  if (first === undefined) return true;
  const question = unsent.length === 1 ? vscode.l10n.t('Accept “{0}”, though your comments for it were not sent?', nameOf(first)) : vscode.l10n.t('Accept {0} subagents, though your comments for them were not sent?', unsent.length);
  return confirm(question, vscode.l10n.t('To have them read, use Request Changes… instead.'), vscode.l10n.t('Accept'));
}

/** What it changed, with its row beside: there its files are decided on, and a click opens what it said. That alone where it changed nothing. */
async function reviewOne(context: ReviewContext, agent: LiteAgent, child: ChildView): Promise<void> {
  if (child.changedFiles.length === 0) {
    await context.documents.openResult(agent, child.agentId);
    return;
  }
  await context.view.showChild(child.agentId);
  await openChanges(agent, { kind: 'child', agentId: child.agentId }, context.log);
}

/** What is ticked is to be accepted; each result, and what was changed, opens from its row. */
async function pickResults(context: ReviewContext, agent: LiteAgent, waiting: readonly Acceptable[]): Promise<readonly Acceptable[] | undefined> {
  const openResult: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: vscode.l10n.t('Open Result') };
  const openDiffs: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('diff-multiple'), tooltip: vscode.l10n.t('Open Changes') };
  const request: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('comment-discussion'), tooltip: vscode.l10n.t('Request Changes…') };
  const pick = vscode.window.createQuickPick<ResultItem>();
  pick.title = vscode.l10n.t('Review Results');
  pick.placeholder = vscode.l10n.t('Tick what to accept');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  const isMixed = new Set(waiting.flatMap((shown) => (shown.kind === 'child' ? [shown.child.groupId] : []))).size > 1;
  pick.items = waiting.map((shown): ResultItem => {
    // Of a task alone there is nothing to open.
    if (shown.kind === 'task') return { shown, label: withoutIcons(nameOf(shown)), description: withoutIcons(truncate(oneLine(shown.task.owner ?? ''), MAX_OWNER)) };
    const { child } = shown;
    return { shown, ...resultWords(child, agent, isMixed), buttons: child.changedFiles.length > 0 ? [openDiffs, openResult, request] : [openResult, request] };
  });
  const chosen = deferred<readonly Acceptable[] | undefined>();
  pick.onDidAccept(() => chosen.resolve(pick.selectedItems.map(({ shown }) => shown)));
  pick.onDidHide(() => chosen.resolve(undefined));
  pick.onDidTriggerItemButton(({ button, item: { shown } }) => {
    if (shown.kind === 'child') triggered(button, shown.child).catch((error: unknown) => {
      context.log.error(`review: ${errorText(error)}`);
      void showError(errorText(error));
    });
  });
  const triggered = (button: vscode.QuickInputButton, child: ChildView): Promise<void> => {
    if (button === openDiffs) return openChanges(agent, { kind: 'child', agentId: child.agentId }, context.log);
    // The question takes the place of the list, which counts as leaving it.
    return button === request ? context.requests.request(agent, child.agentId) : context.documents.openResult(agent, child.agentId);
  };
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    pick.dispose();
  }
}

function resultWords(child: ChildView, agent: LiteAgent, namesGroup: boolean): { readonly label: string; readonly description: string } {
  const group = agent.group(child.groupId);
  const siblings = group === undefined ? [child] : rowChildren(group);
  const name = group === undefined || !namesGroup ? undefined : groupName(group, vscode.l10n);
  return {
    label: withoutIcons(childName(child, siblings)),
    description: withoutIcons(reviewFacts(child, name, vscode.l10n)),
  };
}
