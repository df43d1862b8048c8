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
  const chain = new Chain();
  for (const entry of entries) {
    if (entry.kind === 'decision') {
      chain.decide(entry.agentIds, entry.decision, contents.of(entry.decision.content));
      continue;
    }
    const { agentId, change } = entry;
    const [before, after] = [contents.of(change.before), contents.of(change.after)];
    if (!before.lines) chain.lose(agentId, before.why);
    else if (change.unsure === undefined || !chain.credit(agentId, before.lines, change.unsure)) chain.find(before.lines);
    if (after.lines) chain.write(agentId, after.lines, change.unsure);
    else chain.lose(agentId, after.why);
  }
  return { steps: chain.end(linesOf(present)), unknown: chain.unknown };
}

/** Steps under construction, each beginning with what stood there as far as is known. */
class Chain {
  readonly unknown = new Map<string, string>();
  readonly #steps: Step[] = [];
  /** How many steps led to each content. */
  readonly #reached = new Map<FileLines, number>();
  #last: FileLines | undefined;
  /** Who wrote since then what nobody knows, and why not. */
  #blind: { readonly by: readonly string[]; readonly why: string } | undefined;

  /** This stood there then. After writes that nobody knows, it may be theirs. */
  find(content: FileLines): void {
    if (this.#blind && this.#last) this.#add({ kind: 'write', by: this.#blind.by, before: this.#last, after: content, unsure: this.#blind.why }, content);
    else if (this.#last !== content) this.#add({ kind: 'seen', content }, content);
    this.#blind = undefined;
  }

  /** The child wrote this, on what stood there last. */
  write(agentId: string, after: FileLines, unsure: string | undefined): void {
    if (this.#blind || !this.#last) this.find(after);
    else this.#add({ kind: 'write', by: [agentId], before: this.#last, after, ...(unsure !== undefined && { unsure }) }, after);
  }

  /** The child wrote something, but it isn't known what or on what. */
  lose(agentId: string, why: string): void {
    this.unknown.set(agentId, this.unknown.get(agentId) ?? why);
    this.#blind = { by: [...new Set([...(this.#blind?.by ?? []), agentId])], why: this.#blind?.why ?? why };
  }

  /**
   * Another child wrote the file while this one's call, which began with `before`, was under way: what is known of
   * that stays, and all that nobody is known to have written since may be this child's. False where it wasn't so.
   */
  credit(agentId: string, before: FileLines, unsure: string): boolean {
    const reached = this.#reached.get(before);
    if (reached === undefined || this.#blind || !this.#last || this.#last === before) return false;
    let stood: FileLines | undefined = before;
    this.#steps.forEach((step, index) => {
      if (index < reached) return;
      if (step.kind === 'seen' && stood) this.#steps[index] = { kind: 'write', by: [agentId], before: stood, after: step.content, unsure };
      stood = endOfStep(step);
    });
    return true;
  }

  decide(agentIds: readonly string[], { verdict, lines }: ReviewDecision, on: Content): void {
    if (on.lines) this.find(on.lines);
    else if (verdict === 'undone') return;
    // Nobody can tell what was accepted: so nothing may be taken back.
    else if (lines !== 'all' || !this.#last) for (const agentId of agentIds) this.unknown.set(agentId, this.unknown.get(agentId) ?? on.why);
    if (!this.#last || (!on.lines && lines !== 'all')) return;
    this.#steps.push({ kind: 'decision', by: agentIds, verdict, content: this.#last, lines });
    // What an undo left there is only known from what is found next.
    if (verdict === 'undone') this.#last = undefined;
  }

  end(present: FileLines): readonly Step[] {
    this.find(present);
    return this.#steps;
  }

  #add(step: Step, content: FileLines): void {
    this.#steps.push(step);
    this.#last = content;
    this.#reached.set(content, this.#steps.length);
  }
}

/** What stood there after a step, where the step knows. */
function endOfStep(step: Step): FileLines | undefined {
  if (step.kind === 'write') return step.after;
  return step.kind === 'seen' || step.verdict === 'accepted' ? step.content : undefined;
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

const ABSENT = linesOf(undefined);

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
          return { lines: ABSENT };
        case 'unknown':
          return { why: state.why };
        case undefined:
          return { why: 'What stood in this file at that time was not kept.' };
      }
    },
  };
}
