import { isAppError } from '../../runtime/base/errors.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isSettled } from '../children.ts';
import { throwJoined } from '../failures.ts';
import { letGoOn, type OfferModel } from '../resume/letGoOn.ts';

type Agent = Pick<LiteAgent, 'child' | 'group' | 'tellChild' | 'resumeChild' | 'resumeGroup'>;

export interface MessageOffers {
  /** Asks whether children that have ended meanwhile go on with the message instead. */
  readonly resume: (agentIds: readonly string[]) => Promise<boolean>;
  readonly model: OfferModel;
}

/**
 * Sends the words to each child. Those that have ended meanwhile are asked about once: they can go on with these words
 * instead. Rejects as `letGoOn`, after everything that can be sent is.
 */
export async function sendMessage(agent: Agent, agentIds: readonly string[], text: string, offers: MessageOffers): Promise<void> {
  const failures: unknown[] = [];
  const late: string[] = [];
  for (const agentId of agentIds) {
    try {
      await agent.tellChild(agentId, text);
    } catch (error) {
      if (isAppError(error, 'conflict') && isSettled(agent.child(agentId)?.status ?? 'running')) late.push(agentId);
      else failures.push(error);
    }
  }
  if (late.length > 0 && (await offers.resume(late))) {
    await letGoOn(agent, late.map((agentId) => ({ kind: 'child', agentId, prompt: text })), offers.model).catch((error: unknown) => failures.push(error));
  }
  throwJoined(failures);
}
