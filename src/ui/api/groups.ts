import type { ChildEnd, GroupRequest, PanelGroup, PanelResults } from '../../api.ts';
import { AppError } from '../../runtime/base/errors.ts';
import type { ChildResult, GroupResults } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';

/** Starts the group of another extension. Rejects as `LiteSession.start`. */
export async function startPanelGroup(agent: Pick<LiteAgent, 'openSession' | 'cancelGroup'>, request: GroupRequest, cwd: string): Promise<PanelGroup> {
  const session = await agent.openSession({ cwd, answers: false });
  const { group, results } = await session.start(tasksOf(request));
  const ended = results.then(panelResults);
  // Not everybody who starts a group waits for it.
  ended.catch(() => undefined);
  return {
    id: group.groupId,
    children: group.children.map(({ agentId, displayName }) => ({ id: agentId, name: displayName })),
    results: ended,
    cancel: () => agent.cancelGroup(group.groupId),
  };
}

/** As the runtime names the fields, which checks them. */
function tasksOf({ tasks }: GroupRequest): readonly object[] {
  if (!Array.isArray(tasks)) throw new AppError('invalid_input', '`tasks` must be a list of tasks, each with `name` and `prompt`.');
  return (tasks as GroupRequest['tasks']).map(({ name, agent, prompt, model }) => ({ display_name: name, prompt, ...(agent !== undefined && { subagent_type: agent }), ...(model !== undefined && { model }) }));
}

function panelResults({ status, children, text }: GroupResults): PanelResults {
  return { status, text: text(), children: children.map(childEnd) };
}

function childEnd({ agentId: id, displayName: name, outcome }: ChildResult): ChildEnd {
  switch (outcome.status) {
    case 'completed':
      return { id, name, status: outcome.status, text: outcome.text };
    case 'failed':
      return { id, name, status: outcome.status, error: outcome.message, ...(outcome.partialText !== undefined && { text: outcome.partialText }) };
    case 'cancelled':
      return { id, name, status: outcome.status, ...(outcome.partialText !== undefined && { text: outcome.partialText }) };
  }
}
