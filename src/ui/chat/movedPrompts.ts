import { errorText, isAppError } from '../../runtime/base/errors.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { L10n } from '../l10n.ts';
import type { ChatDeps } from './deps.ts';
import type { SessionTurn } from './history.ts';

export interface MovingParts extends Pick<ChatDeps, 'prompts' | 'log'> {
  readonly agent: Pick<LiteAgent, 'transcript'>;
  readonly l10n: L10n;
}

/**
 * A conversation that goes on from an earlier message, as where one was edited, is a new one, and the chat shows no
 * answer of those any more that went on from there before. So their scheduled prompts come along. Resolves to what the
 * person is to be told; nothing where none did. That they can't is logged.
 */
export async function moveScheduled(found: SessionTurn | undefined, sessionId: string, parts: MovingParts): Promise<string | undefined> {
  if (found === undefined || found.sessionId === sessionId) return undefined;
  const { prompts, log, l10n } = parts;
  try {
    let count = 0;
    for (const left of new Set((await prompts.list()).map((prompt) => prompt.sessionId))) {
      if (left !== sessionId && (await wentOnFrom(found, left, parts))) count += (await prompts.move(left, sessionId)).length;
    }
    return count === 0 ? undefined : l10n.t('*This goes on from an earlier message. Scheduled prompts that go on here, too: {0}. `/status` tells when the next one is sent.*', count);
  } catch (error) {
    log.warn(`chat: the scheduled prompts of ${found.sessionId} stay there: ${errorText(error)}`);
    return undefined;
  }
}

/** Whether it has that turn: the conversation itself, and those that went on from it. */
async function wentOnFrom({ sessionId, turnId }: SessionTurn, left: string, { agent }: MovingParts): Promise<boolean> {
  if (left === sessionId) return true;
  try {
    return (await agent.transcript(left)).some((entry) => entry.type === 'turn' && entry.turnId === turnId);
  } catch (error) {
    if (isAppError(error, 'not_found') || isAppError(error, 'invalid_input')) return false;
    throw error;
  }
}
