import * as vscode from 'vscode';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { ChatIds, GroupLink } from './chatIds.ts';
import { plainLine } from './markdown.ts';
import { SessionInbox, sessionOf } from './sessionInbox.ts';

/**
 * Listens to the conversations that the chat has opened. What ends while no response is open is kept for the next
 * one, and a notification says that it is there.
 */
export class BackgroundResults implements Disposable {
  readonly #ids: ChatIds;
  readonly #inboxes = new Map<string, SessionInbox>();
  #agent: LiteAgent | undefined;
  #subscription: Disposable | undefined;

  constructor(ids: ChatIds) {
    this.#ids = ids;
  }

  /** Listens from now on; asking again for the same agent does nothing. */
  listen(agent: LiteAgent): void {
    if (this.#agent === agent) return;
    this.#subscription?.dispose();
    this.#agent = agent;
    this.#inboxes.clear();
    this.#subscription = agent.subscribe((event) => this.#receive(event));
  }

  /** The inbox of a conversation of the agent that is listened to. */
  inbox(sessionId: string): SessionInbox {
    const known = this.#inboxes.get(sessionId);
    if (known) return known;
    const inbox = new SessionInbox(sessionId, this.#agent?.groups() ?? []);
    this.#inboxes.set(sessionId, inbox);
    return inbox;
  }

  /** The latest turn that belongs to a turn of the user: itself, or a completion turn after it. */
  endOfTurn(sessionId: string, turnId: string): string {
    return this.#inboxes.get(sessionId)?.endOfTurn(turnId) ?? turnId;
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#inboxes.clear();
  }

  #receive(event: RuntimeEvent): void {
    const sessionId = sessionOf(event);
    const inbox = sessionId === undefined ? undefined : this.#inboxes.get(sessionId);
    inbox?.receive(event);
    if (inbox && !inbox.isRead && event.type === 'turn.ended' && event.cause.kind === 'completion') {
      void this.#notify({ sessionId: event.sessionId, turnId: event.turnId, groupId: event.cause.groupId });
    }
  }

  async #notify(link: GroupLink): Promise<void> {
    const children = this.#agent?.group(link.groupId)?.children ?? [];
    // The message about the review says that they are done.
    if (children.some((child) => child.taskStatus === 'review')) return;
    const [first] = children;
    const name = first === undefined ? link.groupId : plainLine(first.displayName, 60);
    const message =
      children.length > 1
        ? vscode.l10n.t('“{0}” and {1} more have finished. The result is in the panel, and opens the next answer in the chat.', name, children.length - 1)
        : vscode.l10n.t('“{0}” has finished. The result is in the panel, and opens the next answer in the chat.', name);
    const show = vscode.l10n.t('Show in Panel');
    if ((await vscode.window.showInformationMessage(message, show)) === show) await vscode.commands.executeCommand(this.#ids.showGroup, link);
  }
}
