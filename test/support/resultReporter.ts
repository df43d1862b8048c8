import { appendFileSync } from 'node:fs';
import { describeEvent, type TestEvent } from './testEvents.ts';

/** Name of the variable with the path of the results file. */
export const resultsVariable = 'SUBAGENT_PANEL_TEST_RESULTS';

/** Mocha reporter that prints each test as it ends and appends it to the results file. */
export class ResultReporter {
  constructor(runner: Mocha.Runner) {
    runner.on('pass', (test) => tell({ event: 'pass', title: titleOf(test), durationMs: test.duration ?? 0, ...fileOf(test) }));
    runner.on('fail', (test, error: unknown) => tell({ event: 'fail', title: titleOf(test), error: textOf(error), ...fileOf(test) }));
    runner.on('pending', (test) => tell({ event: 'pending', title: titleOf(test) }));
    runner.once('end', () => tell({ event: 'end' }));
  }
}

/** Appends an event to the results file, and prints it. */
export function tell(event: TestEvent): void {
  const file = process.env[resultsVariable];
  if (file) appendFileSync(file, `${JSON.stringify(event)}\n`);
  const text = describeEvent(event);
  if (text !== '') console.log(text);
}

/** An error with its stack, and the difference between what was and what should be. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nCaused by: ${textOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function fileOf(test: Mocha.Runnable): { readonly file?: string } {
  return test.file === undefined ? {} : { file: test.file };
}

function titleOf(test: Mocha.Runnable): string {
  return test.titlePath().join(' › ');
}

// Mocha loads reporters with require() and takes what that gives.
export { ResultReporter as 'module.exports' };
