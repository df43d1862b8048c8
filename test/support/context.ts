import type { ContextOptions } from '../../src/runtime/agent/context/keeper.ts';
import { ContextMeter } from '../../src/runtime/agent/context/meter.ts';
import type { Message } from '../../src/runtime/domain/messages.ts';

/** What a loop on that conversation, without a session, needs to shorten it. */
export function contextOf(conversation: Message[], options: Partial<ContextOptions> = {}): ContextOptions {
  return {
    meter: new ContextMeter(),
    task: conversation.slice(0, 1),
    callIds: new Set(),
    replace: async (view) => void conversation.splice(0, conversation.length, ...view),
    ...options,
  };
}
