import type { AgentDefinition } from './definitions.ts';
import type { ModelFailure, ModelRef } from './models.ts';
import type { TrackedTaskStatus } from './trackedTasks.ts';
import type { Usage } from './usage.ts';

/** Who does something: the root of a session, or a child of one of its groups. */
export type AgentRef =
  | { readonly kind: 'root'; readonly sessionId: string }
  | { readonly kind: 'child'; readonly sessionId: string; readonly groupId: string; readonly agentId: string; readonly displayName: string };

export type ChildStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

export type FailureReason =
  | 'error'
  | 'max_turns'
  | 'max_tokens'
  | 'refusal'
  | 'filtered'
  | 'no_text'
  | 'context'
  | 'timeout'
  | 'rate_limited'
  | 'quota'
  | 'auth'
  | 'schema'
  | 'budget';

/** How a run ended. Only `completed` is a success; whatever text there was before another end is kept in `partialText`. */
export type RunOutcome =
  | ({ readonly status: 'completed'; readonly text: string } & Refusals)
  | ({ readonly status: 'failed'; readonly reason: FailureReason; readonly message: string; readonly partialText?: string } & Refusals)
  | ({ readonly status: 'cancelled'; readonly partialText?: string } & Refusals);

/** `refused`: calls of a child that rules or a person refused, each in one line with its reason. Secrets are masked. */
export interface Refusals {
  readonly refused?: readonly string[];
}

/** `running` until every child has settled; then the one word for all of them. */
export type GroupStatus = 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'interrupted';

/** A git worktree of a child's own, in which it works instead of the folder of its group. */
export interface WorktreeSpec {
  /** Absolute real path of the folder that stands for the group's there. */
  readonly path: string;
  /** The commit that it began from, whole. */
  readonly base: string;
  /** The branch that was checked out in the workspace then; absent where none was. */
  readonly branch?: string;
  /** True where the workspace had changes that weren't committed, which aren't in it. */
  readonly leavesOut: boolean;
}

/** One task of a delegation call, cleaned and resolved. */
export interface ChildSpec {
  readonly agentId: string;
  readonly displayName: string;
  /** The name of the definition it runs on. */
  readonly definition: string;
  readonly model: ModelRef;
  readonly prompt: string;
  readonly maxTurns: number;
  /** Names of the built-in tools it has. */
  readonly tools: readonly string[];
  /** Where it works in a worktree of its own. */
  readonly worktree?: WorktreeSpec;
  /** The tracked task linked to it, when tasks are on. */
  readonly taskId?: string;
  /** 1, and one more each time that the settled child goes on with a new prompt. */
  readonly round: number;
  /** What isn't as its definition or its first run had it, in sentences. */
  readonly notes?: readonly string[];
}

/** A delegation call that was accepted. */
export interface GroupSpec {
  readonly groupId: string;
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly children: readonly ChildSpec[];
}

/** A child that a delegation would start. */
export interface PlannedChild {
  readonly displayName: string;
  readonly prompt: string;
  /** Without the configurations of its servers. */
  readonly definition: AgentDefinition;
  readonly model: ModelRef;
  /** Names of the built-in tools it would have. */
  readonly tools: readonly string[];
  /** What isn't as its definition or its first run has it, in sentences. */
  readonly notes: readonly string[];
  /** The `agentId` of the child that would go on. */
  readonly resume?: string;
}

/** How a child of a group ended. */
export interface ChildResult {
  readonly agentId: string;
  readonly displayName: string;
  readonly outcome: RunOutcome;
  /** Where it worked in a worktree of its own. */
  readonly worktree?: WorktreeSpec;
}

/** What a group came to. */
export interface GroupResults {
  readonly groupId: string;
  readonly status: GroupStatus;
  /** In the order of the tasks. */
  readonly children: readonly ChildResult[];
  /** All of it for a model: a heading and the text of each child. A text longer than `maxChildText` UTF-16 units (default 20,000) is cut, with the path of its transcript. */
  readonly text: (maxChildText?: number) => string;
}

