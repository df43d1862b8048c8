import * as vscode from 'vscode';
import { errorText } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import { deferred, type Deferred } from '../../runtime/base/async.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { agentName } from '../names.ts';
import { notificationText } from './approvalText.ts';

/** Milliseconds between two notifications: of more than three in 800 ms VS Code leaves out the rest without a word, and others count too. */
const PACE_MS = 450;

/** The notification on screen. Resolving `ended` closes it. */
interface Shown {
  readonly requestId: string;
  readonly ended: Deferred<void>;
  update(text: string): void;
}

/**
 * Shows the head of the approval queue as a progress notification, since only that stays up and can be closed by
 * code. It is a view of the queue: hiding it decides nothing, and a decision made anywhere closes it.
 */
export function registerApprovalNotifications(context: UiContext): Disposable {
  return onAgent(context.access, (agent) => new ApprovalNotifications(agent, context.log));
}

class ApprovalNotifications implements Disposable {
  readonly #agent: LiteAgent;
  readonly #log: Log;
  readonly #sync: Coalescer;
  readonly #attached: Disposable;
  readonly #listening: Disposable;
  #shown: Shown | undefined;
  #raisedAt = 0;
  #waiting: NodeJS.Timeout | undefined;

  constructor(agent: LiteAgent, log: Log) {
    this.#agent = agent;
    this.#log = log;
    this.#attached = agent.approvals.attach();
    // After the turn of the event loop in which the queue changed, so that a burst is one update.
    this.#sync = new Coalescer(0, () => this.#show());
    this.#listening = agent.subscribe((event) => {
      if (event.type.startsWith('approval.')) this.#sync.schedule();
    });
    this.#sync.schedule();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#sync.dispose();
    clearTimeout(this.#waiting);
    this.#shown?.ended.resolve();
    this.#shown = undefined;
    this.#attached.dispose();
  }

  #show(): void {
    const pending = this.#agent.approvals.pending();
    const head = pending[0];
    if (this.#shown !== undefined && this.#shown.requestId !== head?.id) {
      this.#shown.ended.resolve();
      this.#shown = undefined;
    }
    if (head === undefined || (this.#shown === undefined && this.#waits())) return;
    this.#shown ??= this.#raise(head.id);
    this.#shown.update(notificationText(head, agentName(head.agent, this.#agent.groups(), vscode.l10n), pending.length - 1, vscode.l10n));
  }

  /** Whether the last notification came only just now: then the next one comes when its time has come, for whatever is the head by then. */
  #waits(): boolean {
    const left = this.#raisedAt + PACE_MS - performance.now();
    if (this.#raisedAt === 0 || left <= 0) return false;
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#show();
    }, left);
    return true;
  }

  #raise(requestId: string): Shown {
    this.#raisedAt = performance.now();
    const ended = deferred<void>();
    let report: ((text: string) => void) | undefined;
    let text = '';
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
    // Its text has links of its own: what it quotes is made harmless there.
    // eslint-disable-next-line no-restricted-syntax
    void vscode.window.withProgress(options, (progress, token) => {
      report = (next) => progress.report({ message: next });
      if (text !== '') report(text);
      token.onCancellationRequested(() => this.#deny(requestId));
      return ended.promise;
    });
    return {
      requestId,
      ended,
      update(next) {
        if (next === text) return;
        text = next;
        report?.(next);
      },
    };
  }

  #deny(requestId: string): void {
    this.#agent.approvals.decide(requestId, { kind: 'deny' }).catch((error: unknown) => this.#log.error(`the denial failed: ${errorText(error)}`));
  }
}
