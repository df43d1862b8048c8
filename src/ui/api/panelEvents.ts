import type { PanelEvent } from '../../api.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';

/** What other extensions hear of an event; nothing for most. `agent`: as the event left it. */
export function panelEvent(event: RuntimeEvent, agent: Pick<LiteAgent, 'child'>): PanelEvent | undefined {
  switch (event.type) {
    case 'group.accepted':
      return { type: 'group.started', groupId: event.group.groupId, children: event.group.children.map(({ agentId, displayName }) => ({ id: agentId, name: displayName })) };
    case 'child.queued':
    case 'child.started':
    case 'child.settled':
    case 'child.interrupted': {
      const view = agent.child(event.agentId);
      return view && { type: 'child.changed', groupId: event.groupId, childId: view.agentId, name: view.displayName, status: view.status };
    }
    case 'group.settled':
      return { type: 'group.changed', groupId: event.groupId, status: event.status };
    case 'group.interrupted':
      return { type: 'group.changed', groupId: event.groupId, status: 'interrupted' };
    case 'group.resumed':
      return { type: 'group.changed', groupId: event.groupId, status: 'running' };
    default:
      return undefined;
  }
}
