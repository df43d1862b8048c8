import type { ChildSpec, ChildView, GroupSpec, GroupStatus, GroupView } from '../domain/agents.ts';
import type { EventOf, RuntimeEvent } from '../domain/events.ts';
import type { TrackedTask, TrackedTaskStatus } from '../domain/trackedTasks.ts';
import { addUsage, NO_USAGE, type Usage } from '../domain/usage.ts';

interface GroupState {
  readonly groupId: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly createdAt: number;
  /** In input order. */
  readonly agentIds: readonly string[];
  /** As its own events tell it. */
  status: GroupStatus;
  settledAt?: number;
  isElsewhere: boolean;
  usage: Usage;
  /** The view as last asked for; dropped by each change. */
  view?: GroupView;
}

/**
 * Groups and children as the event stream tells them, and as they were stored. It knows nothing else, so the same
 * events always give the same views. A child that goes on in further rounds stays one child, shown by all its groups.
 */
export class RunProjection {
  readonly #groups = new Map<string, GroupState>();
  readonly #children = new Map<string, ChildView>();
  /** Groups whose results stand in their conversation. */
  readonly #delivered = new Set<string>();
  readonly #groupsOfAgent = new Map<string, GroupState[]>();
  /** In order of acceptance; made anew when a group came. */
  #ordered: readonly GroupState[] | undefined;

  /** In order of acceptance. */
  groups(): readonly GroupView[] {
    this.#ordered ??= [...this.#groups.values()].sort((a, b) => a.createdAt - b.createdAt);
    return this.#ordered.map((state) => this.#viewOf(state));
  }

  group(groupId: string): GroupView | undefined {
    const state = this.#groups.get(groupId);
    return state && this.#viewOf(state);
  }

  has(groupId: string): boolean {
    return this.#groups.has(groupId);
  }

  child(agentId: string): ChildView | undefined {
    return this.#children.get(agentId);
  }

  /** Whether the results of a group stand in its conversation, as far as is known here. */
  isDelivered(groupId: string): boolean {
    return this.#delivered.has(groupId);
  }

  /** Whether all groups in which a child ran are stored as they ended. */
  isPutAway(agentId: string): boolean {
    const child = this.child(agentId);
    return child !== undefined && [child.groupId, child.roundGroupId].every((groupId) => this.isDelivered(groupId));
  }

  /** Takes a view over as it was stored. Views and events of groups come in the order of their acceptance. */
  restore(view: GroupView): void {
    const { groupId, sessionId, cwd, createdAt, settledAt, status, usage } = view;
    this.#add({ groupId, sessionId, cwd, createdAt, status, usage, ...(settledAt !== undefined && { settledAt }), isElsewhere: false, agentIds: view.children.map(({ agentId }) => agentId) });
    // A view is stored once nothing is left to do.
    this.#delivered.add(groupId);
    for (const child of view.children) {
      const known = this.#children.get(child.agentId);
      // A child may have gone on in another group before this one's view was stored.
      if (known === undefined || known.round < child.round || (known.round === child.round && known.lastActivityAt <= child.lastActivityAt)) this.#children.set(child.agentId, stored(child));
    }
  }

  /** Whether another window runs the group. */
  setElsewhere(groupId: string, isElsewhere: boolean): void {
    const state = this.#groups.get(groupId);
    if (!state) return;
    state.isElsewhere = isElsewhere;
    delete state.view;
  }

  /** Takes over what the task list says, which may have changed while nobody looked. */
  setTasks(tasks: readonly TrackedTask[]): void {
    for (const { agentId, status } of tasks) {
      if (agentId !== undefined) this.#replace(agentId, (child) => withTask(child, status));
    }
  }

