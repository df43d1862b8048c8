import * as vscode from 'vscode';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import { showInfo } from '../../host/messages.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { RunOutcome } from '../../runtime/domain/agents.ts';
import type { EventOf } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isInReview } from '../children.ts';
import { onAgent } from '../context.ts';
import type { GroupLink } from './chatIds.ts';
import type { ChatDeps } from './deps.ts';
import { finishedWords } from './finishedWords.ts';
import type { SessionInbox } from './sessionInbox.ts';
import { SessionInboxes } from './sessionInboxes.ts';

/**
 * Listens to the agent from its start: a conversation that the chat hasn't opened in this window can go on, too. What
 * ends while no response is open is kept for the next one, and a notification says that it is there.
 */
export class BackgroundResults implements Disposable {
  readonly #deps: ChatDeps;
  readonly #listening: Disposable;
  #inboxes = new SessionInboxes(() => []);

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    this.#listening = onAgent(deps.access, (agent) => this.#listen(agent));
  }

  /** The inbox of a conversation of the window's agent. */
  inbox(sessionId: string): SessionInbox {
    return this.#inboxes.of(sessionId);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #listen(agent: LiteAgent): Disposable {
    const inboxes = (this.#inboxes = new SessionInboxes(() => agent.groups()));
    return agent.subscribe((event) => {
      const unseen = inboxes.receive(event);
      if (unseen !== undefined) this.#notify(agent, unseen).catch((error: unknown) => this.#deps.log.error(`chat: ${errorText(error)}`));
    });
  }

  async #notify(agent: LiteAgent, { sessionId, turnId, cause, outcome }: EventOf<'turn.ended'>): Promise<void> {
    switch (cause.kind) {
      case 'completion':
        return this.#notifyGroup(agent, { sessionId, turnId, groupId: cause.groupId }, outcome.status !== 'completed' || outcome.text !== '');
      case 'scheduled':
        return notifyScheduled(cause.title, outcome);
      case 'user':
    }
  }

  /** `isAnswered`: the root has something to say on it. */
  async #notifyGroup(agent: LiteAgent, link: GroupLink, isAnswered: boolean): Promise<void> {
    const group = agent.group(link.groupId);
    const children = group?.children ?? [];
    // The message about the review says that they are done.
    if (children.some(isInReview)) return;
    const [first] = children;
    const name = first === undefined ? link.groupId : truncate(oneLine(first.displayName), 60);
    const message = finishedWords({ name, others: children.length - 1, hasFailed: group?.status === 'failed', isAnswered }, vscode.l10n);
    const show = vscode.l10n.t('Show in Panel');
    if ((await showInfo(message, show)) === show) await vscode.commands.executeCommand(this.#deps.ids.showGroup, link);
  }
}

/** One that was stopped, as when the window closes, is nothing to hurry for. */
async function notifyScheduled(title: string, { status }: RunOutcome): Promise<void> {
  if (status === 'cancelled') return;
  const name = truncate(oneLine(title), 60);
  const message =
    status === 'failed'
      ? vscode.l10n.t('The scheduled prompt “{0}” could not be answered. Why opens the next answer of its conversation in the chat.', name)
      : vscode.l10n.t('The scheduled prompt “{0}” was answered. That opens the next answer of its conversation in the chat.', name);
  const open = vscode.l10n.t('Open Chat');
  if ((await showInfo(message, open)) === open) await vscode.commands.executeCommand('workbench.action.chat.open');
}
