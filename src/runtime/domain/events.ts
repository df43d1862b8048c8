import type { AgentRef, ChildSpec, GroupSpec, GroupStatus, RunOutcome, WorktreeSpec } from './agents.ts';
import type { ApprovalDecision, ApprovalRequest, DecidedBy } from './approvals.ts';
import type { AgentDefinition, DefinitionDiagnostic } from './definitions.ts';
import type { ServerView } from './mcp.ts';
import type { Compaction, StopReason } from './messages.ts';
import type { ModelFailure } from './models.ts';
import type { ChangeRequest, ReviewDecision } from './reviews.ts';
import type { FileChange } from './tools.ts';
import type { TrackedTask } from './trackedTasks.ts';
import type { Usage } from './usage.ts';

/** A child in the events that are about nothing else. */
export interface ChildKey {
  readonly sessionId: string;
  readonly groupId: string;
  readonly agentId: string;
}

/** A call that was judged without a person. `action`: what it would do, in one line; `why`: one sentence. */
export interface JudgedCall {
  readonly agent: AgentRef;
  readonly callId: string;
  readonly tool: string;
  readonly action: string;
  readonly why: string;
  readonly rule?: string;
}

/**
 * Everything that happens, in one stream: the store, the panel, the chat, the log and the tests read this and
 * nothing else. Events of one agent come in the order in which they happened.
 */
export type RuntimeEvent = { readonly at: number } & RuntimeEventBody;

