import type { AgentRef, GroupSpec, GroupStatus, RunOutcome } from './agents.ts';
import type { ApprovalDecision, ApprovalRequest, DecidedBy } from './approvals.ts';
import type { DefinitionDiagnostic } from './definitions.ts';
import type { StopReason } from './messages.ts';
import type { FileChange } from './tools.ts';
import type { TrackedTask } from './trackedTasks.ts';
import type { Usage } from './usage.ts';

/** A child in the events that are about nothing else. */
export interface ChildKey {
  readonly sessionId: string;
  readonly groupId: string;
  readonly agentId: string;
}

/**
 * Everything that happens, in one stream: the store, the panel, the chat, the log and the tests read this and
 * nothing else. Events of one agent come in the order in which they happened.
 */
export type RuntimeEvent = { readonly at: number } & RuntimeEventBody;

export type RuntimeEventBody =
  // A session's own turns: the user's, and the autonomous one after a group.
  | { readonly type: 'turn.started'; readonly sessionId: string; readonly turnId: string; readonly cause: TurnCause }
  | { readonly type: 'turn.ended'; readonly sessionId: string; readonly turnId: string; readonly cause: TurnCause; readonly outcome: RunOutcome }
  // What an agent, root or child, does. `paths` are absolute, as the call named them.
  | { readonly type: 'text.delta'; readonly agent: AgentRef; readonly text: string }
  | { readonly type: 'thinking.delta'; readonly agent: AgentRef; readonly text: string }
  | { readonly type: 'model.ended'; readonly agent: AgentRef; readonly stop: StopReason; readonly usage: Usage }
  | { readonly type: 'tool.called'; readonly agent: AgentRef; readonly callId: string; readonly tool: string; readonly activity: string; readonly paths: readonly string[] }
  | { readonly type: 'tool.progress'; readonly agent: AgentRef; readonly callId: string; readonly text: string }
  | { readonly type: 'tool.ended'; readonly agent: AgentRef; readonly callId: string; readonly tool: string; readonly isError: boolean; readonly isDenied: boolean; readonly durationMs: number }
  | { readonly type: 'files.changed'; readonly agent: AgentRef; readonly callId: string; readonly changes: readonly FileChange[] }
  // Groups and their children.
  | { readonly type: 'group.accepted'; readonly group: GroupSpec }
  | ({ readonly type: 'child.queued' } & ChildKey)
  | ({ readonly type: 'child.started' } & ChildKey)
  | ({ readonly type: 'child.settled'; readonly outcome: RunOutcome } & ChildKey)
  | { readonly type: 'group.settled'; readonly sessionId: string; readonly groupId: string; readonly status: GroupStatus }
  // Approvals.
  | { readonly type: 'approval.wanted'; readonly request: ApprovalRequest }
  | { readonly type: 'approval.decided'; readonly request: ApprovalRequest; readonly decision: ApprovalDecision; readonly by: DecidedBy }
  | { readonly type: 'approval.withdrawn'; readonly request: ApprovalRequest }
  // Tracked tasks and definitions.
  | { readonly type: 'task.changed'; readonly task: TrackedTask }
  | { readonly type: 'definitions.reloaded'; readonly names: readonly string[]; readonly diagnostics: readonly DefinitionDiagnostic[] }
  /** Something failed that no caller waits for, such as a write to the store. */
  | { readonly type: 'problem'; readonly message: string };

/** Why a session takes a turn. */
export type TurnCause = { readonly kind: 'user' } | { readonly kind: 'completion'; readonly groupId: string };

export type RuntimeEventType = RuntimeEvent['type'];
export type EventOf<T extends RuntimeEventType> = Extract<RuntimeEvent, { type: T }>;

/** Puts an event, stamped with the time, into the stream. */
export type Publish = (event: RuntimeEventBody) => void;
