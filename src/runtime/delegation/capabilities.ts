import type { AgentCapabilities } from '../domain/capabilities.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { EffectiveServer } from '../domain/effectiveAgent.ts';

/** What a child has that is its own, for as long as it runs. */
export interface ChildCapabilities {
  /** Read at each model turn: servers list other tools over time. */
  readonly capabilities: AgentCapabilities;
  /** What its definition names and isn't there, in sentences. */
  readonly notes: readonly string[];
  /** The servers of its definition, as they stand. */
  readonly servers: readonly EffectiveServer[];
  /** What keeps it from running at all; what is its own is then of no use. */
  readonly refusal?: Error;
  /** Gives back what was acquired for it. Idempotent; never rejects. */
  release(): Promise<void>;
}

/**
 * Brings together what a definition declares: tools of its servers, its skills, or what its entry in code holds.
 * Never rejects: `refusal` is `aborted` or `closed`, or `unavailable` where none of the tools that the definition is limited to can be had.
 */
export type PrepareCapabilities = (definition: AgentDefinition, signal: AbortSignal) => Promise<ChildCapabilities>;
