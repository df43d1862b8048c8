import type { RunOutcome } from './agents.ts';
import type { ApprovalDecision, ApprovalRequest } from './approvals.ts';
import type { RuntimeEnvironment, RuntimeOptions } from './environment.ts';
import type { RuntimeEvent } from './events.ts';
import type { LiteAgentOptions, RootOptions } from './liteAgent.ts';

/**
 * Decides on a call that would ask a person, and answers questions (`request.question`) with `answer`. Called for one request after the other, in the order in which they came;
 * not for one that is settled by then. What it throws, or anything that is no decision, denies the call.
 */
export type ApprovalHandler = (request: ApprovalRequest) => Promise<ApprovalDecision>;

/** What an `Agent` is made of. Everything optional has the default that is named, or that of `LiteAgentOptions`. */
export interface AgentOptions extends Omit<LiteAgentOptions, keyof RuntimeOptions | 'maxTurns' | 'rootMaxTurns'> {
  /** What the agent and all its children work in, shared by reference. `createRuntimeEnvironment` makes it. */
  readonly runtime: RuntimeEnvironment;
  /** Model turns of the agent itself for one request. Default: no limit. */
  readonly maxTurns?: number;
  /** Model turns of a child whose definition or entry doesn't say. Default 50. */
  readonly childMaxTurns?: number;
  /** Answers what would ask. Absent: it is denied. */
  readonly onApproval?: ApprovalHandler;
}

/** What counts for one request of an `Agent`: each field that is given replaces the agent's own, in `capabilities` too. */
export interface AgentRequest extends Omit<RootOptions, 'rootMaxTurns'> {
  /** Model turns for this request. */
  readonly maxTurns?: number;
  /** Cancels the request: its turn, the groups that it started, and their completion turns. */
  readonly signal?: AbortSignal;
}

/** A request and the agent that answers it, made for it alone. */
export interface QueryEngineConfig extends Omit<AgentOptions, 'prompt'> {
  /** What is asked. */
  readonly prompt: string;
  /** The system prompt, instead of the runtime's. */
  readonly systemPrompt?: string;
  /** Cancels the query and all that it started. */
  readonly signal?: AbortSignal;
}

/**
 * A request on its way. Iterating gives the events of its own turns, of the groups that it started and of their
 * children, and those that belong to nobody in particular, from the moment on at which iterating begins; nothing is
 * kept for whoever doesn't iterate. It ends once the request is over, also one that failed: how it ended is in
 * `result`. Leaving it early cancels the request and waits for that.
 */
export interface AgentQuery extends AsyncIterable<RuntimeEvent, undefined> {
  /**
   * How the last of its turns ended: its own, or the completion turn of the last of its groups; `cancelled` where it
   * was cancelled in any way. Rejects only where the request could not start, with `invalid_input`, `closed`, or a
   * system error of the storage folder; then so does the first `next()`.
   */
  readonly result: Promise<RunOutcome>;
}
