import type { RuntimeEvent } from '../domain/events.ts';
import type { ReviewDecision } from '../domain/reviews.ts';
import type { FileChange, FileState } from '../domain/tools.ts';
import { linesOf, type FileLines } from './fileLines.ts';
import type { Step } from './replay.ts';

/** What the records of children hold of one file. */
export interface FileHistory {
  /** To be replayed for any of the children; the last one is what stands there now. */
  readonly steps: readonly Step[];
  /** What isn't known of the changes of a child, by its `agentId`, in a sentence. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** How far apart, in milliseconds, two records may have been made in another order than what they tell of happened. */
const RECORD_DELAY = 2000;

type Entry =
  | { readonly kind: 'change'; readonly at: number; readonly agentId: string; readonly change: FileChange }
  | { readonly kind: 'decision'; readonly at: number; readonly agentIds: readonly string[]; readonly decision: ReviewDecision };

/**
 * Puts the steps of a file together from the change logs of all children that changed it, each in its own order.
 * `present`: what stands there now, `undefined` where no file is. `read` finds a kept content by its hash; where it
 * rejects, that content isn't known. Never rejects.
 */
export async function historyOf(path: string, logs: readonly (readonly RuntimeEvent[])[], present: Uint8Array | undefined, read: (hash: string) => Promise<Uint8Array>): Promise<FileHistory> {
  const entries = inOrder(entriesOf(path, logs));
  const contents = await readAll(entries, read);
  const steps: Step[] = [];
  const unknown = new Map<string, string>();
  const standing = linesOf(present);
  // What stood there as far as is known, and who wrote what nobody knows since.
  let last: FileLines | undefined;
  let blind: { readonly by: readonly string[]; readonly why: string } | undefined;
  const find = (content: FileLines): void => {
    if (blind && last) steps.push({ kind: 'write', by: blind.by, before: last, after: content, unsure: blind.why });
    else if (last !== content) steps.push({ kind: 'seen', content });
    [last, blind] = [content, undefined];
  };
  const lose = (agentId: string, why: string): void => {
    unknown.set(agentId, unknown.get(agentId) ?? why);
    blind = { by: [...new Set([...(blind?.by ?? []), agentId])], why: blind?.why ?? why };
  };
  for (const entry of entries) {
    if (entry.kind === 'decision') {
      const content = contents.of(entry.decision.content);
      const { verdict, lines } = entry.decision;
      if (content.lines) {
        find(content.lines);
        steps.push({ kind: 'decision', by: entry.agentIds, verdict, content: content.lines, lines });
      }
      continue;
    }
    const { agentId, change } = entry;
    const [before, after] = [contents.of(change.before), contents.of(change.after)];
    if (before.lines) find(before.lines);
    else lose(agentId, before.why);
    if (!after.lines) lose(agentId, after.why);
    else if (blind) find(after.lines);
    else {
      steps.push({ kind: 'write', by: [agentId], before: last!, after: after.lines, ...(change.unsure !== undefined && { unsure: change.unsure }) });
      last = after.lines;
    }
  }
  find(standing);
  return { steps, unknown };
}

/** What the logs tell of the file, each log by itself; a decision that stands in several counts where it comes first, for all of them. */
function entriesOf(path: string, logs: readonly (readonly RuntimeEvent[])[]): Entry[][] {
  const agentsOf = new Map<string, string[]>();
  for (const event of logs.flat()) if (event.type === 'review.decided') agentsOf.set(event.decision.id, [...(agentsOf.get(event.decision.id) ?? []), event.agentId]);
  const told = new Set<string>();
  return logs.map((log) => log.flatMap((event): Entry[] => {
    if (event.type === 'files.changed' && event.agent.kind === 'child') {
      const { agentId } = event.agent;
      return event.changes.filter((change) => change.path === path).map((change) => ({ kind: 'change', at: event.at, agentId, change }));
    }
    if (event.type !== 'review.decided' || event.decision.path !== path || told.has(event.decision.id)) return [];
    told.add(event.decision.id);
    return [{ kind: 'decision', at: event.at, agentIds: [...new Set(agentsOf.get(event.decision.id))].sort(), decision: event.decision }];
  }));
}

/** All entries by time, none before an earlier one of its log. Of records made at about the same time the one goes first that begins with what stood there, or whose end another begins with. */
function inOrder(logs: readonly (readonly Entry[])[]): Entry[] {
  const rest = logs.map((log) => [...log]).filter((log) => log.length > 0);
  const ordered: Entry[] = [];
  let last: string | undefined;
  while (rest.length > 0) {
    const heads = rest.map((log) => log[0]!);
    const first = Math.min(...heads.map(({ at }) => at));
    const near = heads.filter(({ at }) => at <= first + RECORD_DELAY).toSorted((a, b) => a.at - b.at);
    const next = near.find((entry) => last !== undefined && startOf(entry) === last) ?? near.find((entry) => !near.some((other) => other !== entry && endOf(other) === startOf(entry))) ?? near[0]!;
    const log = rest[heads.indexOf(next)]!;
    log.shift();
    if (log.length === 0) rest.splice(rest.indexOf(log), 1);
    ordered.push(next);
    last = endOf(next);
  }
  return ordered;
}

function startOf(entry: Entry): string | undefined {
  return nameOf(entry.kind === 'change' ? entry.change.before : entry.decision.content);
}

function endOf(entry: Entry): string | undefined {
  if (entry.kind === 'change') return nameOf(entry.change.after);
  return entry.decision.verdict === 'accepted' ? nameOf(entry.decision.content) : undefined;
}

/** Different for each content that is known. */
function nameOf(state: FileState | undefined): string | undefined {
  switch (state?.kind) {
    case 'kept':
      return state.hash;
    case 'absent':
      return 'absent';
    case 'unknown':
    case undefined:
      return undefined;
  }
}

type Content = { readonly lines: FileLines } | { readonly lines?: undefined; readonly why: string };

/** Each content is read, and taken apart, once. */
async function readAll(entries: readonly Entry[], read: (hash: string) => Promise<Uint8Array>): Promise<{ of(state: FileState | undefined): Content }> {
  const found = new Map<string, Content>();
  const states = entries.flatMap((entry) => (entry.kind === 'change' ? [entry.change.before, entry.change.after] : [entry.decision.content]));
  for (const state of states) {
    if (state?.kind !== 'kept' || found.has(state.hash)) continue;
    found.set(state.hash, await read(state.hash).then(
      (bytes) => ({ lines: linesOf(bytes) }),
      () => ({ why: 'What stood in this file at that time is not kept any more.' }),
    ));
  }
  return {
    of: (state) => {
      switch (state?.kind) {
        case 'kept':
          return found.get(state.hash)!;
        case 'absent':
          return { lines: linesOf(undefined) };
        case 'unknown':
          return { why: state.why };
        case undefined:
          return { why: 'What stood in this file at that time was not kept.' };
      }
    },
  };
}
