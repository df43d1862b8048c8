import { Batcher } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { errorText, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { PromptListening, PromptReceiver } from '../domain/services.ts';
import { fateOf, markOfThisProcess, type ProcessMark } from '../store/processMark.ts';
import type { SharedList } from '../store/sharedList.ts';
import type { ClaimEnd, ClaimEnds } from './claimEnds.ts';
import type { KnownTimes, ScheduleOf } from './knownTimes.ts';
import { busySessions, lookAt, type Looked, type LookOptions } from './lookAt.ts';
import { dueAt, promptView, type StoredPrompt } from './storedPrompt.ts';

/** The longest between two looks: clocks are set, computers sleep, and other processes schedule prompts too. */
const LOOK_MS = 60_000;
/** How long a prompt that is due is left to a process in which its conversation is open. */
const COURTESY_MS = 10_000;
/** After that a claim's process that can't be looked at from here counts as gone. */
const SILENCE_MS = 60 * 60_000;
/** Prompts that are sent at once. A crash leaves so many of which nobody knows whether they were. */
const MAX_SENDING = 16;
/** After that a prompt waits behind a turn of its conversation, and keeps others no longer. */
const WAITING_MS = 10_000;

/** Prompts that one message names. */
const MAX_NAMED = 5;

export interface ListeningOptions {
  readonly list: SharedList<StoredPrompt>;
  readonly clock: Clock;
  readonly times: KnownTimes;
  /** Of all that listened in this process: what one could not store, the next one does. */
  readonly ends: ClaimEnds;
  readonly receiver: PromptReceiver;
  /** Hears of what goes wrong once the receiver listens no more. */
  readonly report: (message: string) => void;
}

/** Hands prompts over that are due. Each is claimed in the file before it is sent, and its end is stored after that. */
export class Listening implements PromptListening {
  readonly #options: ListeningOptions;
  /** Those that are asked for while one waits for its turn are that one. */
  readonly #looks = new Batcher<void>(() => this.#look());
  readonly #sending = new Set<Promise<void>>();
  /** Since when claims are open, on the clock that never jumps. */
  readonly #open = new Map<string, number>();
  /** When prompts were first seen to be due that are left to others, on the clock that never jumps. */
  readonly #noticed = new Map<string, number>();
  #mark: Promise<ProcessMark> | undefined;
  #timer: Disposable | undefined;
  /** By the clock that may be set: what was due by then is nobody's. */
  #startedAt: number | undefined;
  #hasEnded = false;
  /** Told once, however often it happens in a row. */
  #trouble: string | undefined;

  constructor(options: ListeningOptions) {
    this.#options = options;
    void this.look();
  }

  dispose(): void {
    this.#hasEnded = true;
    this.#timer?.dispose();
  }

  async idle(): Promise<void> {
    await this.#looks.idle();
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** Looks for what is due, now. Never rejects: what goes wrong is told. */
  look(): Promise<void> {
    return this.#looks.add();
  }

  async #look(): Promise<void> {
    this.#timer?.dispose();
    let waitMs = LOOK_MS;
    try {
      waitMs = await this.#lookOnce();
      this.#trouble = undefined;
    } catch (error) {
      this.#tell(errorText(error));
    }
    if (!this.#hasEnded) this.#timer = this.#options.clock.after(waitMs, () => void this.look());
  }

  /** Resolves to the milliseconds until the next look is due. */
  async #lookOnce(): Promise<number> {
    const { list, clock, times } = this.#options;
    const mark = await (this.#mark ??= markOfThisProcess());
    // Before the list is read, so that the claims of all that end are in it.
    const ends = this.#options.ends.list();
    const seen = await list.read();
    const scheduleOf = await times.of(seen);
    this.#startedAt ??= clock.now();
    const options = { scheduleOf, mark, ends, room: this.#room(), orphans: await this.#orphans(seen, mark), claimId: randomId, takes: (prompt: StoredPrompt, due: number) => this.#takes(prompt, due) } satisfies Omit<LookOptions, 'now'>;
    let looked = lookAt(seen, { ...options, now: clock.now() });
    // Where there is nothing to do, nobody waits for the lock.
    if (looked.items !== seen) {
      await list.update((items) => (looked = lookAt(items, { ...options, now: clock.now() })).items);
      this.#handOver(looked, scheduleOf);
    }
    this.#options.ends.drop(ends);
    const waiting = new Set(looked.items.map(occasion));
    for (const key of this.#noticed.keys()) if (!waiting.has(key)) this.#noticed.delete(key);
    return this.#waitMs(looked.items, scheduleOf);
  }

  #room(): number {
    const now = this.#options.clock.elapsed();
    return MAX_SENDING - [...this.#open.values()].filter((since) => now - since < WAITING_MS).length;
  }

  /** What is left to others is this process's after all, where none has taken it for a while. */
  #takes(prompt: StoredPrompt, due: number): boolean {
    if (this.#hasEnded) return false;
    const { clock, receiver } = this.#options;
    if (due <= (this.#startedAt ?? 0) || receiver.holds?.(prompt.sessionId)) return true;
    const since = this.#noticed.get(occasion(prompt)) ?? clock.elapsed();
    this.#noticed.set(occasion(prompt), since);
    return clock.elapsed() - since >= COURTESY_MS;
  }

  async #orphans(items: readonly StoredPrompt[], own: ProcessMark): Promise<ReadonlySet<string>> {
    const now = this.#options.clock.now();
    const claims = items.flatMap(({ sending }) => sending ?? []);
    const marks = new Map(claims.map(({ by }) => [markText(by), by]));
    const fates = new Map(await Promise.all([...marks].map(async ([text, mark]) => [text, await fateOf(mark, own)] as const)));
    return new Set(claims.flatMap(({ id, at, by }) => {
      const fate = fates.get(markText(by));
      return fate === 'gone' || (fate === 'unknown' && Math.abs(now - at) > SILENCE_MS) ? [id] : [];
    }));
  }

  #handOver({ claimed, lost }: Looked, scheduleOf: ScheduleOf): void {
    for (const prompt of lost) this.#report(`The scheduled prompt ${named(prompt)} may not have been sent: the process that was to do it ended. It is not sent a second time; send it yourself where its answer is missing.`);
    for (const prompt of claimed) {
      const sending = this.#send(prompt, scheduleOf).finally(() => this.#sending.delete(sending));
      this.#sending.add(sending);
    }
  }

  async #send(prompt: StoredPrompt, scheduleOf: ScheduleOf): Promise<void> {
    const { receiver, ends, clock } = this.#options;
    const claim = prompt.sending?.id ?? '';
    this.#open.set(claim, clock.elapsed());
    const view = promptView(prompt, dueAt(prompt, scheduleOf(prompt.schedule)));
    const kind = await receiver.send(view, () => this.#isWanted(claim)).then(() => 'sent' as const, (error: unknown) => this.#failed(prompt, error));
    this.#open.delete(claim);
    ends.add(claim, { kind, prompt });
    await this.look();
  }

  #failed(prompt: StoredPrompt, error: unknown): ClaimEnd['kind'] {
    if (isAppError(error, 'closed')) {
      // Else it would be handed over to the same receiver again, at once and for ever.
      this.dispose();
      return 'given_back';
    }
    const isGone = isAppError(error, 'not_found');
    const what = isGone ? 'was dropped with all others of its conversation, which is gone' : 'was not sent';
    this.#report(`The scheduled prompt ${named(prompt)} ${what}: ${errorText(error)}`);
    return isGone ? 'session_gone' : 'sent';
  }

  /** False where it was deleted since it was claimed. Rejects with `unavailable`. */
  async #isWanted(claim: string): Promise<boolean> {
    return (await this.#options.list.read()).some(({ sending }) => sending?.id === claim);
  }

  #waitMs(items: readonly StoredPrompt[], scheduleOf: ScheduleOf): number {
    const now = this.#options.clock.now();
    const busy = busySessions(items);
    const waits = items.flatMap((item) => {
      // Its end is what the next one waits for.
      const due = busy.has(item.sessionId) ? undefined : dueAt(item, scheduleOf(item.schedule));
      return due === undefined ? [] : [due > now ? due - now : COURTESY_MS];
    });
    return Math.min(LOOK_MS, ...waits);
  }

  #tell(why: string): void {
    const kept = [...this.#options.ends.list().values()].map(({ prompt }) => named(prompt));
    const message = `Scheduled prompts are not sent at present: ${why}${kept.length === 0 ? '' : ` What became of ${listed(kept)} can't be stored; no more is sent of that before it is.`}`;
    if (this.#trouble === message) return;
    this.#trouble = message;
    this.#report(message);
  }

  #report(message: string): void {
    if (this.#hasEnded) this.#options.report(message);
    else this.#options.receiver.report(message);
  }
}

/** The prompt at this one of its times. */
function occasion({ id, countedFrom }: StoredPrompt): string {
  return `${id} ${countedFrom}`;
}

function markText({ pid, startedAt, machine }: ProcessMark): string {
  return JSON.stringify([pid, startedAt, machine]);
}

function named({ prompt }: StoredPrompt): string {
  return `“${truncate(oneLine(prompt), 80)}”`;
}

function listed(names: readonly string[]): string {
  return names.length <= MAX_NAMED ? names.join(', ') : `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`;
}