/** A group whose results go to whoever started it. */
export interface StartedGroup {
  readonly group: GroupSpec;
  /** Resolves once all its children have ended, in whatever way. Rejects with `closed` where the agent ends first; what is unfinished then, a later agent keeps in the conversation. */
  readonly results: Promise<GroupResults>;
}

/** When a model call is sent again that failed in a way that passes. */
export interface RetryView {
  readonly attempt: number;
  readonly until: number;
  readonly failure: ModelFailure;
  readonly message: string;
}

/** Something that was said to an agent and stands not in its conversation yet. */
export interface UnreadMessage {
  readonly id: string;
  readonly text: string;
}

/** A child as its events tell it. Replaced, never changed. */
export interface ChildView extends ChildSpec {
  /** The group in which it first ran, where its row stays. */
  readonly groupId: string;
  /** The group of its latest round; in round 1 the same. */
  readonly roundGroupId: string;
  readonly sessionId: string;
  readonly status: ChildStatus;
  readonly outcome?: RunOutcome;
  /** Milliseconds since the epoch, as all times. */
  readonly queuedAt: number;
  readonly startedAt?: number;
  readonly settledAt?: number;
  readonly lastActivityAt: number;
  /** The tool call that it is in, in words; absent while it thinks. */
  readonly activity?: { readonly callId: string; readonly text: string };
  /** How many of its commands run in the background. Absent: none. */
  readonly commands?: number;
  /** Present while it waits to ask its model again. */
  readonly retry?: RetryView;
  /** Ids of its requests that wait for an answer, oldest first. */
  readonly approvals: readonly string[];
  /** Those of them that are questions to the user. Absent: none. */
  readonly questions?: readonly string[];
  /** What was said to it and it has not read yet, oldest first. It reads that when it goes on, where it has ended before. Absent where there is none. */
  readonly unread?: readonly UnreadMessage[];
  readonly turns: number;
  readonly toolCalls: number;
  /** Calls that rules or a person refused: a completed child may not have done all that it was told. */
  readonly denials: number;
  /** Of all its rounds. */
  readonly usage: Usage;
  /** Calls in all its rounds that may have changed something that nobody sees, such as a file that git ignores: commands and others' tools that aren't known to only read. Absent where that was not counted. */
  readonly unsaidCalls?: number;
  /** Real paths, in order of the first change. */
  readonly changedFiles: readonly string[];
  /** True where it may have changed something of which nothing is kept, since somebody last looked at all that it did; its `notes` say what. */
  readonly unrecorded?: true;
  /** True where its worktree is not there any more; it is made again where the child goes on. */
  readonly isWorktreeGone?: true;
  /** Status of its tracked task: `review` until someone looked at what it did. */
  readonly taskStatus?: TrackedTaskStatus;
}

export interface GroupView {
  readonly groupId: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly status: GroupStatus;
  readonly createdAt: number;
  readonly settledAt?: number;
  /** Of children that were resumed in a later round: their latest. */
  readonly children: readonly ChildView[];
  /** What its children used in it: what they used in rounds that are other groups counts there. */
  readonly usage: Usage;
  /** True where every child continues one of an earlier group, whose rows show it: it has no row of its own. */
  readonly isRound: boolean;
  /** True where another window that is alive runs it: it can be looked at only. */
  readonly isElsewhere: boolean;
}

/** The failure reason that a model failure gives a run. */
export function failureOf(failure: ModelFailure): FailureReason {
  switch (failure) {
    case 'auth':
    case 'quota':
    case 'rate_limited':
    case 'context':
    case 'timeout':
      return failure;
    case 'overloaded':
      return 'rate_limited';
    case 'server':
    case 'bad_request':
    case 'network':
    case 'error':
      return 'error';
  }
}