export type RuntimeEventBody =
  // A session's turns: the user's, and the autonomous ones, after a group or on a scheduled prompt.
  | { readonly type: 'turn.started'; readonly sessionId: string; readonly turnId: string; readonly cause: TurnCause }
  | { readonly type: 'turn.ended'; readonly sessionId: string; readonly turnId: string; readonly cause: TurnCause; readonly outcome: RunOutcome }
  // What an agent, root or child, does. `paths` are absolute, as the call named them.
  | { readonly type: 'text.delta'; readonly agent: AgentRef; readonly text: string }
  | { readonly type: 'thinking.delta'; readonly agent: AgentRef; readonly text: string }
  /** What this turn of the model has said so far counts no more: it is asked again. */
  | { readonly type: 'text.discarded'; readonly agent: AgentRef }
  /** The model call failed in a way that passes, or its provider is in a cool-down. `until`: when it is sent again. `attempt`: the number of the try that is sent then; 1 where the first one waits for a cool-down that others met. Told again where the wait grows longer. */
  | { readonly type: 'retry.scheduled'; readonly agent: AgentRef; readonly attempt: number; readonly until: number; readonly failure: ModelFailure; readonly message: string }
  /** Nothing is sent to this provider with this key until then, by no agent, but for what a person wants at once. */
  | { readonly type: 'cooldown.started'; readonly provider: string; readonly until: number }
  /** `isSummary`: it summed up the conversation, and was no turn of the agent. `isRetried`: a person stopped it, and the model is asked again: no turn either. */
  | { readonly type: 'model.ended'; readonly agent: AgentRef; readonly stop: StopReason; readonly usage: Usage; readonly isSummary?: true; readonly isRetried?: true }
  /** The agent's conversation neared the window of its model, which from now on sees less of it. */
  | ({ readonly type: 'context.compacted'; readonly agent: AgentRef } & Compaction)
  /** `mayChange`: it may change something without saying what. */
  | { readonly type: 'tool.called'; readonly agent: AgentRef; readonly callId: string; readonly tool: string; readonly activity: string; readonly paths: readonly string[]; readonly mayChange?: true }
  | { readonly type: 'tool.progress'; readonly agent: AgentRef; readonly callId: string; readonly text: string }
  /** `changedNothing`: of a call that might have, it is known that it only read, or never ran. */
  | { readonly type: 'tool.ended'; readonly agent: AgentRef; readonly callId: string; readonly tool: string; readonly isError: boolean; readonly isDenied: boolean; readonly durationMs: number; readonly changedNothing?: true }
  /** A person said this to the agent, which reads it before its next model turn, of this run or of a later one. */
  | { readonly type: 'message.sent'; readonly agent: AgentRef; readonly id: string; readonly text: string }
  /** What was said to the agent stands in its conversation. */
  | { readonly type: 'message.delivered'; readonly agent: AgentRef; readonly id: string; readonly text: string }
  | { readonly type: 'files.changed'; readonly agent: AgentRef; readonly callId: string; readonly changes: readonly FileChange[] }
  /** So many of the agent's commands run in the background now. */
  | { readonly type: 'commands.changed'; readonly agent: AgentRef; readonly running: number }
  // Groups and their children.
  /** `hostId`: the process that runs it. `definitions`: those that its new children start on, each once, whole. */
  | { readonly type: 'group.accepted'; readonly group: GroupSpec; readonly hostId: string; readonly definitions?: readonly AgentDefinition[] }
  /** `spec`: what it goes on with, where that is another than before. */
  | ({ readonly type: 'child.queued'; readonly spec?: ChildSpec } & ChildKey)
  | ({ readonly type: 'child.started' } & ChildKey)
  /** The child's worktree is there; `applied`: some of what it did there was merged into the workspace; `removed`: it is there no more; `kept`: why it stays, in a sentence. */
  | ({ readonly type: 'worktree.created'; readonly worktree: WorktreeSpec } & ChildKey)
  | ({ readonly type: 'worktree.applied'; readonly paths: readonly string[] } & ChildKey)
  | ({ readonly type: 'worktree.removed' } & ChildKey)
  | ({ readonly type: 'worktree.kept'; readonly why: string } & ChildKey)
  /** A person has judged something that the child changed, or all that was left of it. */
  | ({ readonly type: 'review.decided'; readonly decision: ReviewDecision } & ChildKey)
  /** A person wants changes: the child goes on with these words. */
  | ({ readonly type: 'review.requested'; readonly asks: ChangeRequest } & ChildKey)
  /** Something that it should have isn't there, in a sentence. `unrecorded`: it may have changed something of which nothing is kept. */
  | ({ readonly type: 'child.noted'; readonly text: string; readonly unrecorded?: true } & ChildKey)
  | ({ readonly type: 'child.settled'; readonly outcome: RunOutcome } & ChildKey)
  /** Stopped without an end of its own, because its host stopped. It can be resumed or cancelled. */
  | ({ readonly type: 'child.interrupted' } & ChildKey)
  | { readonly type: 'group.settled'; readonly sessionId: string; readonly groupId: string; readonly status: GroupStatus }
  /** None of its children runs, and not all have settled. `hostId`: the process that looks after it from now on, where that is another than before. */
  | { readonly type: 'group.interrupted'; readonly sessionId: string; readonly groupId: string; readonly hostId?: string }
  /** Interrupted children of the group go on, on this host. Each is queued again by an event of its own. */
  | { readonly type: 'group.resumed'; readonly sessionId: string; readonly groupId: string; readonly hostId: string }
  /** Its one completion stands in the conversation of its session. */
  | { readonly type: 'group.delivered'; readonly sessionId: string; readonly groupId: string }
  /** The group of another window was read anew. */
  | { readonly type: 'group.refreshed'; readonly sessionId: string; readonly groupId: string }
  // Approvals.
  | { readonly type: 'approval.wanted'; readonly request: ApprovalRequest }
  | { readonly type: 'approval.decided'; readonly request: ApprovalRequest; readonly decision: ApprovalDecision; readonly by: DecidedBy }
  | { readonly type: 'approval.withdrawn'; readonly request: ApprovalRequest }
  /** Refused without asking anybody: by a rule, a default, or because no tool may touch that path. `rule`: its text, where one decided. */
  | ({ readonly type: 'permission.denied' } & JudgedCall)
  /** A person allows a call, once, that was refused before. */
  | ({ readonly type: 'permission.granted' } & JudgedCall)
  /** In a dry run: what would have been asked or denied, and ran. */
  | ({ readonly type: 'permission.dry_run'; readonly verdict: 'ask' | 'deny' } & JudgedCall)
  // Tracked tasks and definitions.
  | { readonly type: 'task.changed'; readonly task: TrackedTask }
  | { readonly type: 'definitions.reloaded'; readonly names: readonly string[]; readonly diagnostics: readonly DefinitionDiagnostic[] }
  /** Other skills than before are in the folders, or other problems. */
  | { readonly type: 'skills.reloaded'; readonly names: readonly string[]; readonly diagnostics: readonly DefinitionDiagnostic[] }
  /** A configured server, or one that an agent brings, connected, failed, ended, or changed its tools. */
  | { readonly type: 'connection.changed'; readonly server: ServerView }
  /** A delegation was refused because nobody has approved these project definitions yet. */
  | { readonly type: 'definitions.refused'; readonly sessionId: string; readonly names: readonly string[] }
  /** Something failed that no caller waits for, such as a write to the store. */
  | { readonly type: 'problem'; readonly message: string };

/** Why a session takes a turn. */
export type TurnCause = { readonly kind: 'user' } | OwnTurnCause;

/** Why a session takes a turn that no message of the user asks for. `title`: the beginning of the prompt, in one line. */
export type OwnTurnCause =
  | { readonly kind: 'completion'; readonly groupId: string }
  | { readonly kind: 'scheduled'; readonly promptId: string; readonly title: string };

export type RuntimeEventType = RuntimeEvent['type'];
export type EventOf<T extends RuntimeEventType> = Extract<RuntimeEvent, { type: T }>;

/** Puts an event, stamped with the time, into the stream. */
export type Publish = (event: RuntimeEventBody) => void;
