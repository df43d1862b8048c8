import type { Tier } from '../domain/models.ts';
import type { DefinitionFormat } from './interop.ts';

/** What the words of a definition are read against. */
export interface ReadContext {
  readonly format: DefinitionFormat;
  /** The tiers of the model catalog; absent without a catalog. */
  readonly tiers?: readonly Tier[];
  /** Whose models can be reached by their full ids, such as `anthropic`; absent: nobody's, as far as is known. */
  readonly vendor?: string;
  /** Names of the MCP servers that are configured; absent: unknown. */
  readonly servers?: readonly string[];
  /** Names of the skills that an agent may load; absent: unknown. */
  readonly skills?: readonly string[];
}
