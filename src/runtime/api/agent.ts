import { isObject } from '../agent/capabilityChecks.ts';
import { checkRequest } from '../agent/requestChecks.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { AgentOptions, AgentQuery, AgentRequest } from '../domain/agentApi.ts';
import type { RuntimeEvent } from '../domain/events.ts';
import type { RootOptions } from '../domain/liteAgent.ts';
import { checkAgentOptions } from './agentChecks.ts';
import { Conversation } from './conversation.ts';
import { QueryRun } from './queryRun.ts';

/**
 * An agent with one conversation, which lives until it is closed. It delegates with `Agent`, whose groups run beside the
 * conversation and report later, and with `Task` and `MultiTask`, whose calls wait for theirs. It begins to run with its
 * first request; until then nothing is read or written.
 */
export class Agent {
  readonly #conversation: Conversation;
  /** Those that aren't over. */
  readonly #queries = new Set<QueryRun>();

  /**
   * @param options `runtime` is required; unlike it, what belongs to the agent (tools, connections, skills, prompts) is handed on to no child
   * @throws AppError `invalid_input`, naming every option that makes no sense and, for options of the 2.x shape, where they belong now
   */
  constructor(options: AgentOptions) {
    checkAgentOptions(options);
    this.#conversation = new Conversation(options);
  }

  /**
   * Sends a message and follows it to its end: the turn that answers it, the groups that this turn starts, and the
   * completion turns of those, with whatever they start in turn. Requests take their turns one after the other, in the
   * order of the calls; one that waits for its groups keeps no other from its turn. Runs whether or not anybody
   * iterates. Never throws: what keeps the request from starting rejects `result` and the first `next()`.
   *
   * @param prompt the message; not empty
   * @param request what counts for this message, and for the completion turns of its groups, instead of the agent's
   * options, field by field; `signal` cancels the request
   */
  query(prompt: string, request: AgentRequest = {}): AgentQuery {
    // Whatever it is, it is refused where nothing throws.
    const { signal, ...root } = { ...request };
    const run = new QueryRun({ prompt, root: rootOptions(root), signal, conversation: () => this.#checked(isObject(request) ? root : request) });
    this.#queries.add(run);
    const forget = (): unknown => this.#queries.delete(run);
    void run.result.then(forget, forget);
    return run;
  }

  /** Listens to everything that happens in the agent, whatever request it belongs to, until the result is disposed. What a listener throws costs nobody else anything. */
  subscribe(listener: (event: RuntimeEvent) => void): Disposable {
    return this.#conversation.event(listener);
  }

  /**
   * Cancels all requests and groups, waits for them, and leaves no timer, process or listener behind. Requests that are
   * under way end as `cancelled`; later ones reject with `closed`. Idempotent. Rejects with system errors of the storage folder.
   */
  async close(): Promise<void> {
    const cancelled = [...this.#queries].map((run) => run.cancel());
    await this.#conversation.close();
    await Promise.all(cancelled);
  }

  #checked(request: unknown): Conversation {
    checkRequest(request, 'maxTurns');
    return this.#conversation;
  }
}

function rootOptions({ maxTurns, ...root }: Omit<AgentRequest, 'signal'>): RootOptions {
  return { ...root, ...(maxTurns !== undefined && { rootMaxTurns: maxTurns }) };
}
