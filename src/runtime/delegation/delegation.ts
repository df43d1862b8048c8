import { modelProblem, unreachable, type ModelChoice } from '../agent/modelChoice.ts';
import type { ToolLists } from '../agent/toolLists.ts';
import { Serial } from '../base/async.ts';
import { AppError, errorText } from '../base/errors.ts';
import { capitalised } from '../base/text.ts';
import type { ChildView, GroupSpec, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { ChildKey, EventOf, Publish } from '../domain/events.ts';
import { isSameEndpoint, type ModelRef } from '../domain/models.ts';
import type { GroupBudget, TaskInput } from '../domain/liteAgent.ts';
import { addUsage, NO_USAGE, totalTokens, type OverBudget } from '../domain/usage.ts';
import type { GroupRecord } from '../store/groupRecord.ts';
import { claimRounds, specifyGroup, type ClaimRound } from './accept.ts';
import { budgetOutcome, budgetProblem, isBudget, isUncountedNote, uncountedNote, withBudgetNotes } from './budget.ts';
import { ChildRun, type ChildStart, type Continuation, type RunChild } from './childRun.ts';
import { completionText, type Completion } from './completionText.ts';
import { GroupRun, type SettledGroup } from './groupRun.ts';
import type { GroupWait } from './groupWait.ts';
import { ChildPool } from './pool.ts';
import { findResumable, resumedIds, type RunArchive } from './resumable.ts';
import { defaultPrompt, modelNote, resolveRound, resumedModel, toolsNote, type ResumableRun, type ResumeAnswer, type Today } from './rounds.ts';
import { namesTask, taskProblem, untrackChildren, type TaskList } from './tracking.ts';
import type { ChildSetup } from './childSetup.ts';
import { validateCall, type ValidTask } from './validate.ts';

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

/** The root that delegates, from which its children inherit. */
export interface Delegator {
  readonly sessionId: string;
  /** Its own lists of tools, where they are those of one request. */
  readonly parent?: ToolLists;
}

/** A delegation call. `tasks` as the model or a person wrote them; `others`: further fields of the model's call, checked too. */
export interface DispatchRequest extends Delegator {
  /** Absolute. */
  readonly cwd: string;
  readonly tasks: unknown;
  readonly others?: Readonly<Record<string, unknown>>;
  /** A person may also pick definitions that are hidden from the model. Default `model`. */
  readonly by?: 'model' | 'person';
  /** The call that waits for the results; without one they come to the conversation by themselves. */
  readonly wait?: GroupWait;
}

/** With what a child goes on. */
export interface ResumeOptions {
  readonly prompt?: string;
  /** A name as a task's. */
  readonly model?: string;
}

/** All groups of one root agent instance, over all its sessions, in one pool. */
export class Delegation {
  readonly #deps: DelegationDeps;
  readonly #pool: ChildPool;
  /** Those that haven't settled, in order of acceptance: running ones, and those that an earlier host left interrupted. */
  readonly #groups = new Map<string, GroupRun>();
  /** One after the other, so that children queue in the order of the calls. */
  readonly #dispatches = new Serial();
  readonly #deliveries = new Set<Promise<void>>();
  #closed = false;

  /** Throws `invalid_input` for a limit that isn't an integer of at least 1. */
  constructor(deps: DelegationDeps) {
    this.#deps = deps;
    this.#pool = new ChildPool(deps.limits().maxParallel);
  }

  /**
   * Accepts a group and resolves once it is announced, queued and stored; its children have a life of their own from then on.
   * Rejects with `invalid_input` naming every problem, `conflict` where another window was quicker to continue the
   * same run, `closed`, or what the task list rejects with; then nothing starts.
   */
  dispatch(request: DispatchRequest): Promise<GroupSpec> {
    return this.#dispatches.run(() => this.#dispatch(request));
  }

  /**
   * Lets a child go on: an interrupted one inside its group, a settled one in a round of its own. Rejects with
   * `not_found`, `conflict` while it is queued, running or another window's, `unavailable` where its model can't be
   * reached any more, and else as `dispatch`.
   */
  resumeChild(agentId: string, options: ResumeOptions = {}): Promise<GroupSpec> {
    return this.#dispatches.run(async () => {
      this.#assertOpen();
      const view = this.#deps.archive.child(agentId);
      if (view?.status === 'interrupted') return this.#goOn(view.roundGroupId, [agentId], options);
      const answer = await findResumable(this.#deps.archive, agentId);
      if (!answer.ok) throw new AppError(answer.reason, capitalised(answer.problem));
      const { sessionId } = answer.run.view;
      const { latest, definition } = answer.run.past;
      takeModel(resumedModel(latest.model, definition, options.model, this.#deps.today({ sessionId }).models));
      return this.#dispatch(this.#roundRequest(answer.run, options), new Map([[agentId, answer]]));
    });
  }

  /** Lets every interrupted child that the group's row shows go on. Rejects with `not_found`, `conflict` where none is interrupted, or `unavailable`; then none does. */
  resumeGroup(groupId: string): Promise<GroupSpec> {
    return this.#dispatches.run(async () => {
      this.#assertOpen();
      const group = this.#deps.archive.group(groupId);
      if (!group) throw new AppError('not_found', `There is no group ${groupId}.`);
      const interrupted = group.children.filter(({ status }) => status === 'interrupted');
      const places = Map.groupBy(interrupted, ({ roundGroupId }) => roundGroupId);
      const { isReachable } = this.#deps.today({ sessionId: group.sessionId }).models;
      for (const { model } of interrupted) if (!isReachable(model)) throw new AppError('unavailable', capitalised(unreachable(model)));
      const resumed = [...places].map(([place, children]) => this.#goOn(place, children.map(({ agentId }) => agentId), {}));
      const [first] = resumed;
      if (!first) throw new AppError('conflict', 'No subagent of this group is interrupted.');
      return resumed.find((spec) => spec.groupId === groupId) ?? first;
    });
  }

  /** Looks after a group that an earlier host left behind: what ran there is interrupted, what had settled is delivered. */
  adopt(record: GroupRecord): void {
    const interrupted = new Set<string>();
    const starts = record.children.map(({ spec, definition, state, hasStarted }): ChildStart => {
      if (state === 'interrupted') interrupted.add(spec.agentId);
      return { spec, ...(definition && { definition }), before: { hasStarted, ...(typeof state === 'object' && { outcome: state }) } };
    });
    this.#create(record.spec, starts).takeOver(interrupted, record.settled);
  }

  /** The groups that haven't settled, oldest first; of one session or of all. */
  running(sessionId?: string): readonly GroupRun[] {
    return [...this.#groups.values()].filter(({ spec }) => sessionId === undefined || spec.sessionId === sessionId);
  }

  /** Takes changed limits into use, without touching what runs. Throws as the constructor. */
  limitsChanged(): void {
    this.#pool.limit = this.#deps.limits().maxParallel;
    for (const groupId of this.#groups.keys()) this.usageChanged(groupId);
  }

  /** Takes note of what a turn of a child used. */
  turnEnded({ agent, stop, usage }: EventOf<'model.ended'>): void {
    if (agent.kind === 'root') return;
    // One that was cut short need not have come to where its usage is told.
    if (usage.isPartial && totalTokens(usage) === 0 && stop !== 'error' && stop !== 'aborted') this.#noteUncounted(agent);
    this.usageChanged(agent.groupId);
  }

  /** What waits in a group that has used up its budget fails at once. What runs finds out at the end of its turn. */
  usageChanged(groupId: string): void {
    const used = this.#overBudget(groupId);
    if (used === undefined) return;
    for (const child of this.#groups.get(groupId)?.children ?? []) child.refuseStart(budgetOutcome(used));
  }

  /**
   * Each cancel is idempotent and resolves when what it cancelled has really stopped; what is interrupted settles. An
   * unknown or settled id does nothing. Rejects with `conflict` for what another window runs.
   */
  async cancelChild(agentId: string): Promise<void> {
    const child = this.#deps.archive.child(agentId);
    if (child) this.#assertHere(child.roundGroupId);
    for (const group of this.running()) {
      const run = group.children.find(({ spec, outcome }) => spec.agentId === agentId && outcome === undefined);
      if (run) return group.cancelChild(run);
    }
  }

  /** The group, and the rounds in which children of its row go on. */
  async cancelGroup(groupId: string): Promise<void> {
    this.#assertHere(groupId);
    const children = this.#deps.archive.group(groupId)?.children ?? [];
    const rounds = children.filter((child) => child.groupId === groupId && child.roundGroupId !== groupId);
    await Promise.all([this.#groups.get(groupId)?.cancel(), ...rounds.map(({ agentId }) => this.cancelChild(agentId))]);
  }

  async cancelSession(sessionId: string): Promise<void> {
    await Promise.all(this.running(sessionId).map((group) => group.cancel()));
  }

  async cancelAll(): Promise<void> {
    await Promise.all(this.running().map((group) => group.cancel()));
  }

  /** Cancels all that runs or waits and waits for it; nothing is delivered any more. What is interrupted stays so. Idempotent. */
  close(): Promise<void> {
    return this.#stop('cancel');
  }

  /** As `close`, but what runs or waits is interrupted. */
  suspend(): Promise<void> {
    return this.#stop('interrupt');
  }

  async #stop(how: 'cancel' | 'interrupt'): Promise<void> {
    this.#closed = true;
    await Promise.all(this.running().map((group) => group.stop(how)));
    await this.#dispatches.idle();
    await this.#pool.idle();
    await Promise.all(this.#deliveries);
  }

  /** `known`: what was found of the runs that the tasks continue, where that was looked up already. */
  async #dispatch(request: DispatchRequest, known?: ReadonlyMap<string, ResumeAnswer>): Promise<GroupSpec> {
    const valid = await this.#validate(request, known ?? (await this.#findResumed(request.tasks)));
    const { archive, claimRound, tasks, stored } = this.#deps;
    const release = await claimRounds(valid, claimRound, (agentId) => archive.child(agentId));
    try {
      const spec = await this.#specify(request, valid);
      if (this.#closed) await untrackChildren(tasks, spec.children);
      // From here on nothing waits, so that a close either sees the group or keeps it from starting.
      this.#assertOpen();
      this.#create(spec, spec.children.map((child, index) => ({ spec: child, ...(valid[index] && { definition: valid[index].definition }) })), request.wait).start();
      // What is said to have been accepted must not be lost; and until then other windows know of a round by its claim alone.
      await stored(spec.groupId);
      return spec;
    } finally {
      await release();
    }
  }

  async #specify(request: DispatchRequest, valid: readonly ValidTask[]): Promise<GroupSpec> {
    const spec = await specifyGroup(request, valid, this.#deps.tasks);
    return { ...spec, children: withBudgetNotes(spec.children, this.#deps.budget()) };
  }

  async #findResumed(tasks: unknown): Promise<ReadonlyMap<string, ResumeAnswer>> {
    const answers = new Map<string, ResumeAnswer>();
    for (const id of resumedIds(tasks)) answers.set(id, await findResumable(this.#deps.archive, id));
    return answers;
  }

  async #validate(request: DispatchRequest, answers: ReadonlyMap<string, ResumeAnswer>): Promise<readonly ValidTask[]> {
    const { sessionId, tasks, others, by, wait } = request;
    this.#assertOpen();
    this.limitsChanged();
    const { definitions, refreshDefinitions, refusal, publish, tasks: list } = this.#deps;
    await refreshDefinitions?.();
    // The named tasks may have come from another window.
    if (list !== undefined && namesTask(tasks)) await list.load();
    const refused = new Set<string>();
    try {
      return validateCall(
        { ...others, tasks },
        {
          definitions: definitions(),
          ...(refusal !== undefined && { refusal }),
          onRefused: ({ name }) => refused.add(name),
          allowHidden: by === 'person',
          waits: wait !== undefined,
          maxTasks: this.#deps.limits().maxTasksPerCall,
          resolveChild: (definition, task) => this.#deps.resolveChild(definition, task, request),
          modelProblem: (model) => modelProblem(model, this.#deps.today(request).models),
          resumable: (id) => answers.get(id) ?? { ok: false, reason: 'not_found', problem: `there is no subagent ${id}.` },
          resolveRound: (run, model) => resolveRound(run, model, this.#deps.today(request)),
          ...(list !== undefined && { taskProblem: (id: string) => taskProblem(list, id) }),
        },
      );
    } finally {
      if (refused.size > 0) publish({ type: 'definitions.refused', sessionId, names: [...refused] });
    }
  }

  #create(spec: GroupSpec, starts: readonly ChildStart[], wait?: GroupWait): GroupRun {
    const { publish, runChild, tasks, hostId, stored } = this.#deps;
    const onEndpointFailed = (model: ModelRef, outcome: RunOutcome): void => this.#refuseQueued(model, outcome);
    const overBudget: OverBudget = (pending) => this.#overBudget(spec.groupId, pending);
    const childDeps = { publish, runChild, pool: this.#pool, overBudget, onEndpointFailed, ...(tasks !== undefined && { tasks }) };
    const children = starts.map((start) => new ChildRun(start, spec, childDeps));
    const group = new GroupRun(spec, children, { publish, hostId, stored, onSettled: (settled) => this.#onSettled(settled, wait), onInterrupted: () => wait?.giveUp() });
    this.#groups.set(spec.groupId, group);
    return group;
  }

  #goOn(groupId: string, agentIds: readonly string[], { prompt, model }: ResumeOptions): GroupSpec {
    this.#assertHere(groupId);
    const group = this.#groups.get(groupId);
    const children = group?.children.filter(({ spec, status }) => agentIds.includes(spec.agentId) && status === 'interrupted') ?? [];
    if (!group || children.length === 0) throw new AppError('conflict', `${agentIds.join(', ')} can't go on: what its group (${groupId}) was doing is not known any more. Delegate the work anew.`);
    const { models, tools: offered } = this.#deps.today(group.spec);
    const continuation = ({ spec, definition }: ChildRun): Continuation => {
      const { model: own, notes: said } = takeModel(resumedModel(spec.model, definition, model, models));
      const tools = spec.tools.filter((name) => offered.includes(name));
      const notes = [...said, ...modelNote(spec.model, own), ...toolsNote(spec.tools, tools)];
      const changes = model !== undefined || tools.length < spec.tools.length;
      return { ...(prompt !== undefined && { prompt }), ...(changes && { spec: { ...spec, model: own, tools, ...(notes.length > 0 && { notes: [...(spec.notes ?? []), ...notes] }) } }) };
    };
    const prepared = new Map(children.map((child) => [child, continuation(child)]));
    group.resume(children, (child) => prepared.get(child) ?? {});
    return group.spec;
  }

  #roundRequest({ view }: ResumableRun, { prompt, model }: ResumeOptions): DispatchRequest {
    const task: TaskInput = { display_name: view.displayName, prompt: prompt ?? defaultPrompt(view.outcome), resume: view.agentId, ...(model !== undefined && { model }) };
    return { sessionId: view.sessionId, cwd: this.#cwdOf(view), tasks: [task], by: 'person' };
  }

  #cwdOf({ groupId, roundGroupId }: ChildView): string {
    const group = this.#deps.archive.group(groupId) ?? this.#deps.archive.group(roundGroupId);
    if (!group) throw new AppError('not_found', `There is no group ${groupId}.`);
    return group.cwd;
  }

  #onSettled(group: SettledGroup, wait: GroupWait | undefined): void {
    this.#groups.delete(group.groupId);
    // Results that a call takes are delivered by its session, once they are kept.
    if (wait?.take(group) || this.#closed) return;
    const delivery = this.#deliver(group).finally(() => this.#deliveries.delete(delivery));
    this.#deliveries.add(delivery);
  }

  async #deliver(group: SettledGroup): Promise<void> {
    const { sessionId, groupId, mayBeThere } = group;
    const { transcriptPath } = this.#deps;
    try {
      if (await this.#deps.deliver({ sessionId, groupId, mayBeThere, text: completionText(group, transcriptPath && { transcriptPath }) })) this.#deps.publish({ type: 'group.delivered', sessionId, groupId });
    } catch (error) {
      this.#deps.publish({ type: 'problem', message: `The results of ${groupId} were not delivered: ${errorText(error)}` });
    }
  }

  /** Whoever still waits for an endpoint that refuses everything would only meet the same refusal. */
  #refuseQueued(model: ModelRef, outcome: RunOutcome): void {
    const waiting = this.running().flatMap(({ children }) => children);
    for (const child of waiting) if (isSameEndpoint(child.spec.model, model)) child.refuseStart(outcome);
  }

  /** Says once in a group that its budget can't count everything. */
  #noteUncounted({ sessionId, groupId, agentId }: ChildKey): void {
    const children = this.#deps.archive.group(groupId)?.children ?? [];
    const child = children.find((each) => each.agentId === agentId);
    if (!child || !isBudget(this.#deps.budget()) || children.some(({ notes = [] }) => notes.some(isUncountedNote))) return;
    this.#deps.publish({ type: 'child.noted', sessionId, groupId, agentId, text: uncountedNote([child.model]) });
  }

  #overBudget(groupId: string, pending = NO_USAGE): string | undefined {
    const group = this.#deps.archive.group(groupId);
    return group && budgetProblem(addUsage(group.usage, pending), this.#deps.budget());
  }

  #assertHere(groupId: string): void {
    if (this.#deps.archive.group(groupId)?.isElsewhere) throw new AppError('conflict', 'Another window runs this group. Use that window, or close it first.');
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('closed', 'This agent is closed and starts no more subagents.');
  }
}

function takeModel(choice: ModelChoice): Extract<ModelChoice, { ok: true }> {
  if (!choice.ok) throw new AppError(choice.reason, capitalised(choice.problem));
  return choice;
}
