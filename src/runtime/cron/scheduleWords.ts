const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/**
 * A cron expression for people, such as `every 2 minutes` or `at 09:00 from Monday to Friday`. Nothing for one that a
 * few words don't say exactly: a person who decides must not read anything else than what is meant.
 */
export function scheduleWords(expression: string): string | undefined {
  const [minute = '', hour = '', dayOfMonth = '', month = '', weekday = '', ...more] = expression.trim().split(/\s+/);
  if (more.length > 0 || month !== '*') return undefined;
  const days = dayWords(dayOfMonth, weekday);
  const often = intervalWords(minute, hour);
  if (often !== undefined) return days === undefined ? undefined : [often, days].filter((part) => part !== '').join(' ');
  const times = timeWords(minute, hour);
  if (times === undefined || days === undefined) return undefined;
  return days === '' ? `every day at ${times}` : `at ${times} ${days}`;
}

/** Where the hours go on all day. A step that doesn't divide its range begins anew with each, and is no interval. */
function intervalWords(minute: string, hour: string): string | undefined {
  if (hour === '*') {
    const step = stepOf(minute, 60);
    if (step !== undefined) return step === 1 ? 'every minute' : `every ${step} minutes`;
  }
  const step = stepOf(hour, 24);
  const at = numberOf(minute, 59);
  if (step === undefined || at === undefined) return undefined;
  return `${step === 1 ? 'every hour' : `every ${step} hours`} at minute ${at}`;
}

function stepOf(field: string, range: number): number | undefined {
  if (field === '*') return 1;
  const step = numberOf(/^\*\/(\d+)$/.exec(field)?.[1] ?? '', range - 1);
  return step !== undefined && step > 0 && range % step === 0 ? step : undefined;
}

function timeWords(minute: string, hour: string): string | undefined {
  const at = numberOf(minute, 59);
  const hours = whole(hour.split(',').map((each) => numberOf(each, 23)));
  if (at === undefined || hours === undefined) return undefined;
  return listed(hours.map((each) => `${two(each)}:${two(at)}`));
}

/** Empty for every day. Days of the month and of the week together are a matter of who reads them. */
function dayWords(dayOfMonth: string, weekday: string): string | undefined {
  if (dayOfMonth === '*') return weekday === '*' ? '' : weekdayWords(weekday);
  if (weekday !== '*') return undefined;
  const days = whole(dayOfMonth.split(',').map((each) => numberOf(each, 31)));
  return days ? `on day ${listed(days.map(String))} of each month` : undefined;
}

function weekdayWords(field: string): string | undefined {
  const [first, last, ...more] = field.split('-').map(dayOf);
  if (more.length === 0 && first !== undefined && last !== undefined) return first < last && last - first < 6 ? `from ${DAYS[first]} to ${DAYS[last]}` : undefined;
  const days = whole(field.split(',').map(dayOf));
  return days && `on each ${listed(days.map((day) => DAYS[day] ?? ''))}`;
}

function dayOf(text: string): number | undefined {
  const named = DAY_NAMES.indexOf(text.toLowerCase());
  return named >= 0 ? named : numberOf(text, 7);
}

function numberOf(text: string, most: number): number | undefined {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Infinity;
  return value <= most ? value : undefined;
}

/** The list where nothing is missing in it. */
function whole(values: readonly (number | undefined)[]): readonly number[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
