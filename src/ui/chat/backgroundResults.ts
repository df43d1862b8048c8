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
import type { AnswerDocuments, AnswerKey } from './answerDocuments.ts';
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
  readonly #answers: AnswerDocuments;
  readonly #listening: Disposable;
  #inboxes = new SessionInboxes(() => []);

  constructor(deps: ChatDeps, answers: AnswerDocuments) {
    this.#deps = deps;
    this.#answers = answers;
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
        return this.#notifyGroup(agent, { sessionId, turnId, groupId: cause.groupId }, outcome);
      case 'scheduled':
        return this.#notifyScheduled({ sessionId, turnId }, cause.title, outcome);
      case 'user':
    }
  }

  async #notifyGroup(agent: LiteAgent, link: GroupLink, outcome: RunOutcome): Promise<void> {
    const group = agent.group(link.groupId);
    const children = group?.children ?? [];
    // The message about the review says that they are done.
    if (children.some(isInReview)) return;
    const [first] = children;
    const name = first === undefined ? link.groupId : truncate(oneLine(first.displayName), 60);
    const isAnswered = outcome.status !== 'completed' || outcome.text !== '';
    const message = finishedWords({ name, others: children.length - 1, hasFailed: group?.status === 'failed', isAnswered }, vscode.l10n);
    await this.#offer(message, { key: link, title: name, outcome }, { label: vscode.l10n.t('Show in Panel'), run: () => vscode.commands.executeCommand(this.#deps.ids.showGroup, link) });
  }

  /** One that was stopped, as when the window closes, is nothing to hurry for. */
  async #notifyScheduled(key: AnswerKey, prompt: string, outcome: RunOutcome): Promise<void> {
    if (outcome.status === 'cancelled') return;
    const title = truncate(oneLine(prompt), 60);
    const message =
      outcome.status === 'failed'
        ? vscode.l10n.t('The scheduled prompt “{0}” could not be answered. Why is said before the next answer in its conversation.', title)
        : vscode.l10n.t('The scheduled prompt “{0}” was answered. The answer also opens the next one in its conversation.', title);
    await this.#offer(message, { key, title, outcome }, { label: vscode.l10n.t('Open Chat'), run: () => vscode.commands.executeCommand('workbench.action.chat.open') });
  }

  /** The button for the answer comes first, where there is one to show. */
  async #offer(message: string, answer: Answer, other: { readonly label: string; readonly run: () => Thenable<unknown> }): Promise<void> {
    const show = vscode.l10n.t('Show Answer');
    const chosen = await showInfo(message, ...(hasText(answer.outcome) ? [show] : []), other.label);
    if (chosen === show) await this.#answers.open(answer.key, answer.title);
    if (chosen === other.label) await other.run();
  }
}

/** What the conversation said in a turn of its own. */
interface Answer {
  readonly key: AnswerKey;
  readonly title: string;
  readonly outcome: RunOutcome;
}

function hasText(outcome: RunOutcome): boolean {
  return outcome.status === 'completed' && outcome.text.trim() !== '';
}
