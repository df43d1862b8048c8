import type { AgentPermission, PermissionLayer, PermissionLists } from '../domain/permissions.ts';

/** The lists that may have a say. `subagent` and `definition` count for children only. */
export interface LayerSources {
  readonly user?: PermissionLists | undefined;
  readonly workspace?: PermissionLists | undefined;
  /** Limits of the agent that delegates, beyond the user's and the workspace's, which its children share anyway. */
  readonly parent?: PermissionLists | undefined;
  readonly subagent?: PermissionLists | undefined;
  readonly definition?: AgentPermission | undefined;
}

/** The layers of an agent, in the order in which they are named. The user's is always there, for its defaults. */
export function layersFor(kind: 'root' | 'child', sources: LayerSources): readonly PermissionLayer[] {
  const layers: PermissionLayer[] = [{ name: 'user', lists: sources.user ?? {} }];
  const add = (name: PermissionLayer['name'], lists: PermissionLists | undefined): void => {
    if (lists) layers.push({ name, lists });
  };
  add('workspace', sources.workspace);
  if (kind === 'root') return layers;
  add('parent', sources.parent);
  add('subagentPermission', sources.subagent);
  if (sources.definition) layers.push(definitionLayer(sources.definition));
  return layers;
}

/** A definition's own limits as a layer. */
export function definitionLayer({ onAsk, ...lists }: AgentPermission): PermissionLayer {
  return { name: 'definition', lists, ...(onAsk && { onAsk }) };
}
