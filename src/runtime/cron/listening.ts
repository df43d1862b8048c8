import { Serial } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { errorText, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { PromptListening, PromptReceiver } from '../domain/services.ts';
import { fateOf, markOfThisProcess, type ProcessMark } from '../store/processMark.ts';
import type { SharedList } from '../store/sharedList.ts';
import { lookAt, type ClaimEnd, type Looked, type LookOptions } from './lookAt.ts';
import type { Schedule } from './schedule.ts';
import { dueAt, promptView, type StoredPrompt } from './storedPrompt.ts';

/** The longest between two looks: clocks are set, computers sleep, and other processes schedule prompts too. */
const LOOK_MS = 60_000;
/** How long a prompt that is due is left to a process in which its conversation is open. */
const COURTESY_MS = 10_000;
/** After that a claim's process that can't be looked at from here counts as gone. */
const SILENCE_MS = 60 * 60_000;

export interface ListeningOptions {
  readonly list: SharedList<StoredPrompt>;
  readonly clock: Clock;
  /** Resolves to what makes something of a schedule's text, or nothing. */
  readonly schedules: () => Promise<(text: string) => Schedule | undefined>;
  readonly receiver: PromptReceiver;
}

/** Hands prompts over that are due. Each is claimed in the file before it is sent, and its end is stored after that. */
export class Listening implements PromptListening {
  readonly #options: ListeningOptions;
  readonly #looks = new Serial();
  readonly #sending = new Set<Promise<void>>();
  readonly #ends = new Map<string, ClaimEnd>();
  /** When prompts were first seen to be due that are left to others, on the clock that never jumps. */
  readonly #noticed = new Map<string, number>();
  #mark: Promise<ProcessMark> | undefined;
  #timer: Disposable | undefined;
  #hasLooked = false;
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
    return this.#looks.run(async () => {
      this.#timer?.dispose();
      let waitMs = LOOK_MS;
      try {
        waitMs = await this.#lookOnce();
        this.#trouble = undefined;
      } catch (error) {
        this.#tell(errorText(error));
      }
      if (!this.#hasEnded) this.#timer = this.#options.clock.after(waitMs, () => void this.look());
    });
  }

  /** Resolves to the milliseconds until the next look is due. */
  async #lookOnce(): Promise<number> {
    const { list, clock, schedules } = this.#options;
    const scheduleOf = await schedules();
    const mark = await (this.#mark ??= markOfThisProcess());
    const seen = await list.read();
    const ends = new Map(this.#ends);
    const options = { scheduleOf, mark, ends, orphans: await this.#orphans(seen, mark), claimId: randomId, takes: (prompt: StoredPrompt) => this.#takes(prompt) } satisfies Omit<LookOptions, 'now'>;
    let looked = lookAt(seen, { ...options, now: clock.now() });
    // Where there is nothing to do, nobody waits for the lock.
    if (looked.items !== seen) {
      await list.update((items) => (looked = lookAt(items, { ...options, now: clock.now() })).items);
      this.#handOver(looked, scheduleOf);
    }
    for (const id of ends.keys()) this.#ends.delete(id);
    const waiting = new Set(looked.items.map(occasion));
    for (const key of this.#noticed.keys()) if (!waiting.has(key)) this.#noticed.delete(key);
    this.#hasLooked = true;
    return this.#waitMs(looked.items, scheduleOf);
  }

  /** What is left to others is this process's after all, where none has taken it for a while. What was due at the start is nobody's. */
  #takes(prompt: StoredPrompt): boolean {
    if (this.#hasEnded) return false;
    const { clock, receiver } = this.#options;
    if (!this.#hasLooked || receiver.holds?.(prompt.sessionId)) return true;
    const since = this.#noticed.get(occasion(prompt)) ?? clock.elapsed();
    this.#noticed.set(occasion(prompt), since);
    return clock.elapsed() - since >= COURTESY_MS;
  }

  async #orphans(items: readonly StoredPrompt[], own: ProcessMark): Promise<ReadonlySet<string>> {
    const now = this.#options.clock.now();
    const claims = items.flatMap(({ sending }) => sending ?? []);
    const fates = await Promise.all(claims.map(async ({ id, at, by }) => ({ id, at, fate: await fateOf(by, own) })));
    return new Set(fates.flatMap(({ id, at, fate }) => (fate === 'gone' || (fate === 'unknown' && Math.abs(now - at) > SILENCE_MS) ? [id] : [])));
  }

  #handOver({ claimed, lost }: Looked, scheduleOf: (text: string) => Schedule | undefined): void {
    for (const prompt of lost) this.#options.receiver.report(`The scheduled prompt ${named(prompt)} may not have been sent: the process that was to do it ended. It is not sent a second time; send it yourself where its answer is missing.`);
    for (const prompt of claimed) {
      const sending = this.#send(prompt, scheduleOf).finally(() => this.#sending.delete(sending));
      this.#sending.add(sending);
    }
  }

  async #send(prompt: StoredPrompt, scheduleOf: (text: string) => Schedule | undefined): Promise<void> {
    const { receiver } = this.#options;
    const claim = prompt.sending?.id ?? '';
    const view = promptView(prompt, dueAt(prompt, scheduleOf(prompt.schedule)));
    const end = await receiver.send(view, () => this.#isWanted(claim)).then(() => 'sent' as const, (error: unknown) => this.#failed(prompt, error));
    this.#ends.set(claim, end);
    await this.look();
  }

  #failed(prompt: StoredPrompt, error: unknown): ClaimEnd {
    if (isAppError(error, 'closed')) return 'given_back';
    const isGone = isAppError(error, 'not_found');
    const what = isGone ? 'was dropped with all others of its conversation, which is gone' : 'was not sent';
    this.#options.receiver.report(`The scheduled prompt ${named(prompt)} ${what}: ${errorText(error)}`);
    return isGone ? 'session_gone' : 'sent';
  }

  /** False where it was deleted since it was claimed. Rejects with `unavailable`. */
  async #isWanted(claim: string): Promise<boolean> {
    return (await this.#options.list.read()).some(({ sending }) => sending?.id === claim);
  }

  #waitMs(items: readonly StoredPrompt[], scheduleOf: (text: string) => Schedule | undefined): number {
    const now = this.#options.clock.now();
    const waits = items.flatMap((item) => {
      const due = item.sending ? undefined : dueAt(item, scheduleOf(item.schedule));
      return due === undefined ? [] : [due > now ? due - now : COURTESY_MS];
    });
    return Math.min(LOOK_MS, ...waits);
  }

  #tell(message: string): void {
    if (this.#trouble === message) return;
    this.#trouble = message;
    this.#options.receiver.report(`Scheduled prompts are not sent at present: ${message}`);
  }
}

/** The prompt at this one of its times. */
function occasion({ id, countedFrom }: StoredPrompt): string {
  return `${id} ${countedFrom}`;
}

function named({ prompt }: StoredPrompt): string {
  return `“${truncate(oneLine(prompt), 80)}”`;
}
