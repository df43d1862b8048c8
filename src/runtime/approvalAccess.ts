import { allowOnce, type AllowOnceDeps } from './allowOnce.ts';
import type { ApprovalAccess } from './domain/liteAgent.ts';
import type { ApprovalQueue } from './permissions/queue.ts';
import type { DecisionLog } from './store/decisionLog.ts';

export interface ApprovalParts extends AllowOnceDeps {
  readonly queue: ApprovalQueue;
  readonly decisions: DecisionLog;
}

/** All that a host can do about approvals. */
export function approvalAccess(parts: ApprovalParts): ApprovalAccess {
  const { queue, decisions, chances } = parts;
  return {
    attach: () => queue.attach(),
    pending: () => queue.pending(),
    decide: (id, decision) => queue.decide(id, decision),
    refused: (agentId) => chances.list(agentId),
    allowOnce: (agentId, callId) => allowOnce(agentId, callId, parts),
    decisions: () => decisions.read(),
  };
}
