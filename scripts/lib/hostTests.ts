import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { resultsVariable } from '../../test/support/resultReporter.ts';
import { describeEvent } from '../../test/support/testEvents.ts';
import { launchBrowser, viewport } from './browser.ts';
import { countOf, filesOf, freshResults, readResults, type Count } from './layer.ts';
import { buildForDevelopment } from './package.ts';
import { outDir, projectRoot } from './paths.ts';
import { temporaryFolder } from './temporary.ts';
import { startServer } from './vscode.ts';
import { waitFor } from './wait.ts';
import { copyWorkspace } from './workspaceCopy.ts';

const limitMs = 300_000;
const bundle = join(outDir, 'test', 'host.js');

/** Bundles all host tests into one module that exports `run()`, as VS Code wants it. Mocha stays outside. */
export async function bundleHostTests(): Promise<string> {
  const imports = (await filesOf(['test/host/*.test.ts'])).map((file) => `await import('./${basename(file)}');`);
  await build({
    stdin: {
      contents: `import { runTests } from './index.ts';\nexport const run = () => runTests(async () => { ${imports.join(' ')} });`,
      resolveDir: join(projectRoot, 'test', 'host'),
      sourcefile: 'entry.ts',
      loader: 'ts',
    },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    // As in the product's own bundle.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return bundle;
}

/** Runs the host tests in the extension host of a fresh VS Code, printing each as it ends. */
export async function runHostTests(): Promise<Count> {
  await buildForDevelopment();
  const tests = await bundleHostTests();
  const results = await freshResults('host');
  const home = await temporaryFolder('host');
  const dataDir = join(home.path, 'data');
  // Other extensions beside ours: one offers language models, one delegates. The address can name only one as under development.
  for (const [folder, id] of [['lmExtension', 'scripted-models'], ['delegatingExtension', 'delegating-agent']] as const) {
    await cp(join(projectRoot, 'test', 'fixtures', folder), join(dataDir, 'extensions', `fixture.${id}-1.0.0`), { recursive: true });
  }
  const server = await startServer({ dataDir, smokeTestDriver: true, env: { [resultsVariable]: results } });
  const browser = await launchBrowser();
  const said: string[] = [];
  try {
    const workspace = await copyWorkspace(join(home.path, 'workspace'));
    const page = await browser.newPage({ viewport });
    page.on('console', (message) => said.push(message.text()));
    const remote = (path: string): string => `vscode-remote://127.0.0.1:${server.port}${path}`;
    await page.goto(server.url(workspace, [
      ['extensionDevelopmentPath', remote(projectRoot)],
      ['extensionTestsPath', remote(tests)],
      ['skipWelcome', 'true'],
    ]));
    let printed = 0;
    const events = await waitFor('the end of the host tests', limitMs, async () => {
      const all = await readResults(results);
      for (const event of all.slice(printed)) console.log(describeEvent(event));
      printed = all.length;
      return all.some(({ event }) => event === 'end') ? all : undefined;
    });
    return countOf(events);
  } catch (error) {
    console.log(`host: ${(error as Error).message}\nThe end of the window's console:\n${said.slice(-60).join('\n')}`);
    const count = countOf(await readResults(results));
    return { ...count, failed: count.failed + 1 };
  } finally {
    await browser.close();
    await server.stop();
    await home.remove();
  }
}
