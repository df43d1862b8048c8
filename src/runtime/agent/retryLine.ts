import { oneLine } from '../base/text.ts';
import type { RuntimeEvent } from '../domain/events.ts';

/** What the log says of a wait before a model is asked again; nothing for any other event. */
export function retryLine(event: RuntimeEvent): string | undefined {
  switch (event.type) {
    case 'retry.scheduled': {
      const { agent, attempt, until, message } = event;
      const who = agent.kind === 'root' ? agent.sessionId : agent.agentId;
      return `models: ${who} sends try ${attempt} at ${new Date(until).toISOString()}: ${oneLine(message)}`;
    }
    case 'cooldown.started':
      return `models: nothing is sent to ${event.provider} until ${new Date(event.until).toISOString()}`;
    default:
      return undefined;
  }
}
