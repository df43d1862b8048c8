import type { AgentRef } from './agents.ts';
import type { PermissionLayer } from './permissions.ts';
import type { PathScope } from './ports.ts';
import type { ToolContext, ToolDefinition } from './tools.ts';

/** A call to judge. */
export interface GatedCall {
  readonly agent: AgentRef;
  readonly callId: string;
  readonly tool: ToolDefinition;
  /** The name of the agent's definition, to which its tools belong that aren't built in. Absent: the root. */
  readonly owner?: string;
  /** Validated and frozen: exactly this runs if allowed. */
  readonly input: unknown;
  readonly scope: PathScope;
  readonly layers: readonly PermissionLayer[];
  /** The layers as they are by the time of asking, for a call that waited. Absent: `layers` still hold. */
  readonly layersNow?: () => readonly PermissionLayer[];
  /** For the preview only. */
  readonly context: ToolContext;
}

/**
 * `realPaths`: every path target as it was judged; execution may use no other. `seesAll`: a search leaves nothing out,
 * because rules stop nothing in a dry run. `onlyReads`: all that it touches are commands that are known to change nothing.
 * `message` is for the model; `action`: what was refused, in one line.
 */
export type GateAnswer =
  | { readonly allowed: true; readonly realPaths: readonly string[]; readonly seesAll?: boolean; readonly onlyReads?: boolean }
  | { readonly allowed: false; readonly message: string; readonly action: string };

/**
 * Judges a call, asking a person where the rules say so. Fails closed: any error inside is a denial. Rejects with
 * `aborted` when the context's signal aborts while it waits.
 */
export type ToolGate = (call: GatedCall) => Promise<GateAnswer>;
