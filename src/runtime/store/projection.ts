import type { ChildView, GroupSpec, GroupStatus, GroupView } from '../domain/agents.ts';
import type { EventOf, RuntimeEvent } from '../domain/events.ts';
import { addUsage, NO_USAGE } from '../domain/usage.ts';

interface GroupState {
  readonly spec: GroupSpec;
  readonly createdAt: number;
  status: GroupStatus;
  settledAt?: number;
  readonly children: Map<string, ChildView>;
  /** The view as last asked for; dropped by each change. */
  view?: GroupView;
}

/** Groups and children as the event stream tells them. It knows nothing else, so the same events always give the same views. */
export class RunProjection {
  readonly #groups = new Map<string, GroupState>();
  readonly #groupOfAgent = new Map<string, string>();

  /** In order of acceptance. */
  groups(): readonly GroupView[] {
    return [...this.#groups.values()].map(viewOf);
  }

  group(groupId: string): GroupView | undefined {
    const state = this.#groups.get(groupId);
    return state && viewOf(state);
  }

  child(agentId: string): ChildView | undefined {
    const groupId = this.#groupOfAgent.get(agentId);
    return groupId === undefined ? undefined : this.#groups.get(groupId)?.children.get(agentId);
  }

  apply(event: RuntimeEvent): void {
    switch (event.type) {
      case 'group.accepted':
        return this.#accept(event.group, event.at);
      case 'child.queued':
        return this.#change(event.agentId, event.at, (child) => ({ ...child, status: 'queued', queuedAt: event.at }));
      case 'child.started':
        return this.#change(event.agentId, event.at, (child) => ({ ...child, status: 'running', startedAt: event.at }));
      case 'child.settled':
        return this.#change(event.agentId, event.at, (child) => ({
          ...idle(child),
          status: event.outcome.status,
          outcome: event.outcome,
          settledAt: event.at,
        }));
      case 'child.interrupted':
        return this.#change(event.agentId, event.at, (child) => ({ ...idle(child), status: 'interrupted', approvals: [] }));
      case 'group.settled':
        return this.#setStatus(event.groupId, event.status, event.at);
      case 'group.interrupted':
        return this.#setStatus(event.groupId, 'interrupted');
      case 'group.resumed':
        return this.#setStatus(event.groupId, 'running');
      case 'task.changed':
        if (event.task.agentId === undefined) return;
        return this.#change(event.task.agentId, event.at, (child) => ({ ...child, taskStatus: event.task.status }));
      case 'text.delta':
      case 'thinking.delta':
      case 'tool.progress':
      case 'text.discarded':
      case 'retry.scheduled':
      case 'model.ended':
      case 'tool.called':
      case 'tool.ended':
      case 'files.changed':
        if (event.agent.kind === 'root') return;
        return this.#change(event.agent.agentId, event.at, (child) => afterActivity(child, event));
      case 'approval.wanted':
      case 'approval.decided':
      case 'approval.withdrawn':
        if (event.request.agent.kind === 'root') return;
        return this.#change(event.request.agent.agentId, event.at, (child) => afterApproval(child, event));
      case 'turn.started':
      case 'turn.ended':
      case 'group.delivered':
      case 'group.refreshed':
      case 'cooldown.started':
      case 'permission.denied':
      case 'permission.dry_run':
      case 'definitions.reloaded':
      case 'definitions.refused':
      case 'problem':
        return;
    }
  }

  #accept(spec: GroupSpec, at: number): void {
    const children = spec.children.map((child): ChildView => ({
      ...child,
      groupId: spec.groupId,
      roundGroupId: spec.groupId,
      sessionId: spec.sessionId,
      status: 'queued',
      queuedAt: at,
      lastActivityAt: at,
      approvals: [],
      turns: 0,
      toolCalls: 0,
      denials: 0,
      usage: NO_USAGE,
      changedFiles: [],
    }));
    for (const child of children) this.#groupOfAgent.set(child.agentId, spec.groupId);
    this.#groups.set(spec.groupId, {
      spec,
      createdAt: at,
      status: 'running',
      children: new Map(children.map((child) => [child.agentId, child])),
    });
  }

  #setStatus(groupId: string, status: GroupStatus, settledAt?: number): void {
    const state = this.#groups.get(groupId);
    if (!state) return;
    state.status = status;
    if (settledAt !== undefined) state.settledAt = settledAt;
    delete state.view;
  }

  #change(agentId: string, at: number, change: (child: ChildView) => ChildView): void {
    const state = this.#groups.get(this.#groupOfAgent.get(agentId) ?? '');
    const child = state?.children.get(agentId);
    if (!state || !child) return;
    state.children.set(agentId, { ...change(child), lastActivityAt: at });
    delete state.view;
  }
}

type ActivityEvent = EventOf<'text.delta' | 'thinking.delta' | 'tool.progress' | 'text.discarded' | 'retry.scheduled' | 'model.ended' | 'tool.called' | 'tool.ended' | 'files.changed'>;

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
      return { ...idle(child), turns: child.turns + 1, usage: addUsage(child.usage, event.usage) };
    case 'tool.called':
      return { ...child, toolCalls: child.toolCalls + 1, activity: { callId: event.callId, text: event.activity } };
    case 'tool.ended':
      // Of calls that run side by side the latest is shown; the end of another leaves it.
      return { ...(child.activity?.callId === event.callId ? idle(child) : child), denials: child.denials + (event.isDenied ? 1 : 0) };
    case 'files.changed':
      return { ...child, changedFiles: [...new Set([...child.changedFiles, ...event.changes.map((change) => change.path)])] };
  }
}

function afterApproval(child: ChildView, event: EventOf<'approval.wanted' | 'approval.decided' | 'approval.withdrawn'>): ChildView {
  const others = child.approvals.filter((id) => id !== event.request.id);
  return { ...child, approvals: event.type === 'approval.wanted' ? [...others, event.request.id] : others };
}

/** The child without its current activity. */
function idle({ activity: _, retry: __, ...child }: ChildView): ChildView {
  return child;
}

function viewOf(state: GroupState): GroupView {
  state.view ??= {
    groupId: state.spec.groupId,
    sessionId: state.spec.sessionId,
    cwd: state.spec.cwd,
    status: state.status,
    createdAt: state.createdAt,
    ...(state.settledAt !== undefined && { settledAt: state.settledAt }),
    children: [...state.children.values()],
    isRound: false,
    isElsewhere: false,
  };
  return state.view;
}
