import type { ChildSpec, RunOutcome } from './agents.ts';
import type { AgentDefinition } from './definitions.ts';
import type { TurnCause } from './events.ts';
import type { Compaction, Message } from './messages.ts';
import type { ModelRef, Tier } from './models.ts';
import type { Usage } from './usage.ts';

/** A line of an agent run's transcript. `at` in milliseconds since the epoch. */
export type TranscriptEntry =
  | { readonly type: 'started'; readonly at: number; readonly run: RunIdentity }
  /** `rootModel`: the one that its message named for the conversation. */
  | { readonly type: 'turn'; readonly at: number; readonly turnId: string; readonly cause: TurnCause; readonly rootModel?: Tier | ModelRef }
  /** A child goes on: with a new round in a group of its own, or, in the same round, after an interruption. */
  | { readonly type: 'resumed'; readonly at: number; readonly groupId: string; readonly spec: ChildSpec }
  /** `usage`: of a model's answer, with the tries that failed before it. */
  | { readonly type: 'message'; readonly at: number; readonly message: Message; readonly usage?: Usage }
  /** The conversation grew too long for the model, which sees `view` of it from here on. What stands above stays as it was said. */
  | ({ readonly type: 'compacted'; readonly at: number; readonly view: readonly StoredView[] } & Compaction)
  /** Something that the run should have isn't there. */
  | { readonly type: 'note'; readonly at: number; readonly text: string }
  | { readonly type: 'ended'; readonly at: number; readonly outcome: RunOutcome };

/** A message of a shortened conversation: the fingerprint of one that stands above, or one that stands nowhere else. */
export type StoredView = string | Message;

/** Whose transcript it is. `turn` lines mark where each turn of a root session starts. */
export type RunIdentity =
  /** `answers`: false where the root takes no turn on the results of its groups. */
  | { readonly kind: 'root'; readonly sessionId: string; readonly cwd: string; readonly answers?: false }
  | { readonly kind: 'child'; readonly sessionId: string; readonly groupId: string; readonly spec: ChildSpec; readonly definition: AgentDefinition; readonly system: string };

/** Append-only storage of one run. `append` keeps order, resolves when the line is on disk, and rejects when it isn't. */
export interface TranscriptWriter {
  append(entry: TranscriptEntry): Promise<void>;
}
