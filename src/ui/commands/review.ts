import { COMMANDS } from '../../ids.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { acceptable, inReview } from '../review/accept.ts';
import { acceptShown, reviewResults } from '../review/reviewPicker.ts';
import type { Command, CommandContext, PanelCommandId } from './command.ts';
import { firstWith, groupsOf } from './targets.ts';

type Ids = typeof COMMANDS.openResult | typeof COMMANDS.openTranscript | typeof COMMANDS.accept | typeof COMMANDS.acceptGroup | typeof COMMANDS.reviewGroup | typeof COMMANDS.requestChanges;

/** Commands about what a subagent did. */
export function reviewCommands(context: CommandContext): Record<Extract<PanelCommandId, Ids>, Command> {
  const openFirst = (open: (agent: LiteAgent, agentId: string) => Promise<void>): Command => async (targets) => {
    const agentId = firstWith(targets, 'agentId');
    if (agentId !== undefined) await open(await context.access.agent(), agentId);
  };
  return {
    [COMMANDS.openResult]: openFirst((agent, agentId) => context.documents.openResult(agent, agentId)),
    [COMMANDS.openTranscript]: openFirst((agent, agentId) => context.documents.openTranscript(agent, agentId)),
    [COMMANDS.accept]: async (targets) => {
      const agent = await context.access.agent();
      await acceptShown(context, agent, acceptable(agent, targets));
    },
    [COMMANDS.acceptGroup]: async (targets) => {
      const agent = await context.access.agent();
      const ids = new Set(groupsOf(targets).flatMap((groupId) => inReview(agent, groupId)).flatMap((item) => (item.kind === 'child' ? [item.child.agentId] : [])));
      await acceptShown(context, agent, inReview(agent).filter((item) => item.kind === 'child' && ids.has(item.child.agentId)));
    },
    [COMMANDS.requestChanges]: openFirst((agent, agentId) => context.requests.request(agent, agentId)),
    [COMMANDS.reviewGroup]: async (targets) => {
      await reviewResults(context, await context.access.agent(), firstWith(targets, 'groupId'));
    },
  };
}
