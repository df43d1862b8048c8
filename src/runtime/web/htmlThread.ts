import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { abortable, abortError, onAbort, throwIfAborted } from '../base/abort.ts';
import { Serial } from '../base/async.ts';
import { AppError } from '../base/errors.ts';
import type { HtmlText } from './readHtml.ts';

/** What a thread does: reads a page, or where that failed for the reason that is named, gives its bare text. */
export interface HtmlJob {
  readonly html: string;
  readonly url: string;
  readonly trouble?: string;
}

/** Beside this file and with the same ending: as source, and in what is built of it. */
const THREAD = join(import.meta.dirname, `htmlWorker${extname(import.meta.filename)}`);
/** Megabytes for one page. The longest pages that people make take a third. */
const MEMORY = 256;

/** One page at a time, so that many at once don't take as much memory each. */
const turns = new Serial();

/**
 * As `readHtml`, in a thread that is there for this page alone: nothing here waits for it, it may take so many megabytes,
 * and an abort ends it, wherever it is. A page that takes more gives its bare text. Rejects with the abort error, and
 * with `unavailable` where not even that can be had.
 */
export function readHtmlApart(html: string, url: URL, signal: AbortSignal, memoryMb = MEMORY): Promise<HtmlText> {
  const job: HtmlJob = { html, url: url.href };
  return abortable(turns.run(async () => {
    try {
      return await inThread(job, memoryMb, signal);
    } catch {
      throwIfAborted(signal);
    }
    try {
      return await inThread({ ...job, trouble: 'it takes too much memory' }, MEMORY, signal);
    } catch (error) {
      throwIfAborted(signal);
      throw new AppError('unavailable', `The page at ${url.href} is made in a way that can't be read here. Try another source.`, { cause: error });
    }
  }), signal);
}

/** Ends with its thread. */
async function inThread(job: HtmlJob, memoryMb: number, signal: AbortSignal): Promise<HtmlText> {
  throwIfAborted(signal);
  // Nothing of this process is its business, neither variables nor flags.
  const thread = new Worker(THREAD, { workerData: job, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 8 } });
  const { promise, resolve, reject } = Promise.withResolvers<HtmlText>();
  thread.once('message', resolve);
  // It stays, since a thread that is ended may still fail.
  thread.on('error', reject);
  thread.once('exit', () => reject(abortError()));
  const listening = onAbort(signal, () => void thread.terminate());
  try {
    return await promise;
  } finally {
    listening.dispose();
    await thread.terminate();
  }
}
