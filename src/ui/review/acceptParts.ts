import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { ReviewChoice } from '../../runtime/domain/reviews.ts';
import { eachInTurn } from '../failures.ts';
import { tellAccepted, type ChildAccepted } from './acceptTold.ts';

/** Accepts parts of what children changed. What was left as it is, since it is in conflict, is told with the way to it. */
export async function acceptParts(agent: LiteAgent, parts: readonly { readonly agentId: string; readonly choice: ReviewChoice }[], log: Log): Promise<void> {
  const done: ChildAccepted[] = [];
  try {
    await eachInTurn(parts, async ({ agentId, choice }) => done.push({ agentId, report: await agent.reviews.accept(agentId, choice) }));
  } finally {
    tellAccepted(agent, done, log);
  }
}
