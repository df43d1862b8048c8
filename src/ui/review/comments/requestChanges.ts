import * as vscode from 'vscode';
import { AppError, isAppError } from '../../../runtime/base/errors.ts';
import type { LiteAgent } from '../../../runtime/domain/liteAgent.ts';
import { isBusy } from '../../children.ts';
import type { OfferModel } from '../../resume/letGoOn.ts';
import { nameIn } from './reviewedFiles.ts';
import type { ReviewComments } from './reviewComments.ts';
import { commentCount } from './requestWords.ts';

export interface RequestDialogs {
  /** What is to be changed, trimmed; nothing where the person leaves. `comments` is how many go along. */
  readonly askSummary: (name: string, comments: number, proposal: string) => Promise<string | undefined>;
  /** The model to go on with; nothing for none. */
  readonly offerModel: OfferModel;
}

type Agent = Pick<LiteAgent, 'child' | 'group' | 'reviews'>;

/** Asks children to change what they did, with the comments that were written for them. */
export class ChangeRequests {
  readonly #comments: ReviewComments;
  readonly #dialogs: RequestDialogs;
  /** What was written and could not be sent, by child. */
  readonly #unsent = new Map<string, string>();

  constructor(comments: ReviewComments, dialogs: RequestDialogs) {
    this.#comments = comments;
    this.#dialogs = dialogs;
  }

  /** How many comments were written for a child and not sent. */
  unsent(agentId: string): number {
    return this.#comments.draftsFor(agentId).length;
  }

  /**
   * Asks what is to be changed, then lets the child go on with it and all comments for it. Leaving the question sends
   * nothing. Rejects where it could not be sent: the comments are still drafts then, and the words are proposed the
   * next time.
   */
  async request(agent: Agent, agentId: string): Promise<void> {
    const child = agent.child(agentId);
    if (child === undefined) throw new AppError('not_found', vscode.l10n.t('This subagent is no longer known.'));
    if (isBusy(child)) throw new AppError('conflict', vscode.l10n.t('“{0}” is still at work. Ask for changes once it has ended.', nameIn(agent, child)));
    const text = await this.#dialogs.askSummary(nameIn(agent, child), this.#comments.draftsFor(agentId).length, this.#unsent.get(agentId) ?? '');
    if (text === undefined) return;
    this.#unsent.set(agentId, text);
    try {
      await this.#send(agent, agentId, text);
    } catch (error) {
      if (!isAppError(error, 'unavailable')) throw error;
      const model = await this.#dialogs.offerModel(error.message);
      if (model !== undefined) await this.#send(agent, agentId, text, model);
    }
  }

  /** With the comments as they are at this moment: while a question was open, some may have been written, changed or deleted. */
  async #send(agent: Agent, agentId: string, text: string, model?: string): Promise<void> {
    const comments = await this.#comments.asComments(agent, this.#comments.draftsFor(agentId));
    await agent.reviews.requestChanges(agentId, { text, comments, ...(model !== undefined && { model }) });
    this.#unsent.delete(agentId);
    this.#comments.removeSent(agentId, comments);
  }
}

/** Asks in an input box. Leaving it, or entering nothing where no comments go along, is no answer. */
export async function askSummary(name: string, comments: number, proposal: string): Promise<string | undefined> {
  const going = commentCount(comments, vscode.l10n);
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Request Changes from {0}', name),
    ...(going !== undefined && { prompt: vscode.l10n.t('Sends {0} along.', going) }),
    placeHolder: comments === 0 ? vscode.l10n.t('What should it change?') : vscode.l10n.t('What else should it change? May be empty.'),
    value: proposal,
    ignoreFocusOut: true,
    validateInput: (value) => (comments === 0 && value !== '' && value.trim() === '' ? vscode.l10n.t('Say what to change.') : undefined),
  });
  return comments === 0 && text?.trim() === '' ? undefined : text?.trim();
}
