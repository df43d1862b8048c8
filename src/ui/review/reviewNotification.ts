import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { onAgent } from '../context.ts';
import { groupName } from '../names.ts';
import { inReview } from './accept.ts';
import { acceptShown, reviewResults, type ReviewContext } from './reviewPicker.ts';

/** One message for each group that settled with results to review, never one for each child. */
export function registerReviewNotification(context: ReviewContext): Disposable {
  return onAgent(context.access, (agent) =>
    agent.subscribe((event) => {
      if (event.type !== 'group.settled') return;
      ask(context, agent, event.groupId).catch((error: unknown) => context.log.error(`review: ${errorText(error)}`));
    }),
  );
}

async function ask(context: ReviewContext, agent: LiteAgent, groupId: string): Promise<void> {
  const group = agent.group(groupId);
  const waiting = inReview(agent, groupId);
  if (group === undefined || waiting.length === 0) return;
  const name = groupName(group, vscode.l10n);
  const text = waiting.length === 1 ? vscode.l10n.t('“{0}” has 1 result to review.', name) : vscode.l10n.t('“{0}” has {1} results to review.', name, waiting.length);
  const acceptAll = waiting.length === 1 ? vscode.l10n.t('Accept') : vscode.l10n.t('Accept All');
  const [review, later] = [vscode.l10n.t('Review'), vscode.l10n.t('Later')];
  const answer = await showInfo(text, review, acceptAll, later);
  if (answer === review) await reviewResults(context, agent, groupId);
  // Only what the message counted, as it was then: anything newer was not part of the question.
  if (answer === acceptAll) await acceptShown(context, agent, waiting, groupId);
}
