import { abortError, onAbort, throwIfAborted } from '../base/abort.ts';
import { deferred, type Deferred } from '../base/async.ts';
import { AppError, unreachable } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { toDisposable, type Disposable } from '../base/lifecycle.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { ApprovalDecision, ApprovalRequest, DecidedBy } from '../domain/approvals.ts';
import type { Publish } from '../domain/events.ts';
import type { ApprovalAccess } from '../domain/liteAgent.ts';
import type { AskUser } from '../domain/services.ts';
import { covered, covers } from './coverage.ts';
import { answerOf, assertAnswers, questionRequest } from './questions.ts';
import type { CallSubject } from './subject.ts';

export interface ApprovalQueueOptions {
  readonly publish: Publish;
  /** What writes a user rule just now; nothing where "always" can't be offered. */
  readonly saveRule?: () => ((rule: string) => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A request before the queue has it. */
export type WantedApproval = Omit<ApprovalRequest, 'id' | 'requestedAt'>;

interface Waiting {
  readonly request: ApprovalRequest;
  readonly subject: CallSubject | undefined;
  /** Whether a saved user rule would have answered it. */
  readonly takesUserRules: boolean;
  readonly answer: Deferred<ApprovalDecision>;
  listening?: Disposable;
  /** The rule of an "always" on its way to disk: other answers wait for how that ends. */
  saving?: Promise<void>;
}

/** The only holder of requests that wait for a person: one FIFO for all agents. Notification, tree and chat are views on it. */
export class ApprovalQueue implements Omit<ApprovalAccess, 'decisions' | 'refused' | 'allowOnce'>, Disposable {
  readonly #publish: Publish;
  readonly #saveRule: () => ((rule: string) => Promise<void>) | undefined;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting>();
  /** By scope, then by whose tools they are about. */
  readonly #groupRules = new Map<string, Map<string | undefined, Set<string>>>();
  #handlers = 0;
  #disposed = false;

  constructor(options: ApprovalQueueOptions) {
    this.#publish = options.publish;
    this.#saveRule = options.saveRule ?? (() => undefined);
    this.#now = options.now ?? Date.now;
  }

  attach(): Disposable {
    this.#handlers++;
    return toDisposable(() => this.#handlers--);
  }

  /** True while someone is attached. Requests that wait when the last one leaves stay pending for the next. */
  get attended(): boolean {
    return this.#handlers > 0;
  }

  pending(): readonly ApprovalRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  /**
   * Waits for a person's decision. Publishes `approval.wanted`, later `approval.decided` or `approval.withdrawn`, once.
   * While nobody is attached both come at once, as a denial by `no_handler`. With the `subject` an answer to another
   * request that covers this one settles it too. Rejects with the abort error when the signal aborts or the queue is
   * disposed, with `closed` when it was disposed before.
   */
  async request(wanted: WantedApproval, signal: AbortSignal, subject?: CallSubject): Promise<ApprovalDecision> {
    throwIfAborted(signal);
    if (this.#disposed) throw new AppError('closed', 'No approvals are taken any more.');
    const takesUserRules = wanted.canAlways && wanted.rule !== undefined;
    const request: ApprovalRequest = { ...wanted, id: randomId(), requestedAt: this.#now(), canAlways: takesUserRules && this.#saveRule() !== undefined };
    const waiting: Waiting = { request, subject, takesUserRules, answer: deferred() };
    this.#waiting.set(request.id, waiting);
    waiting.listening = onAbort(signal, () => this.#withdraw(waiting));
    const { attended } = this;
    this.#publish({ type: 'approval.wanted', request });
    if (!attended) this.#settle(waiting, { kind: 'deny' }, 'no_handler');
    return waiting.answer.promise;
  }

  /** Waits for a person's answer, in the same queue. See `AskUser`. */
  readonly ask: AskUser = async (question, from, signal) => {
    const { attended } = this;
    const decision = await this.request(questionRequest(question, from), signal);
    if (!attended) throw new AppError('unavailable', 'Nobody is there to answer a question. Attach whoever answers approvals.');
    return answerOf(decision);
  };

  async decide(id: string, decision: ApprovalDecision): Promise<boolean> {
    for (;;) {
      const waiting = this.#waiting.get(id);
      if (!waiting) return false;
      assertAnswers(decision, waiting.request);
      if (waiting.saving) await waiting.saving.catch(() => undefined);
      else if (decision.kind !== 'allow_always') return this.#decideNow(waiting, decision);
      else return this.#decideAlways(waiting, decision);
    }
  }

  /** True when rules remembered for the agent's group (for a root agent: its session), and for the owner of the tool, allow every part of the call. */
  groupAllows(agent: AgentRef, subject: CallSubject): boolean {
    const rules = this.#groupRules.get(scopeOf(agent))?.get(subject.owner);
    return rules !== undefined && covered([...rules], subject);
  }

  /** Forgets what was allowed for a group. */
  endGroup(groupId: string): void {
    this.#groupRules.delete(groupScope(groupId));
  }

  /** Withdraws everything that waits and takes nothing more. */
  dispose(): void {
    this.#disposed = true;
    for (const waiting of [...this.#waiting.values()]) this.#withdraw(waiting);
    this.#groupRules.clear();
  }

  #decideNow(waiting: Waiting, decision: Exclude<ApprovalDecision, { kind: 'allow_always' }>): boolean {
    switch (decision.kind) {
      case 'allow_once':
      case 'answer':
        return this.#settle(waiting, decision, 'person');
      case 'deny':
        return this.#settle(waiting, readDenial(decision), 'person');
      case 'allow_group':
        this.#allowGroup(waiting, decision);
        return true;
      default:
        return unreachable(decision);
    }
  }

  #allowGroup(waiting: Waiting, decision: ApprovalDecision): void {
    const { agent, rule } = waiting.request;
    const scope = scopeOf(agent);
    const owner = waiting.subject?.owner;
    if (rule !== undefined) this.#remember(scope, owner, rule);
    this.#settle(waiting, decision, 'person');
    if (rule === undefined) return;
    this.#settleOthers(decision, (other) => scopeOf(other.request.agent) === scope && other.subject?.owner === owner && (covers(rule, other.request, other.subject) || this.#isRemembered(other)));
  }

  #remember(scope: string, owner: string | undefined, rule: string): void {
    const byOwner = this.#groupRules.get(scope) ?? new Map<string | undefined, Set<string>>();
    this.#groupRules.set(scope, byOwner.set(owner, new Set(byOwner.get(owner)).add(rule)));
  }

  #isRemembered({ request, subject }: Waiting): boolean {
    return subject !== undefined && this.groupAllows(request.agent, subject);
  }

  async #decideAlways(waiting: Waiting, decision: ApprovalDecision): Promise<boolean> {
    const { rule } = waiting.request;
    const save = this.#saveRule();
    if (rule === undefined || !waiting.takesUserRules || !save) throw new AppError('invalid_input', 'This call can be allowed once or for its group, not always.');
    waiting.saving = save(rule);
    try {
      await waiting.saving;
    } finally {
      delete waiting.saving;
    }
    const settled = this.#settle(waiting, decision, 'person');
    // The rule stands even if the request was withdrawn while it was written.
    this.#settleOthers(decision, (other) => other.takesUserRules && covers(rule, other.request, other.subject));
    return settled;
  }

  #settleOthers(decision: ApprovalDecision, isCovered: (other: Waiting) => boolean): void {
    for (const other of [...this.#waiting.values()]) if (!other.saving && isCovered(other)) this.#settle(other, decision, 'group_rule');
  }

  #settle(waiting: Waiting, decision: ApprovalDecision, by: DecidedBy): boolean {
    if (!this.#remove(waiting)) return false;
    waiting.answer.resolve(decision);
    this.#publish({ type: 'approval.decided', request: waiting.request, decision, by });
    return true;
  }

  #withdraw(waiting: Waiting): void {
    if (!this.#remove(waiting)) return;
    waiting.answer.reject(abortError());
    this.#publish({ type: 'approval.withdrawn', request: waiting.request });
  }

  /** False when it was settled before. */
  #remove(waiting: Waiting): boolean {
    waiting.listening?.dispose();
    return this.#waiting.delete(waiting.request.id);
  }
}

/** A message that is no text says nothing. */
function readDenial({ message }: { readonly message?: unknown }): ApprovalDecision {
  return { kind: 'deny', ...(typeof message === 'string' && { message }) };
}

function scopeOf(agent: AgentRef): string {
  return agent.kind === 'child' ? groupScope(agent.groupId) : `session ${agent.sessionId}`;
}

function groupScope(groupId: string): string {
  return `group ${groupId}`;
}
