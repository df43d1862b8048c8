import { AppError } from '../base/errors.ts';
import type { ChildView, GroupView } from '../domain/agents.ts';

/** What is known of groups and their children, also of earlier hosts' and other windows'. */
export interface ChildArchive {
  child(agentId: string): ChildView | undefined;
  group(groupId: string): GroupView | undefined;
  groups(): readonly GroupView[];
}

/** @throws AppError `not_found` */
export function requireChild(archive: ChildArchive, agentId: string): ChildView {
  const child = archive.child(agentId);
  if (!child) throw new AppError('not_found', `There is no subagent ${JSON.stringify(agentId)}.`);
  return child;
}

/** The children in a group's row. @throws AppError `not_found` */
export function requireRow(archive: ChildArchive, groupId: string): readonly ChildView[] {
  const group = archive.group(groupId);
  if (!group) throw new AppError('not_found', `There is no group ${JSON.stringify(groupId)}.`);
  return group.children.filter((child) => child.groupId === group.groupId);
}

/** Nothing is decided on what is still being changed. @throws AppError `conflict` */
export function requireSettled(archive: ChildArchive, { displayName, status, roundGroupId }: ChildView): void {
  if (archive.group(roundGroupId)?.isElsewhere) throw new AppError('conflict', `${displayName} belongs to another window. Review it there, or close that window first.`);
  if (status === 'queued' || status === 'running') throw new AppError('conflict', `${displayName} is still ${status}. Review it once it has ended, or cancel it first.`);
}

/** Every child that there is, each once. */
export function allChildren(archive: ChildArchive): readonly ChildView[] {
  return [...new Map(archive.groups().flatMap(({ children }) => children.map((child) => [child.agentId, child] as const))).values()];
}
