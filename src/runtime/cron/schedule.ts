import { AppError, errorText } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const FORMS = 'Write five fields, minute hour day month weekday, such as `0 9 * * 1-5`, or one moment, such as `2030-01-31T09:00`';

/** When something is due. */
export interface Schedule {
  /** Due at one moment, and never again. */
  readonly isMoment: boolean;
  /** The first time after that one, both in milliseconds since the epoch; nothing where none follows. */
  next(after: number): number | undefined;
}

/** Reads a schedule. Throws `invalid_input` for what is none. */
export type ReadSchedule = (text: string) => Schedule;

/**
 * Loads what reads schedules.
 * @param timeZone an IANA name; default that of this computer
 */
export async function loadSchedules(timeZone?: string): Promise<ReadSchedule> {
  const { Cron } = await import('croner');
  return (text) => {
    const schedule = text.trim();
    const isMoment = isMomentLike(schedule);
    if (!isMoment && schedule.split(/\s+/).length !== 5) throw unreadable(text, 'it has not five fields');
    try {
      // What is given no function starts no timer.
      const cron = new Cron(schedule, { mode: '5-part', ...(timeZone !== undefined && { timezone: timeZone }) });
      return { isMoment, next: (after) => cron.nextRun(new Date(after))?.getTime() };
    } catch (error) {
      throw unreadable(text, errorText(error));
    }
  };
}

/** Throws `invalid_input` for a moment that no calendar has: others would count on into the next month. */
function isMomentLike(text: string): boolean {
  const [, year, month, day, hour, minute, second = '0'] = MOMENT.exec(text) ?? [];
  if (year === undefined) return false;
  const parts = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const;
  const date = new Date(Date.UTC(...parts));
  const isReal = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].every((part, index) => part === parts[index]);
  if (!isReal) throw unreadable(text, 'there is no such moment');
  return true;
}

function unreadable(text: string, why: string): AppError {
  return new AppError('invalid_input', `The schedule ${JSON.stringify(truncate(oneLine(text), 80))} can't be read: ${truncate(oneLine(why), 200)}. ${FORMS}. Once a minute is the most.`);
}
