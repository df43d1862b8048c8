import { setImmediate } from 'node:timers/promises';
import type { RuntimeEvent } from '../domain/events.ts';
import { linesOf, type FileLines } from './fileLines.ts';
import { historyOf, type ContentRef, type FileHistory, type LogFacts } from './history.ts';
import type { Present } from './present.ts';
import { Replay, type IsOwn, type Replayed, type Step } from './replay.ts';

/** Lines that are replayed before others get their turn. */
const LINES_IN_A_ROW = 10_000;

/** What became of the own changes of a file, and what isn't known of the changes of a child, by its `agentId`. */
export type FileReplay = Replayed & Pick<FileHistory, 'unknown'>;

export interface ReplayedLogs extends Pick<LogFacts, 'attempts'> {
  /** Of each child that changed the file. */
  readonly logs: readonly (readonly RuntimeEvent[])[];
}

/**
 * Replays all that the change logs hold of a file. Of its contents only those of one step are held at a time, and
 * others get their turn in between. What can't be looked at now tells nothing of what became of the changes: then they
 * are as they were last known. Never rejects.
 * @param read finds a kept content by its hash; where it rejects, that content isn't known
 */
export async function replayFile(path: string, { logs, attempts }: ReplayedLogs, present: Present, isOwn: IsOwn, read: (hash: string) => Promise<Uint8Array>): Promise<FileReplay> {
  for (const lost = new Set<string>(); ; ) {
    const { steps, unknown } = historyOf(path, logs, { lost, attempts });
    const known = present.kind === 'content' ? steps : steps.slice(0, -1);
    const contents = new StepContents(present.kind === 'content' ? present.bytes : undefined, read);
    const done = await replaySteps(known, isOwn, contents);
    if (done) return { ...done, unknown };
    // Others may be lost with the one that was met. They change what the steps are, so it begins anew, once.
    for (const hash of hashesOf(steps)) if (!lost.has(hash) && !(await contents.isKept(hash))) lost.add(hash);
  }
}

/** Nothing where a content is missing. */
async function replaySteps(steps: readonly Step<ContentRef>[], isOwn: IsOwn, contents: StepContents): Promise<Replayed | undefined> {
  const replay = new Replay(isOwn);
  let lines = 0;
  for (const step of steps) {
    const whole = await contents.fill(step);
    if (!whole) return undefined;
    replay.add(whole);
    lines += (whole.kind === 'write' ? whole.after : whole.content).length;
    if (lines < LINES_IN_A_ROW) continue;
    await setImmediate();
    lines = 0;
  }
  return replay.end();
}

/** The contents of a file, each only as long as the steps that follow one another have it. */
class StepContents {
  readonly #present: Uint8Array | undefined;
  readonly #read: (hash: string) => Promise<Uint8Array>;
  #held = new Map<ContentRef, FileLines>();
  readonly #missing = new Set<string>();

  constructor(present: Uint8Array | undefined, read: (hash: string) => Promise<Uint8Array>) {
    this.#present = present;
    this.#read = read;
  }

  /** The step with its contents; nothing where one of them is missing. */
  async fill(step: Step<ContentRef>): Promise<Step | undefined> {
    const held = new Map<ContentRef, FileLines>();
    const first = await this.#lines(step.kind === 'write' ? step.before : step.content, held);
    const second = step.kind === 'write' ? await this.#lines(step.after, held) : first;
    this.#held = held;
    if (!first || !second) return undefined;
    return step.kind === 'write' ? { ...step, before: first, after: second } : { ...step, content: first };
  }

  async isKept(hash: string): Promise<boolean> {
    return !this.#missing.has(hash) && (await this.#read(hash).then(() => true, () => false));
  }

  async #lines(ref: ContentRef, held: Map<ContentRef, FileLines>): Promise<FileLines | undefined> {
    const lines = held.get(ref) ?? this.#held.get(ref) ?? (await this.#take(ref));
    if (lines) held.set(ref, lines);
    return lines;
  }

  async #take(ref: ContentRef): Promise<FileLines | undefined> {
    if (ref === 'absent') return linesOf(undefined);
    if (ref === 'present') return linesOf(this.#present);
    try {
      return linesOf(await this.#read(ref.hash));
    } catch {
      this.#missing.add(ref.hash);
      return undefined;
    }
  }
}

function hashesOf(steps: readonly Step<ContentRef>[]): ReadonlySet<string> {
  const refs = steps.flatMap((step) => (step.kind === 'write' ? [step.before, step.after] : [step.content]));
  return new Set(refs.flatMap((ref) => (typeof ref === 'string' ? [] : [ref.hash])));
}
