import type { RuntimeEvent } from '../domain/events.ts';
import type { ReviewDecision } from '../domain/reviews.ts';
import type { FileChange, FileState } from '../domain/tools.ts';
import type { Step } from './replay.ts';

/** A content of the file: none, the present one, or one that is kept. Two are the same where they are the same value. */
export type ContentRef = 'absent' | 'present' | KeptContent;
export interface KeptContent {
  readonly hash: string;
}

/** What the records of children hold of one file. */
export interface FileHistory {
  /** To be replayed for any of the children; the last one is what stands there now. */
  readonly steps: readonly Step<ContentRef>[];
  /** What isn't known of the changes of a child, by its `agentId`, in a sentence. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** How far apart, in milliseconds, two records may have been made in another order than what they tell of happened. */
const RECORD_DELAY = 2000;

type Entry =
  | { readonly kind: 'change'; readonly at: number; readonly agentId: string; readonly change: FileChange }
  | { readonly kind: 'decision'; readonly at: number; readonly agentIds: readonly string[]; readonly decision: ReviewDecision };

/** What else is known of the logs. */
export interface LogFacts {
  /** Hashes of contents that aren't kept any more. */
  readonly lost: ReadonlySet<string>;
  /** Ids of undos of which nobody knows whether they took place. */
  readonly attempts: ReadonlySet<string>;
}

/**
 * Puts the steps of a file together from the change logs of all children that changed it, each in its own order.
 */
export function historyOf(path: string, logs: readonly (readonly RuntimeEvent[])[], { lost, attempts }: LogFacts): FileHistory {
  const contents = new Contents(lost);
  const chain = new Chain();
  for (const entry of inOrder(entriesOf(path, logs))) {
    if (entry.kind === 'decision') {
      chain.decide(entry.agentIds, entry.decision, contents.of(entry.decision.content), attempts.has(entry.decision.id));
      continue;
    }
    const { agentId, change } = entry;
    const [before, after] = [contents.of(change.before), contents.of(change.after)];
    if (!before.ref) chain.lose(agentId, before.why);
    else if (change.unsure === undefined) chain.find(before.ref);
    else chain.credit(writerOf(entry), before.ref, after.ref);
    if (after.ref) chain.write(writerOf(entry), after.ref);
    else chain.lose(agentId, after.why);
  }
  return { steps: chain.end(), unknown: chain.unknown };
}

/** Who made a change, as a step has it. */
type Writer = Pick<Extract<Step, { kind: 'write' }>, 'by' | 'unsure' | 'isOneOf'>;

function writerOf({ agentId, change: { unsure, oneOf } }: Extract<Entry, { kind: 'change' }>): Writer {
  if (unsure === undefined) return { by: [agentId] };
  return oneOf?.includes(agentId) === true ? { by: oneOf, unsure, isOneOf: true } : { by: [agentId], unsure };
}

/** Steps under construction, each beginning with what stood there as far as is known. */
class Chain {
  readonly unknown = new Map<string, string>();
  readonly #steps: Step<ContentRef>[] = [];
  /** How many steps led to each content. */
  readonly #reached = new Map<ContentRef, number>();
  #last: ContentRef | undefined;
  /** Who wrote since then what nobody knows, and why not. */
  #blind: { readonly by: readonly string[]; readonly why: string } | undefined;

