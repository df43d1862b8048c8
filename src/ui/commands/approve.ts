import * as vscode from 'vscode';
import { COMMANDS } from '../../ids.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../runtime/domain/approvals.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { allowOnce } from '../approvals/allowOnce.ts';
import { answerQuestion } from '../approvals/answerQuestion.ts';
import { decideMore, reviewPending, type ApprovalViews } from '../approvals/approvalPicker.ts';
import { decide } from '../approvals/decide.ts';
import { agentName } from '../names.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';
import { firstWith, type Target } from './targets.ts';

type Ids = typeof COMMANDS.reviewApprovals | typeof COMMANDS.allow | typeof COMMANDS.deny | typeof COMMANDS.moreDecisions | typeof COMMANDS.answer | typeof COMMANDS.dontAnswer | typeof COMMANDS.showApprovalDetails | typeof COMMANDS.allowOnce | typeof COMMANDS.showDecisions;

/** Commands about approvals, waiting and decided ones: rows of the tree and links of the notification lead here. */
export function approvalCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  /** Of several rows only those that the decision fits. */
  const decideAll = (decision: ApprovalDecision, on: 'approvals' | 'questions'): Command => async (targets) => {
    const agent = await context.access.agent();
    for (const request of requestsOf(agent, targets)) if ((request.question === undefined) === (on === 'approvals')) await decide(context, agent, request.id, decision);
  };
  return {
    [COMMANDS.reviewApprovals]: async () => {
      const agent = await context.access.agent();
      await reviewPending(context, agent, views(context, agent));
    },
    [COMMANDS.allow]: decideAll({ kind: 'allow_once' }, 'approvals'),
    [COMMANDS.deny]: decideAll({ kind: 'deny' }, 'approvals'),
    [COMMANDS.answer]: async (targets) => {
      const agent = await context.access.agent();
      const request = requestsOf(agent, targets).find(({ question }) => question !== undefined);
      if (request !== undefined) await answerQuestion(context, agent, request);
    },
    [COMMANDS.dontAnswer]: decideAll({ kind: 'deny' }, 'questions'),
    [COMMANDS.moreDecisions]: async (targets) => {
      const agent = await context.access.agent();
      const [request] = requestsOf(agent, targets);
      if (request !== undefined) await decideMore(context, agent, request, views(context, agent));
    },
    [COMMANDS.showApprovalDetails]: async (targets) => {
      const agent = await context.access.agent();
      const [request] = requestsOf(agent, targets);
      if (request !== undefined) await views(context, agent).showDetails(request);
    },
    [COMMANDS.allowOnce]: async (targets) => {
      const agentId = firstWith(targets, 'agentId');
      if (agentId !== undefined) await allowOnce(await context.access.agent(), agentId);
    },
    [COMMANDS.showDecisions]: () => context.decisions.open(),
  };
}

/** The waiting requests that are meant, in that order; one that was settled meanwhile is left out. */
function requestsOf(agent: LiteAgent, targets: readonly Target[]): readonly ApprovalRequest[] {
  const pending = new Map(agent.approvals.pending().map((request) => [request.id, request]));
  return targets.flatMap(({ requestId = '' }) => pending.get(requestId) ?? []);
}

function views(context: CommandContext, agent: LiteAgent): ApprovalViews {
  return {
    showDetails: (request) => context.details.show(request, agentName(request.agent, agent.groups(), vscode.l10n)),
    openTranscript: (agentId) => context.documents.openTranscript(agent, agentId),
  };
}
