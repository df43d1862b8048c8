import type { AgentOptions, AgentQuery, QueryEngineConfig } from '../domain/agentApi.ts';
import { checkAgentOptions } from './agentChecks.ts';
import { Conversation } from './conversation.ts';
import { QueryRun } from './queryRun.ts';

/**
 * Asks once: makes an agent, sends it the prompt, waits for the answer, for the groups that were started on the way and
 * for their completion turns, and closes the agent. Not waited for is what nobody is told of when it ends, such as a
 * background command: closing ends it. Works whether or not anybody iterates; leaving the iteration early, or `signal`,
 * cancels everything that was started. Never throws: what keeps it from starting rejects `result` and the first `next()`.
 *
 * @param config `prompt` and `runtime` are required; `systemPrompt` replaces the runtime's; the others are those of `Agent`
 * @returns the events as they come, and how the last turn ended as `result`, once the agent is closed
 */
export function query(config: QueryEngineConfig): AgentQuery {
  let conversation: Conversation | undefined;
  // Whatever it is, it is refused where nothing throws.
  const { prompt, systemPrompt, signal, ...rest } = { ...config };
  const options: AgentOptions = { ...rest, ...(systemPrompt !== undefined && { prompt: systemPrompt }) };
  return new QueryRun({
    prompt,
    signal,
    conversation: () => {
      checkAgentOptions(options);
      return (conversation = new Conversation(options));
    },
    finish: async () => conversation?.close(),
  });
}
