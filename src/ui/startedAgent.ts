import { errorText, isAppError } from '../runtime/base/errors.ts';
import type { LiteAgent } from '../runtime/domain/liteAgent.ts';
import type { UiContext } from './context.ts';

/** The agent for a view that is looked at, built where there is none yet; nothing where it can't be, which is logged. Never rejects. */
export async function startedAgent({ access, log }: Pick<UiContext, 'access' | 'log'>): Promise<LiteAgent | undefined> {
  try {
    return await access.agent();
  } catch (error) {
    // No folder is what the welcome view is for.
    if (!isAppError(error, 'unavailable')) log.error(`the panel has no agent: ${errorText(error)}`);
    return undefined;
  }
}
