import type { WorktreeSpec } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { Publish } from '../domain/events.ts';
import type { GroupBudget, TaskInput } from '../domain/liteAgent.ts';
import type { WorktreePlan } from '../domain/worktrees.ts';
import type { ClaimRound } from './accept.ts';
import type { RunChild } from './childRun.ts';
import type { ChildSetup } from './childSetup.ts';
import type { Completion } from './completionText.ts';
import type { Delegator } from './requests.ts';
import type { RunArchive } from './resumable.ts';
import type { Today } from './rounds.ts';
import type { TaskList } from './tracking.ts';

/** What delegation is given by the runtime. */
export interface DelegationDeps {
  readonly publish: Publish;
  /** This process, as the group's log names it. */
  readonly hostId: string;
  /** Read at every dispatch, and again on `limitsChanged`. */
  readonly limits: () => { readonly maxParallel: number; readonly maxTasksPerCall: number };
  /** The winners by name, as of now. */
  readonly definitions: () => readonly AgentDefinition[];
  /** Brings the definitions up to their files' present state; called before each dispatch. */
  readonly refreshDefinitions?: () => Promise<void>;
  /** Why a definition can't be used, in sentences; nothing when it can. */
  readonly refusal?: (definition: AgentDefinition) => string | undefined;
  readonly resolveChild: (definition: AgentDefinition, task: TaskInput, from: Delegator) => ChildSetup;
  /** What a run that began earlier finds as it goes on. */
  readonly today: (from: Delegator) => Today;
  readonly runChild: RunChild;
  /** Absent: definitions that ask for worktrees are refused. */
  readonly worktrees?: WorktreePlans;
  /** Absent: tasks are off. */
  readonly tasks?: TaskList;
  readonly archive: RunArchive;
  readonly claimRound: ClaimRound;
  /** Resolves when all that was published about the group so far is stored. Never rejects. */
  readonly stored: (groupId: string) => Promise<void>;
  /** Of each group; asked for whenever it counts. */
  readonly budget: () => GroupBudget | undefined;
  /** Takes the one completion of a group. Resolves to whether it stands in the conversation of its session now. */
  readonly deliver: (completion: Completion) => Promise<boolean>;
  /** Where a child's whole transcript can be read, for results that are cut. */
  readonly transcriptPath?: (agentId: string) => string | undefined;
}

/** How children get worktrees. */
export interface WorktreePlans {
  /** How a worktree of that folder would begin now. Rejects with `unavailable`. */
  plan(cwd: string): Promise<WorktreePlan>;
  /** The worktree that the child of that id is to have; it isn't made yet. */
  specify(agentId: string, plan: WorktreePlan): Promise<WorktreeSpec>;
}
