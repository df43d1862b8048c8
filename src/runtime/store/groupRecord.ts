import type { ChildSpec, GroupSpec, GroupStatus, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { EventOf, RuntimeEvent } from '../domain/events.ts';

/** How far a child had come. `open`: queued or running, as far as is known. */
export interface ChildRecord {
  readonly spec: ChildSpec;
  /** As it was when the child was accepted. Absent where that isn't stored, as for a child that goes on in a new round. */
  readonly definition?: AgentDefinition;
  readonly state: 'open' | 'interrupted' | RunOutcome;
  readonly hasStarted: boolean;
}

/** What a group's log says of who runs it and how far it has come: what is needed to go on with it. */
export class GroupRecord {
  readonly spec: GroupSpec;
  readonly #children: Map<string, ChildRecord>;
  #owner: string;
  #settled: GroupStatus | undefined;
  #isDelivered = false;

  constructor({ group, hostId, definitions = [] }: Pick<EventOf<'group.accepted'>, 'group' | 'hostId' | 'definitions'>) {
    this.spec = group;
    this.#owner = hostId;
    const open = (spec: ChildSpec): ChildRecord => {
      const definition = spec.round > 1 ? undefined : definitions.find(({ name }) => name === spec.definition);
      return { spec, state: 'open', hasStarted: false, ...(definition && { definition }) };
    };
    this.#children = new Map(group.children.map((child) => [child.agentId, open(child)]));
  }

  /** The process that looks after it. */
  get owner(): string {
    return this.#owner;
  }

  /** In input order. */
  get children(): readonly ChildRecord[] {
    return [...this.#children.values()];
  }

  /** Absent until all children have settled and that was written. */
  get settled(): GroupStatus | undefined {
    return this.#settled;
  }

  get isDelivered(): boolean {
    return this.#isDelivered;
  }

  apply(event: RuntimeEvent): void {
    switch (event.type) {
      case 'child.queued':
        return this.#change(event.agentId, (child) => ({ ...child, spec: event.spec ?? child.spec, state: 'open' }));
      case 'child.started':
        return this.#change(event.agentId, (child) => ({ ...child, state: 'open', hasStarted: true }));
      case 'child.settled':
        return this.#change(event.agentId, (child) => ({ ...child, state: event.outcome }));
      case 'child.interrupted':
        return this.#change(event.agentId, (child) => ({ ...child, state: 'interrupted' }));
      case 'group.resumed':
        this.#owner = event.hostId;
        return;
      case 'group.interrupted':
        this.#owner = event.hostId ?? this.#owner;
        return;
      case 'group.settled':
        this.#settled = event.status;
        return;
      case 'group.delivered':
        this.#isDelivered = true;
        return;
      case 'worktree.created':
      case 'worktree.applied':
      case 'worktree.removed':
      case 'worktree.kept':
      case 'review.decided':
      case 'review.requested':
      case 'child.noted':
      case 'group.accepted':
      case 'group.refreshed':
      case 'turn.started':
      case 'turn.ended':
      case 'text.delta':
      case 'text.discarded':
      case 'thinking.delta':
      case 'retry.scheduled':
      case 'cooldown.started':
      case 'model.ended':
      case 'context.compacted':
      case 'tool.called':
      case 'tool.progress':
      case 'tool.ended':
      case 'files.changed':
      case 'commands.changed':
      case 'message.sent':
      case 'message.delivered':
      case 'approval.wanted':
      case 'approval.decided':
      case 'approval.withdrawn':
      case 'permission.denied':
      case 'permission.granted':
      case 'permission.dry_run':
      case 'task.changed':
      case 'connection.changed':
      case 'definitions.reloaded':
      case 'definitions.refused':
      case 'skills.reloaded':
      case 'problem':
        return;
    }
  }

  #change(agentId: string, change: (child: ChildRecord) => ChildRecord): void {
    const child = this.#children.get(agentId);
    if (child) this.#children.set(agentId, change(child));
  }
}
