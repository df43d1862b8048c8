import { deferred, Serial, type Deferred } from '../base/async.ts';
import { errorText } from '../base/errors.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import type { ApprovalHandler } from '../domain/agentApi.ts';
import type { ApprovalDecision, ApprovalRequest } from '../domain/approvals.ts';
import type { LiteAgent } from '../domain/liteAgent.ts';
import type { Log } from '../domain/ports.ts';

const KINDS: readonly ApprovalDecision['kind'][] = ['allow_once', 'allow_group', 'allow_always', 'deny', 'answer'];

/** The agent is told no more than this: an error's text is the host's. */
const FAILED: ApprovalDecision = { kind: 'deny', message: 'The question could not be put to anybody.' };

/** Lets the handler answer the agent's requests, one after the other in the order in which they came, until the result is disposed. */
export function answerApprovals(agent: Pick<LiteAgent, 'approvals' | 'subscribe'>, handler: ApprovalHandler, log: Log): Disposable {
  const order = new Serial();
  /** Of each request that isn't settled: resolved once it is, so that no handler is waited for in vain. */
  const unsettled = new Map<string, Deferred<void>>();

  async function answer(request: ApprovalRequest, settled: Promise<void>): Promise<void> {
    // Another answer may have covered it meanwhile, or its agent was stopped.
    if (!unsettled.has(request.id)) return;
    const decision = await Promise.race([ask(handler, request, log), settled]);
    if (decision) await decide(agent, request, decision, log);
  }

  const settle = (id: string): void => {
    unsettled.get(id)?.resolve();
    unsettled.delete(id);
  };
  const handling = new DisposableStore();
  handling.add(toDisposable(() => [...unsettled.keys()].forEach(settle)));
  handling.add(agent.approvals.attach());
  handling.add(agent.subscribe((event) => {
    if (event.type === 'approval.decided' || event.type === 'approval.withdrawn') settle(event.request.id);
    if (event.type !== 'approval.wanted') return;
    const settled = deferred<void>();
    unsettled.set(event.request.id, settled);
    void order.run(() => answer(event.request, settled.promise));
  }));
  return handling;
}

async function ask(handler: ApprovalHandler, request: ApprovalRequest, log: Log): Promise<ApprovalDecision> {
  try {
    const decision: unknown = await handler(request);
    if (isDecision(decision)) return decision;
    log.warn('approvals: onApproval gave no decision, so the call is denied.');
  } catch (error) {
    log.warn(`approvals: onApproval failed, so the call is denied: ${errorText(error)}`);
  }
  return FAILED;
}

/** "Always" can fail, since it writes a rule; then the call is denied. */
async function decide({ approvals }: Pick<LiteAgent, 'approvals'>, { id }: ApprovalRequest, decision: ApprovalDecision, log: Log): Promise<void> {
  try {
    await approvals.decide(id, decision);
  } catch (error) {
    log.warn(`approvals: a decision could not be carried out, so the call is denied: ${errorText(error)}`);
    await approvals.decide(id, FAILED);
  }
}

function isDecision(value: unknown): value is ApprovalDecision {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.some((kind) => kind === value.kind);
}