  apply(event: RuntimeEvent): void {
    switch (event.type) {
      case 'group.accepted':
        return this.#accept(event.group, event.at);
      case 'child.queued':
        return this.#change(event.agentId, event.at, (child) => ({ ...child, ...event.spec, status: 'queued', queuedAt: event.at }));
      case 'child.started':
        return this.#change(event.agentId, event.at, (child) => ({ ...child, status: 'running', startedAt: event.at }));
      case 'child.settled':
        return this.#change(event.agentId, event.at, (child) => ({
          ...atRest(child),
          status: event.outcome.status,
          outcome: event.outcome,
          settledAt: event.at,
        }));
      case 'child.noted':
        return this.#change(event.agentId, event.at, (child) => ({ ...child, notes: [...(child.notes ?? []), event.text], ...(event.unrecorded && { unrecorded: true }) }));
      case 'worktree.created':
        return this.#change(event.agentId, event.at, ({ isWorktreeGone: _, ...child }) => ({ ...child, worktree: event.worktree }));
      case 'worktree.removed':
        return this.#change(event.agentId, event.at, (child) => ({ ...child, isWorktreeGone: true }));
      case 'child.interrupted':
        return this.#change(event.agentId, event.at, (child) => ({ ...unasked(atRest(child)), status: 'interrupted' }));
      case 'group.settled':
        return this.#setStatus(event.groupId, event.status, event.at);
      case 'group.interrupted':
        return this.#setStatus(event.groupId, 'interrupted');
      case 'group.resumed':
        return this.#setStatus(event.groupId, 'running');
      case 'task.changed':
        if (event.task.agentId === undefined) return;
        return this.#change(event.task.agentId, event.at, (child) => withTask(child, event.task.status));
      case 'text.delta':
      case 'thinking.delta':
      case 'tool.progress':
      case 'text.discarded':
      case 'retry.scheduled':
      case 'model.ended':
      case 'context.compacted':
      case 'tool.called':
      case 'tool.ended':
      case 'files.changed':
        if (event.agent.kind === 'root') return;
        if (event.type === 'model.ended') this.#count(event.agent.groupId, event.usage);
        return this.#change(event.agent.agentId, event.at, (child) => afterActivity(child, event));
      case 'approval.wanted':
      case 'approval.decided':
      case 'approval.withdrawn':
        if (event.request.agent.kind === 'root') return;
        return this.#change(event.request.agent.agentId, event.at, (child) => afterApproval(child, event));
      case 'message.sent':
      case 'message.delivered':
        if (event.agent.kind === 'root') return;
        // Being spoken to is no sign of life.
        return this.#replace(event.agent.agentId, (child) => withMessage(child, event));
      case 'commands.changed':
        if (event.agent.kind === 'root') return;
        return this.#replace(event.agent.agentId, (child) => withCommands(child, event.running));
      case 'group.delivered':
        this.#delivered.add(event.groupId);
        return;
      case 'turn.started':
      case 'turn.ended':
      case 'group.refreshed':
      case 'cooldown.started':
      case 'worktree.applied':
      case 'worktree.kept':
      case 'review.decided':
      case 'review.requested':
      case 'permission.denied':
      case 'permission.granted':
      case 'permission.dry_run':
      case 'connection.changed':
      case 'definitions.reloaded':
      case 'definitions.refused':
      case 'skills.reloaded':
      case 'problem':
        return;
    }
  }

  #accept({ groupId, sessionId, cwd, children }: GroupSpec, at: number): void {
    for (const spec of children) this.#children.set(spec.agentId, this.#accepted(spec, { groupId, sessionId, at }));
    this.#add({ groupId, sessionId, cwd, createdAt: at, status: 'running', usage: NO_USAGE, isElsewhere: false, agentIds: children.map(({ agentId }) => agentId) });
  }

  /** A child at the start of a round. What it did in earlier ones stays counted; what was refused to it says nothing of this one. */
  #accepted(spec: ChildSpec, { groupId, sessionId, at }: { readonly groupId: string; readonly sessionId: string; readonly at: number }): ChildView {
    const before = spec.round > 1 ? this.#children.get(spec.agentId) : undefined;
    return {
      ...spec,
      groupId: before?.groupId ?? groupId,
      roundGroupId: groupId,
      sessionId,
      status: 'queued',
      queuedAt: at,
      lastActivityAt: at,
      approvals: [],
      turns: before?.turns ?? 0,
      toolCalls: before?.toolCalls ?? 0,
      unsaidCalls: before === undefined ? 0 : unsaidCalls(before),
      denials: 0,
      usage: before?.usage ?? NO_USAGE,
      changedFiles: before?.changedFiles ?? [],
      ...(before?.unrecorded && { unrecorded: true }),
      ...(before?.unread && { unread: before.unread }),
      ...(before?.isWorktreeGone && { isWorktreeGone: true }),
      ...taskStatusOf(spec, before),
    };
  }

  #add(state: GroupState): void {
    this.#groups.set(state.groupId, state);
    this.#ordered = undefined;
    for (const agentId of state.agentIds) {
      const others = (this.#groupsOfAgent.get(agentId) ?? []).filter(({ groupId }) => groupId !== state.groupId);
      this.#groupsOfAgent.set(agentId, [...others, state]);
      for (const other of others) delete other.view;
    }
  }

  #setStatus(groupId: string, status: GroupStatus, settledAt?: number): void {
    const state = this.#groups.get(groupId);
    if (!state) return;
    state.status = status;
    if (settledAt !== undefined) state.settledAt = settledAt;
    delete state.view;
  }

  #count(groupId: string, usage: Usage): void {
    const state = this.#groups.get(groupId);
    if (!state) return;
    state.usage = addUsage(state.usage, usage);
    delete state.view;
  }

  #change(agentId: string, at: number, change: (child: ChildView) => ChildView): void {
    this.#replace(agentId, (child) => ({ ...change(child), lastActivityAt: at }));
  }

  #replace(agentId: string, change: (child: ChildView) => ChildView): void {
    const child = this.#children.get(agentId);
    if (!child) return;
    this.#children.set(agentId, change(child));
    for (const state of this.#groupsOfAgent.get(agentId) ?? []) delete state.view;
  }

  #viewOf(state: GroupState): GroupView {
    if (state.view) return state.view;
    const { groupId, sessionId, cwd, createdAt, settledAt, usage, isElsewhere } = state;
    const children = state.agentIds.flatMap((agentId) => this.#children.get(agentId) ?? []);
    const isRound = children.every((child) => child.groupId !== groupId);
    // Where all have settled once, the row follows what its children do in later rounds.
    const status = settledAt === undefined || isRound ? state.status : presentStatus(children);
    state.view = { groupId, sessionId, cwd, status, createdAt, ...(settledAt !== undefined && { settledAt }), children, usage, isRound, isElsewhere };
    return state.view;
  }
}

