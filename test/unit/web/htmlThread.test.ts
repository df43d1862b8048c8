import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { readHtmlApart } from '../../../src/runtime/web/htmlThread.ts';
import { readHtml } from '../../../src/runtime/web/readHtml.ts';

const PLACE = new URL('https://example.org/');
const never = new AbortController().signal;
/** Takes seconds. */
const SLOW = `<p>${'&amp;'.repeat(599_000)}</p>`;
const threads = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length;

describe('a page that is read in a thread', () => {
  it('is as it would be here', async () => {
    const html = '<title>T</title><h1>Head</h1><p>Words and <a href="/x">a link</a></p>';
    assert.deepEqual(await readHtmlApart(html, PLACE, never), readHtml(html, PLACE));
  });

  it('keeps nothing here waiting', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await readHtmlApart(`<ul>${'<li>x'.repeat(2_000)}</ul>`, PLACE, never);
    clearImmediate(next);
    assert.ok(turns > 10, `${turns} turns`);
  });

  it('is given up by an abort in the middle, and its thread makes room for the next', async () => {
    const stop = new AbortController();
    const reading = readHtmlApart(SLOW, PLACE, stop.signal);
    const waiting = readHtmlApart('<p>next', PLACE, never);
    setImmediate(() => stop.abort());
    await assert.rejects(reading, isAbort);
    assert.equal((await waiting).markdown, 'next');
  });

  it('is given up by an abort while another page is read', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const reading = readHtmlApart(SLOW, PLACE, first.signal);
    const waiting = readHtmlApart('<p>next', PLACE, second.signal);
    second.abort();
    await assert.rejects(waiting, isAbort);
    first.abort();
    await assert.rejects(reading, isAbort);
  });

  it('gives its bare text where it takes too much memory', async () => {
    // Less than what reads it takes, so that it is memory that ends it and never time.
    const { markdown } = await readHtmlApart(`<title>T</title><p>word<p>last`, PLACE, never, 6);
    assert.match(markdown, /too much memory[^]*word\n+last$/);
  });

  it('leaves no thread', async () => {
    const before = threads();
    const reading = readHtmlApart('<p>x', PLACE, never);
    await new Promise((resolve) => setImmediate(resolve));
    const during = threads();
    await reading;
    assert.deepEqual([during, threads()], [before + 1, before]);
  });
});
