import { createContext, Script, type Context } from 'node:vm';
import { AppError, systemCode } from './errors.ts';

interface Watched {
  readonly context: Context;
  readonly script: Script;
}

let watched: Watched | undefined;

/**
 * Runs code that may take for ever because of what it is given, such as a regular expression of others, and ends it
 * after so many milliseconds (default a second), wherever it is. What it has changed by then stays as it is.
 * @returns what the code returns. Throws what it throws, or `timeout`.
 */
export function withinTimeLimit<T>(work: () => T, limitMs = 1_000): T {
  // Only code that is run in a context can be interrupted, and with it all that it calls.
  watched ??= { context: createContext({}), script: new Script('work()') };
  const { context, script } = watched;
  const outer: unknown = context['work'];
  context['work'] = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as T;
  } catch (error) {
    if (systemCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new AppError('timeout', `it takes longer than ${limitMs / 1_000} s`);
    throw error;
  } finally {
    context['work'] = outer;
  }
}