/** A task that is new to the child waits, as it does itself. */
function taskStatusOf({ taskId }: ChildSpec, before: ChildView | undefined): Pick<ChildView, 'taskStatus'> {
  if (taskId === undefined) return {};
  if (before?.taskId !== taskId) return { taskStatus: 'pending' };
  return before.taskStatus === undefined ? {} : { taskStatus: before.taskStatus };
}

/** Where the task is completed, somebody has looked at all that the child did. */
function withTask({ unrecorded, ...child }: ChildView, taskStatus: TrackedTaskStatus): ChildView {
  return { ...child, taskStatus, ...(unrecorded && taskStatus !== 'completed' && { unrecorded }) };
}

type ActivityEvent = EventOf<'text.delta' | 'thinking.delta' | 'tool.progress' | 'text.discarded' | 'retry.scheduled' | 'model.ended' | 'context.compacted' | 'tool.called' | 'tool.ended' | 'files.changed'>;

function afterActivity(child: ChildView, event: ActivityEvent): ChildView {
  switch (event.type) {
    case 'tool.progress':
      return child;
    case 'text.delta':
    case 'thinking.delta':
    case 'text.discarded':
      return idle(child);
    case 'retry.scheduled':
      return { ...idle(child), retry: { attempt: event.attempt, until: event.until, failure: event.failure, message: event.message } };
    case 'model.ended':
      return { ...idle(child), turns: child.turns + (event.isSummary || event.isRetried ? 0 : 1), usage: addUsage(child.usage, event.usage) };
    case 'context.compacted':
      return { ...idle(child), activity: { callId: '', text: event.how === 'summarised' ? 'Summarised earlier turns to make room' : 'Cleared old tool results to make room' } };
    case 'tool.called':
      return { ...child, toolCalls: child.toolCalls + 1, unsaidCalls: unsaidCalls(child) + (event.mayChange ? 1 : 0), activity: { callId: event.callId, text: event.activity } };
    case 'tool.ended':
      // Of calls that run side by side the latest is shown; the end of another leaves it.
      return { ...(child.activity?.callId === event.callId ? idle(child) : child), denials: child.denials + (event.isDenied ? 1 : 0), unsaidCalls: unsaidCalls(child) - (event.changedNothing ? 1 : 0) };
    case 'files.changed':
      return { ...child, changedFiles: [...new Set([...child.changedFiles, ...event.changes.map((change) => change.path)])] };
  }
}

