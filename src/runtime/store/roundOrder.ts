import type { GroupSpec, GroupView } from '../domain/agents.ts';

/** A group among others. */
export interface DatedGroup {
  readonly createdAt: number;
  /** Which round of which agent it holds. */
  readonly rounds: readonly { readonly agentId: string; readonly round: number }[];
}

/** In order of acceptance by their times, but that no round comes before an earlier one of the same agent: the computer's clock may have been set back between them. */
export function inOrderOfRounds<T extends DatedGroup>(groups: readonly T[]): T[] {
  const byAgent = Map.groupBy(
    groups.flatMap((group) => group.rounds.map((own) => ({ ...own, group }))),
    ({ agentId }) => agentId,
  );
  for (const rounds of byAgent.values()) rounds.sort((a, b) => a.round - b.round);
  const ordered = new Set<T>();
  const seen = new Set<T>();
  const place = (group: T): void => {
    if (seen.has(group)) return;
    seen.add(group);
    for (const { agentId, round } of group.rounds) {
      const earlier = byAgent.get(agentId)?.findLast((other) => other.round < round);
      if (earlier) place(earlier.group);
    }
    ordered.add(group);
  };
  for (const group of groups.toSorted((a, b) => a.createdAt - b.createdAt)) place(group);
  return [...ordered];
}

/** The rounds that a group began with, also where its stored view shows what became of its children in later ones. */
export function roundsOf({ groupId, children }: GroupSpec | GroupView): DatedGroup['rounds'] {
  return children.map((child) => {
    if (!('roundGroupId' in child) || child.roundGroupId === groupId) return { agentId: child.agentId, round: child.round };
    return { agentId: child.agentId, round: child.groupId === groupId ? 1 : child.round - 1 };
  });
}
