/** The thread that reads one page: started with an `HtmlJob`, it sends an `HtmlText`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { HtmlJob } from './htmlThread.ts';
import { bareText, readHtml } from './readHtml.ts';

const { html, url, trouble } = workerData as HtmlJob;
parentPort?.postMessage(trouble === undefined ? readHtml(html, new URL(url)) : bareText(html, trouble));
