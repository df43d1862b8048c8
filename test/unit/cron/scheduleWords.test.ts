import assert from 'node:assert/strict';
import { scheduleWords } from '../../../src/runtime/cron/scheduleWords.ts';

describe('a schedule in words', () => {
  const told = {
    '* * * * *': 'every minute',
    '*/2 * * * *': 'every 2 minutes',
    ' */15  * * * 1-5 ': 'every 15 minutes from Monday to Friday',
    '5 * * * *': 'every hour at minute 5',
    '0 */6 * * *': 'every 6 hours at minute 0',
    '0 9 * * *': 'every day at 09:00',
    '30 9,17 * * *': 'every day at 09:30 and 17:30',
    '0 9 * * 1-5': 'at 09:00 from Monday to Friday',
    '0 9 * * mon-FRI': 'at 09:00 from Monday to Friday',
    '0 9 * * 0,3,5': 'at 09:00 on each Sunday, Wednesday and Friday',
    '0 9 * * 7': 'at 09:00 on each Sunday',
    '0 9 * * 5-7': 'at 09:00 from Friday to Sunday',
    '0 8 1,15 * *': 'at 08:00 on day 1 and 15 of each month',
  };
  for (const [expression, words] of Object.entries(told)) it(`tells ${JSON.stringify(expression)}`, () => assert.equal(scheduleWords(expression), words));

  // Every one of these is due at other times than the nearest simple words say.
  const untold = ['*/7 * * * *', '*/2 9 * * *', '0-30 * * * *', '0 */5 * * *', '0 9 1 * 1', '0 9 * 6 *', '0 9 L * *', '0 9 * * 1#2', '0 9 * * 5-1', '0 9 * * 0-7', '0 9 * * 1-3,5', '60 9 * * *', '0 24 * * *', '0 9 * * 8', '*/0 * * * *', '2030-01-31T09:00', '', '0 0 9 * * 1'];
  for (const expression of untold) it(`has no words for ${JSON.stringify(expression)}`, () => assert.equal(scheduleWords(expression), undefined));
});
