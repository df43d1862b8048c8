import { mapLimited } from '../base/async.ts';
import type { ChildView } from '../domain/agents.ts';
import type { EventOf } from '../domain/events.ts';
import type { FileChange } from '../domain/tools.ts';
import type { ChangeEvent, ChangeLog, ChangeRecord } from '../store/changeLog.ts';
import { allChildren, type ChildArchive } from './subjects.ts';

const PARALLEL_READS = 16;

export type Decided = EventOf<'review.decided'>;

/** What is kept of the files that some children changed, as it was found at one moment. */
export interface Records {
  /** The children whose changes are looked at. */
  readonly own: readonly ChildView[];
  /** Absolute paths of the files, in order of the first change. */
  readonly paths: readonly string[];
  /** The records of each child that changed one of the files, the own ones first. */
  readonly logs: ReadonlyMap<string, readonly ChangeEvent[]>;
  /** Of children of whose records a part is damaged: the first of the `logs` after that. */
  readonly damaged: ReadonlyMap<string, number>;
  /** Ids of undos of which nobody knows whether they took place: the host ended, or the file could not be written. */
  readonly attempts: ReadonlySet<string>;
}

/** Reads what is kept, also by other windows. `path`: where only that file counts. Rejects with the system's error. */
export async function readRecords(own: readonly ChildView[], archive: ChildArchive, changes: Pick<ChangeLog, 'read'> | undefined, path?: string): Promise<Records> {
  const ids = new Set(own.map(({ agentId }) => agentId));
  const read = async (children: readonly ChildView[]): Promise<(readonly [string, ChangeRecord])[]> =>
    mapLimited(children, PARALLEL_READS, async ({ agentId }) => [agentId, (await changes?.read(agentId)) ?? { events: [] }] as const);
  const ownLogs = await read(own);
  const paths = pathsOf(own, ownLogs.flatMap(([, { events }]) => events)).filter((each) => path === undefined || each === path);
  const wanted = new Set(paths);
  // What a child does in a worktree of its own is in the file only once it was accepted, and then as anybody's.
  const others = allChildren(archive).filter(({ agentId, worktree, changedFiles }) => !ids.has(agentId) && !worktree && changedFiles.some((file) => wanted.has(file)));
  const logs = [...ownLogs, ...(await read(others))];
  return {
    own,
    paths,
    logs: new Map(logs.map(([agentId, { events }]) => [agentId, events])),
    damaged: new Map(logs.flatMap(([agentId, { damagedAt }]) => (damagedAt === undefined ? [] : [[agentId, damagedAt]]))),
    attempts: attemptsOf(logs.map(([, { events }]) => events)),
  };
}

/** The changes that a child made of a file. */
export function changesOf(events: readonly ChangeEvent[], path: string): readonly FileChange[] {
  return events.flatMap((event) => (event.type === 'files.changed' ? event.changes.filter((change) => change.path === path) : []));
}

/** The files in order of the first change; those of which nothing is kept come last. */
function pathsOf(own: readonly ChildView[], events: readonly ChangeEvent[]): readonly string[] {
  const inOrder = events.toSorted((a, b) => a.at - b.at);
  const kept = inOrder.flatMap((event) => (event.type === 'files.changed' ? event.changes.map((change) => change.path) : []));
  return [...new Set([...kept, ...own.flatMap(({ changedFiles }) => changedFiles)])];
}

/** An undo is kept before it takes place and once more after it. */
function attemptsOf(logs: readonly (readonly ChangeEvent[])[]): ReadonlySet<string> {
  const begun = new Set<string>();
  const done = new Set<string>();
  for (const log of logs) {
    const seen = new Set<string>();
    for (const event of log) {
      if (event.type !== 'review.decided' || event.decision.verdict !== 'undone') continue;
      (seen.has(event.decision.id) ? done : begun).add(event.decision.id);
      seen.add(event.decision.id);
    }
  }
  return new Set([...begun].filter((id) => !done.has(id)));
}
