import { stripVTControlCharacters } from 'node:util';
import type { Disposable } from '../base/lifecycle.ts';

/** Milliseconds between two reports. */
const INTERVAL = 100;
/** Characters of one report; of more, the last ones. */
const MAX_REPORT = 8000;

export interface Progress extends Disposable {
  add(text: string): void;
}

/** Gathers output into a few reports a second, so that a command that prints without end doesn't flood those who watch. Disposing reports the rest. */
export function createProgress(report: (text: string) => void): Progress {
  let pending = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = stripVTControlCharacters(pending).toWellFormed();
    pending = '';
    if (text !== '') report(text);
  };
  return {
    add(text) {
      pending = `${pending}${text}`.slice(-MAX_REPORT);
      if (pending !== '') timer ??= setTimeout(flush, INTERVAL);
    },
    dispose: flush,
  };
}
