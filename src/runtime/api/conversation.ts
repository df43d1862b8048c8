import { deferred } from '../base/async.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { AppError, errorText } from '../base/errors.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import type { AgentOptions } from '../domain/agentApi.ts';
import type { RuntimeEvent } from '../domain/events.ts';
import type { LiteAgent, LiteAgentOptions, LiteSession } from '../domain/liteAgent.ts';
import { SILENT_LOG } from '../domain/ports.ts';
import { startRuntime } from '../runtime.ts';
import { answerApprovals } from './approvalHandler.ts';

/** An agent and its one conversation, once they are there. */
export interface OpenConversation {
  readonly agent: LiteAgent;
  readonly session: LiteSession;
}

/** One agent with one conversation. Both begin at first use: until then there is nothing to close. */
export class Conversation {
  readonly #options: AgentOptions;
  readonly #events: Emitter<RuntimeEvent>;
  readonly #handling = new DisposableStore();
  readonly #closed = deferred<void>();
  #opening: Promise<OpenConversation> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: AgentOptions) {
    const { log = SILENT_LOG } = options.runtime;
    this.#options = options;
    this.#events = new Emitter((error) => log.error(`events: a listener failed: ${errorText(error)}`));
  }

  /** Everything that happens in the agent, from its start on. */
  get event(): Event<RuntimeEvent> {
    return this.#events.event;
  }

  /** Resolves when nothing of it runs any more. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Rejects with what keeps the agent from starting, which the next call tries anew, or with `closed`. */
  open(): Promise<OpenConversation> {
    if (this.#closing) return Promise.reject(new AppError('closed', 'This agent was closed.'));
    this.#opening ??= this.#start().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Cancels all that runs, and waits for it. Idempotent; rejects with system errors of the storage folder. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #start(): Promise<OpenConversation> {
    const { runtime, onApproval } = this.#options;
    const agent = await startRuntime(liteOptions(this.#options), {}, runtime);
    try {
      this.#handling.add(agent.subscribe((event) => this.#events.fire(event)));
      if (onApproval) this.#handling.add(answerApprovals(agent, onApproval, runtime.log ?? SILENT_LOG));
      return { agent, session: await agent.openSession() };
    } catch (error) {
      await agent.close();
      throw error;
    }
  }

  async #end(): Promise<void> {
    try {
      // One that could not start has told whoever asked for it.
      const open = await this.#opening?.catch(() => undefined);
      await open?.agent.close();
    } finally {
      this.#handling.dispose();
      this.#events.dispose();
      this.#closed.resolve();
    }
  }
}

function liteOptions({ runtime, maxTurns, childMaxTurns, onApproval: _, ...options }: AgentOptions): LiteAgentOptions {
  return {
    delegationTools: ['Agent', 'Task', 'MultiTask'],
    ...options,
    ...runtime,
    ...(maxTurns !== undefined && { rootMaxTurns: maxTurns }),
    ...(childMaxTurns !== undefined && { maxTurns: childMaxTurns }),
  };
}
