import type { RuntimeEvent } from '../../domain/events.ts';

/** What the log says of a conversation that was made shorter; nothing for any other event. */
export function compactionLine(event: RuntimeEvent): string | undefined {
  if (event.type !== 'context.compacted') return undefined;
  const { agent, how, tokensBefore, tokensAfter } = event;
  const who = agent.kind === 'root' ? agent.sessionId : agent.agentId;
  return `context: ${who} was ${how} from about ${tokensBefore} to ${tokensAfter} tokens`;
}