  /** This stood there then. After writes that nobody knows, it may be theirs. */
  find(content: ContentRef): void {
    if (this.#blind && this.#last) this.#add({ kind: 'write', by: this.#blind.by, before: this.#last, after: content, unsure: this.#blind.why }, content);
    else if (this.#last !== content) this.#add({ kind: 'seen', content }, content);
    this.#blind = undefined;
  }

  /** A child wrote this, on what stood there last. */
  write(writer: Writer, after: ContentRef): void {
    if (this.#blind || !this.#last) this.find(after);
    else this.#add({ kind: 'write', ...writer, before: this.#last, after }, after);
  }

  /** The child wrote something, but it isn't known what or on what. */
  lose(agentId: string, why: string): void {
    this.unknown.set(agentId, this.unknown.get(agentId) ?? why);
    this.#blind = { by: [...new Set([...(this.#blind?.by ?? []), agentId])], why: this.#blind?.why ?? why };
  }

  /**
   * Another child wrote the file while this one's call, which went from `before` to `after`, was under way: what is
   * known of that stays, and all that nobody is known to have written since may be this child's.
   */
  credit(writer: Writer, before: ContentRef, after: ContentRef | undefined): void {
    if (this.#blind || !this.#last || this.#last === before) {
      this.find(before);
      return;
    }
    if (!this.#reached.has(before) && after) this.#insert(before, after);
    const reached = this.#reached.get(before);
    let stood: ContentRef | undefined = before;
    this.#steps.forEach((step, index) => {
      if (reached === undefined || index < reached) return;
      if (step.kind === 'seen' && stood) this.#steps[index] = { kind: 'write', ...writer, before: stood, after: step.content };
      stood = endOfStep(step);
    });
  }

  /** Where it is known who made `after`, but not on what: the first thing that was found there was found after `before`. */
  #insert(before: ContentRef, after: ContentRef): void {
    const end = this.#reached.get(after) ?? 0;
    const at = this.#steps.findLastIndex(({ kind }, index) => kind === 'seen' && index < end);
    if (at < 0) return;
    this.#steps.splice(at, 0, { kind: 'seen', content: before });
    for (const [content, count] of this.#reached) if (count > at) this.#reached.set(content, count + 1);
    this.#reached.set(before, at + 1);
  }

  decide(agentIds: readonly string[], { verdict, lines }: ReviewDecision, on: Content, isAttempt: boolean): void {
    if (on.ref) this.find(on.ref);
    else if (verdict === 'undone') return;
    // Nobody can tell what was accepted: so nothing may be taken back.
    else if (lines !== 'all' || !this.#last) for (const agentId of agentIds) this.unknown.set(agentId, this.unknown.get(agentId) ?? on.why);
    if (!this.#last || (!on.ref && lines !== 'all')) return;
    this.#steps.push({ kind: 'decision', by: agentIds, verdict, content: this.#last, lines, ...(isAttempt && { isAttempt }) });
    // What an undo left there is only known from what is found next.
    if (verdict === 'undone') this.#last = undefined;
  }

  end(): readonly Step<ContentRef>[] {
    this.find('present');
    return this.#steps;
  }

  #add(step: Step<ContentRef>, content: ContentRef): void {
    this.#steps.push(step);
    this.#last = content;
    this.#reached.set(content, this.#steps.length);
  }
}

/** What stood there after a step, where the step knows. */
function endOfStep(step: Step<ContentRef>): ContentRef | undefined {
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
    const first = heads.reduce((least, { at }) => Math.min(least, at), Infinity);
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

type Content = { readonly ref: ContentRef } | { readonly ref?: undefined; readonly why: string };

/** What the states in records stand for. */
class Contents {
  readonly #lost: ReadonlySet<string>;
  readonly #kept = new Map<string, KeptContent>();

  constructor(lost: ReadonlySet<string>) {
    this.#lost = lost;
  }

  of(state: FileState | undefined): Content {
    switch (state?.kind) {
      case 'kept':
        return this.#lost.has(state.hash) ? { why: 'What stood in this file at that time is not kept any more.' } : { ref: this.#keptAt(state.hash) };
      case 'absent':
        return { ref: 'absent' };
      case 'unknown':
        return { why: state.why };
      case undefined:
        return { why: 'What stood in this file at that time was not kept.' };
    }
  }

  #keptAt(hash: string): KeptContent {
    const there = this.#kept.get(hash) ?? { hash };
    this.#kept.set(hash, there);
    return there;
  }
}