function afterApproval(child: ChildView, event: EventOf<'approval.wanted' | 'approval.decided' | 'approval.withdrawn'>): ChildView {
  const { id, question } = event.request;
  const isWanted = event.type === 'approval.wanted';
  const after = (ids: readonly string[], isOne: boolean): readonly string[] => [...ids.filter((other) => other !== id), ...(isOne ? [id] : [])];
  const questions = after(child.questions ?? [], isWanted && question !== undefined);
  return { ...unasked(child), approvals: after(child.approvals, isWanted), ...(questions.length > 0 && { questions }) };
}

/** The child without what it waits for a person for. */
function unasked({ questions: _, ...child }: ChildView): ChildView {
  return { ...child, approvals: [] };
}

function withMessage({ unread = [], ...child }: ChildView, { type, id, text }: EventOf<'message.sent' | 'message.delivered'>): ChildView {
  const others = unread.filter((message) => message.id !== id);
  const left = type === 'message.sent' ? [...others, { id, text }] : others;
  return { ...child, ...(left.length > 0 && { unread: left }) };
}

/** Where that was not counted, each of its calls may have been one. */
function unsaidCalls({ unsaidCalls: counted, toolCalls }: ChildView): number {
  return counted ?? toolCalls;
}

/** The child without its current activity. */
function idle({ activity: _, retry: __, ...child }: ChildView): ChildView {
  return child;
}

/** As `idle`, of a child that runs no more: its commands ended with it. */
function atRest(child: ChildView): ChildView {
  return withCommands(idle(child), 0);
}

function withCommands({ commands: _, ...child }: ChildView, running: number): ChildView {
  return { ...child, ...(running > 0 && { commands: running }) };
}

/** The one word for children that had all settled, of which some may have gone on since. */
function presentStatus(children: readonly ChildView[]): GroupStatus {
  const statuses = new Set(children.map(({ status }) => status));
  if (statuses.has('queued') || statuses.has('running')) return 'running';
  if (statuses.has('interrupted')) return 'interrupted';
  const [only] = statuses;
  return statuses.size === 1 && (only === 'completed' || only === 'failed' || only === 'cancelled') ? only : 'partial';
}

/** A child of a stored view. One that went on when the view was stored runs no more, whatever became of it. */
function stored(child: ChildView): ChildView {
  const isOpen = child.status === 'queued' || child.status === 'running';
  return { ...unasked(atRest(child)), status: isOpen ? 'interrupted' : child.status };
}
