import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { exec } from '../../scripts/lib/exec.ts';
import { projectRoot } from '../../scripts/lib/paths.ts';
import { installedPackage, runProgram, type InstalledPackage } from '../support/installedPackage.ts';
import { response, WebServer } from '../support/webServer.ts';

/** Fetches a page by `create`, which stands before it, and prints it as Markdown. Ends by itself, so that no thread is left. */
const FETCH = `
const fetchPage = create({ allowPrivate: ['127.0.0.1'] });
const print = ({ page }) => console.log(JSON.stringify([page.title, page.text]));
fetchPage(process.env.ADDRESS, new AbortController().signal).then(print);
`;
const EXPECTED = ['T', '# Head\n\n[words](https://example.org/x)'];

describe('pages of HTML, which a thread reads', () => {
  let installed: InstalledPackage;
  let server: WebServer;
  before(async () => {
    // Builds both.
    installed = await installedPackage();
    server = await WebServer.start();
    server.pages({ '/': response({ headers: { 'content-type': 'text/html' }, body: '<title>T</title><h1>Head</h1><a href="https://example.org/x">words</a>' }) });
  });
  after(() => server.stop());

  for (const kind of ['module', 'commonjs']) {
    it(`are fetched by the packed library: ${kind}`, async () => {
      const program = `import('subagent-panel/runtime').then(({ createWebFetch: create }) => {${FETCH}});`;
      const { output } = await runProgram(installed, [`--input-type=${kind}`, '--eval', program], { ADDRESS: server.url });
      assert.deepEqual(JSON.parse(output), EXPECTED);
    });
  }

  it('are fetched by the bundled extension', async () => {
    const bundle = join(projectRoot, 'dist', 'vendor', 'runtime-web-fetchPage.js');
    const { output } = await exec(process.execPath, ['--eval', `const { pageFetcher: create } = require(${JSON.stringify(bundle)});${FETCH}`], { env: { ...process.env, ADDRESS: server.url }, timeoutMs: 60_000 });
    assert.deepEqual(JSON.parse(output), EXPECTED);
  });
});
