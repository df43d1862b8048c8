/** What a command is asked to act on: rows of the tree, or the arguments of a link. */
export interface Target {
  readonly groupId?: string;
  readonly agentId?: string;
  readonly requestId?: string;
  readonly taskId?: string;
}

/** The targets in a command's arguments: the selected rows where there are several, else the one row or link. Never throws. */
export function targetsOf(args: readonly unknown[]): readonly Target[] {
  const [first, selected] = args;
  const items: readonly unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [first];
  return items.map(target).filter((item) => item !== undefined);
}

/** The groups that are meant themselves, each once: a child's row names its group, too, and means the child. */
export function groupsOf(targets: readonly Target[]): readonly string[] {
  return [...new Set(targets.flatMap(({ groupId, agentId }) => (groupId === undefined || agentId !== undefined ? [] : [groupId])))];
}

function target(value: unknown): Target | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (key: string): Record<string, string> => {
    const field = fields.get(key);
    return typeof field === 'string' && field !== '' ? { [key]: field } : {};
  };
  const found: Target = { ...text('groupId'), ...text('agentId'), ...text('requestId'), ...text('taskId') };
  return Object.keys(found).length === 0 ? undefined : found;
}
