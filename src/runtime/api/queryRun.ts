import { isAbort, onAbort } from '../base/abort.ts';
import { deferred } from '../base/async.ts';
import { isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import type { AgentQuery } from '../domain/agentApi.ts';
import type { RunOutcome } from '../domain/agents.ts';
import type { RuntimeEvent } from '../domain/events.ts';
import type { RootOptions } from '../domain/liteAgent.ts';
import type { Conversation, OpenConversation } from './conversation.ts';
import { EventStream } from './eventStream.ts';
import { QueryScope } from './queryScope.ts';

export interface QueryRunOptions {
  readonly prompt: string;
  /** What counts for this request instead of the agent's options. */
  readonly root?: RootOptions;
  readonly signal?: AbortSignal | undefined;
  /** Where it takes its turn. Throws, or rejects, with what keeps the request from starting. */
  readonly conversation: () => Conversation;
  /** Done before the request counts as over, however it ends. */
  readonly finish?: () => Promise<void>;
}

/** One request from its start to its end. */
export class QueryRun implements AgentQuery {
  readonly result: Promise<RunOutcome>;
  readonly #options: QueryRunOptions;
  readonly #stop = new AbortController();
  readonly #streams = new Set<EventStream>();
  #end: { readonly failure?: { readonly error: unknown } } | undefined;

  constructor(options: QueryRunOptions) {
    this.#options = options;
    this.result = this.#run();
    // Whoever iterates hears of it there, and needn't look here.
    this.result.catch(() => undefined);
  }

  /** Cancels its turn, its groups and their completion turns. Resolves when all of that has stopped; never rejects. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    await this.result.catch(() => undefined);
  }

  [Symbol.asyncIterator](): AsyncIterator<RuntimeEvent, undefined> {
    const stream = new EventStream(() => {
      this.#streams.delete(stream);
      return this.cancel();
    });
    if (this.#end?.failure) stream.fail(this.#end.failure.error);
    else if (this.#end) stream.end();
    else this.#streams.add(stream);
    return stream;
  }

  async #run(): Promise<RunOutcome> {
    const owned = new DisposableStore();
    try {
      const outcome = await this.#work(owned).finally(() => this.#options.finish?.());
      this.#end = {};
      for (const stream of this.#streams) stream.end();
      return outcome;
    } catch (error) {
      this.#end = { failure: { error } };
      for (const stream of this.#streams) stream.fail(error);
      throw error;
    } finally {
      owned.dispose();
    }
  }

  async #work(owned: DisposableStore): Promise<RunOutcome> {
    const { signal } = this.#options;
    if (signal) owned.add(onAbort(signal, () => this.#stop.abort()));
    // Whoever made it iterates before anything happens.
    await Promise.resolve();
    if (this.#isStopped) return CANCELLED;
    const conversation = this.#options.conversation();
    const open = await this.#opened(conversation);
    if (this.#isStopped || !open) return CANCELLED;
    return this.#answer(open, conversation, owned);
  }

  /** Nothing where the request was cancelled meanwhile. */
  async #opened(conversation: Conversation): Promise<OpenConversation | undefined> {
    try {
      return await conversation.open();
    } catch (error) {
      if (this.#isStopped && isAppError(error, 'closed')) return undefined;
      throw error;
    }
  }

  async #answer({ agent, session }: OpenConversation, conversation: Conversation, owned: DisposableStore): Promise<RunOutcome> {
    const turnId = `turn-${randomId()}`;
    const scope = new QueryScope(session.sessionId, turnId);
    const cancelling: Promise<void>[] = [];
    const cancelGroups = (): void => void cancelling.push(...scope.openGroups.map((groupId) => agent.cancelGroup(groupId)));
    owned.add(conversation.event((event) => {
      if (!scope.take(event)) return;
      if (this.#isStopped && event.type === 'group.accepted') cancelGroups();
      // The conversation hears what became of the group; nobody wants to know what the agent makes of it.
      if (this.#isStopped && event.type === 'turn.started') session.stop();
      for (const stream of this.#streams) stream.push(event);
    }));
    owned.add(onAbort(this.#stop.signal, cancelGroups));
    await this.#send({ agent, session }, turnId, scope);
    if (scope.hasStarted) await Promise.race([scope.over, conversation.closed]);
    await Promise.all(cancelling);
    return this.#isStopped ? cancelled(scope.outcome) : (scope.outcome ?? CANCELLED);
  }

  /** Resolves when its own turn has ended, or will never begin. Rejects where it could not begin. */
  async #send({ session }: OpenConversation, turnId: string, scope: QueryScope): Promise<void> {
    const { prompt, root } = this.#options;
    const neverBegins = deferred<void>();
    const listening = onAbort(this.#stop.signal, () => !scope.hasStarted && neverBegins.resolve());
    const sent = session.send(prompt, { signal: this.#stop.signal, turnId, ...(root && { root }) });
    try {
      await Promise.race([sent, neverBegins.promise]);
    } catch (error) {
      // How a turn ended that had begun is told by its events.
      if (!scope.hasStarted && !(this.#isStopped && (isAbort(error) || isAppError(error, 'closed')))) throw error;
    } finally {
      listening.dispose();
    }
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }
}

const CANCELLED: RunOutcome = { status: 'cancelled' };

/** What was said before stays readable. */
function cancelled(outcome: RunOutcome | undefined): RunOutcome {
  switch (outcome?.status) {
    case undefined:
      return CANCELLED;
    case 'completed':
      return { status: 'cancelled', partialText: outcome.text };
    case 'failed':
    case 'cancelled':
      return { status: 'cancelled', ...(outcome.partialText !== undefined && { partialText: outcome.partialText }) };
  }
}
