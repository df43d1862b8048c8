import { SYSTEM_CLOCK, type Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { oneLine } from '../base/text.ts';
import type { CronService, PromptListening, PromptReceiver, ScheduledPrompt } from '../domain/services.ts';
import { SharedList } from '../store/sharedList.ts';
import { ClaimEnds } from './claimEnds.ts';
import { KnownTimes } from './knownTimes.ts';
import { Listening } from './listening.ts';
import { dueAt, PROMPT_FILE, promptView, type StoredPrompt } from './storedPrompt.ts';

/** Prompts that one session may have at the same time. */
const MAX_PROMPTS = 20;
/** Characters of one. */
const MAX_LENGTH = 10_000;

export interface CronServiceOptions {
  /** Absolute path of the folder that holds them, made when needed. Processes that share it share the prompts. */
  readonly dir: string;
  /** An IANA name such as `Europe/Berlin`. Default that of this computer. */
  readonly timeZone?: string;
  /** Default the system's. */
  readonly clock?: Clock;
  /** Hears of what goes wrong while nobody listens, such as a damaged file that was set aside. */
  readonly report: (message: string) => void;
}

/** What a service of `createCronService` does besides. */
export interface MovingCronService extends CronService {
  /**
   * Has the prompts of a conversation go on in another, which was continued from it. What is being sent meanwhile still
   * comes to the first. Resolves to those that were moved; rejects with `unavailable` where that can't be stored.
   */
  move(sessionId: string, to: string): Promise<readonly ScheduledPrompt[]>;
}

/**
 * Scheduled prompts in a file. A prompt that was missed because nothing ran is sent once at the next start, however
 * often it was missed; one that is being sent when its process dies is told of and not sent a second time. Starts
 * nothing before somebody listens.
 */
export function createCronService(options: CronServiceOptions): MovingCronService {
  return new FileCronService(options);
}

class FileCronService implements MovingCronService {
  readonly #clock: Clock;
  readonly #times: KnownTimes;
  readonly #report: (message: string) => void;
  readonly #list: SharedList<StoredPrompt>;
  readonly #listeners = new Map<Listening, PromptReceiver>();
  readonly #ends = new ClaimEnds();

  constructor({ dir, timeZone, clock = SYSTEM_CLOCK, report }: CronServiceOptions) {
    this.#clock = clock;
    this.#times = new KnownTimes(timeZone);
    this.#report = report;
    this.#list = new SharedList<StoredPrompt>({
      dir,
      name: 'scheduled',
      words: { list: 'list of scheduled prompts', items: 'prompts' },
      parse: (text) => PROMPT_FILE.parse(text),
      format: (prompts) => PROMPT_FILE.format(prompts),
      report: (message) => this.#tell(message),
    });
  }

  async create({ sessionId, schedule, prompt, once }: Parameters<CronService['create']>[0]): Promise<ScheduledPrompt> {
    if (oneLine(prompt) === '') throw new AppError('invalid_input', 'The prompt is empty. Write what is to be done then.');
    if (prompt.length > MAX_LENGTH) throw new AppError('invalid_input', `The prompt has ${prompt.length} characters; ${MAX_LENGTH} are the most. Write the rest to a file and name that.`);
    const read = await this.#times.read(schedule);
    const now = this.#clock.now();
    const nextAt = read.next(now);
    if (nextAt === undefined) throw new AppError('invalid_input', `The schedule ${JSON.stringify(schedule)} is never due${read.isMoment ? ': that moment is over' : ''}. It is ${new Date(now).toString()} now.`);
    const stored: StoredPrompt = { id: `cron-${randomId().slice(0, 10)}`, sessionId, schedule: schedule.trim(), ...((once || read.isMoment) && { once: true }), prompt, createdAt: now, countedFrom: now };
    await this.#list.update((items) => {
      if (items.filter((item) => item.sessionId === sessionId).length >= MAX_PROMPTS) throw new AppError('conflict', `This conversation has ${MAX_PROMPTS} scheduled prompts already. Delete one first.`);
      return [...items, stored];
    });
    this.#wake();
    return promptView(stored, nextAt);
  }

  async list(sessionId?: string): Promise<readonly ScheduledPrompt[]> {
    const items = await this.#list.read();
    const scheduleOf = await this.#times.of(items);
    const views = items.filter((item) => sessionId === undefined || item.sessionId === sessionId).map((item) => promptView(item, dueAt(item, scheduleOf(item.schedule))));
    return views.sort((a, b) => (a.nextAt ?? Infinity) - (b.nextAt ?? Infinity) || a.createdAt - b.createdAt);
  }

  async remove(id: string, sessionId?: string): Promise<boolean> {
    const isMeant = (item: StoredPrompt): boolean => item.id === id && (sessionId === undefined || item.sessionId === sessionId);
    let isRemoved = false;
    await this.#list.update((items) => {
      isRemoved = items.some(isMeant);
      return isRemoved ? items.filter((item) => !isMeant(item)) : items;
    });
    this.#wake();
    return isRemoved;
  }

  async move(sessionId: string, to: string): Promise<readonly ScheduledPrompt[]> {
    if ((await this.list(sessionId)).length === 0) return [];
    let moved: readonly string[] = [];
    await this.#list.update((items) => {
      moved = items.filter((item) => item.sessionId === sessionId).map(({ id }) => id);
      return items.map((item) => (item.sessionId === sessionId ? { ...item, sessionId: to } : item));
    });
    this.#wake();
    return (await this.list(to)).filter(({ id }) => moved.includes(id));
  }

  listen(receiver: PromptReceiver): PromptListening {
    const listening = new Listening({ list: this.#list, clock: this.#clock, times: this.#times, ends: this.#ends, receiver, report: this.#report });
    this.#listeners.set(listening, receiver);
    return {
      dispose: () => {
        this.#listeners.delete(listening);
        listening.dispose();
      },
      idle: () => listening.idle(),
    };
  }

  #wake(): void {
    for (const listening of this.#listeners.keys()) void listening.look();
  }

  #tell(message: string): void {
    if (this.#listeners.size === 0) this.#report(message);
    else for (const receiver of this.#listeners.values()) receiver.report(message);
  }
}
