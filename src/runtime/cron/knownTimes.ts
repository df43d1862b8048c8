import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { loadSchedules, type ReadSchedule, type Schedule } from './schedule.ts';
import type { StoredPrompt } from './storedPrompt.ts';

/** Milliseconds of counting, after which others have their turn: for an expression that is never due it takes several. */
const SLICE_MS = 10;
/** Spans that are kept of one schedule: its prompts may be counted from different moments. */
const MAX_SPANS = 4;

/** Nothing for a text that is no schedule. */
export type ScheduleOf = (text: string) => Schedule | undefined;

/** The schedules of prompts, which keep in mind what was counted. */
export class KnownTimes {
  readonly #timeZone: string | undefined;
  #loading: Promise<ReadSchedule> | undefined;
  #schedules: ReadonlyMap<string, Schedule | undefined> = new Map();

  /** @param timeZone an IANA name; default that of this computer */
  constructor(timeZone: string | undefined) {
    this.#timeZone = timeZone;
  }

  /** Throws `invalid_input` for what is no schedule. */
  async read(text: string): Promise<Schedule> {
    return (await this.#reader())(text);
  }

  /** The schedules of these prompts, whose next times are counted by then. Others are forgotten. Lets others have their turn meanwhile. */
  async of(prompts: readonly StoredPrompt[]): Promise<ScheduleOf> {
    const read = await this.#reader();
    const schedules = new Map<string, Schedule | undefined>();
    let began = performance.now();
    for (const { schedule: text, countedFrom } of prompts) {
      const known = schedules.has(text) ? schedules.get(text) : this.#schedules.has(text) ? this.#schedules.get(text) : remembering(read, text);
      schedules.set(text, known);
      known?.next(countedFrom);
      if (performance.now() - began < SLICE_MS) continue;
      await yieldToOthers();
      began = performance.now();
    }
    this.#schedules = schedules;
    return (text) => {
      if (!schedules.has(text)) schedules.set(text, remembering(read, text));
      return schedules.get(text);
    };
  }

  #reader(): Promise<ReadSchedule> {
    return (this.#loading ??= loadSchedules(this.#timeZone));
  }
}

function remembering(read: ReadSchedule, text: string): Schedule | undefined {
  try {
    return rememberingTimes(read(text));
  } catch {
    // Somebody edited the file. It shows in the list as one that is never sent, and can be deleted.
    return undefined;
  }
}

/** The same schedule. What follows on one moment follows on all between that and its next time. */
export function rememberingTimes(schedule: Schedule): Schedule {
  let spans: readonly { readonly from: number; readonly next: number | undefined }[] = [];
  return {
    isMoment: schedule.isMoment,
    next(after) {
      const known = spans.find(({ from, next }) => from <= after && after < (next ?? Infinity));
      if (known) return known.next;
      const next = schedule.next(after);
      spans = [{ from: after, next }, ...spans].slice(0, MAX_SPANS);
      return next;
    },
  };
}
