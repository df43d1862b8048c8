// `npm run test:desktop`: the host tests in a desktop VS Code, which @vscode/test-electron downloads.
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { resultsVariable } from '../test/support/resultReporter.ts';
import { describeEvent } from '../test/support/testEvents.ts';
import { bundleHostTests } from './lib/hostTests.ts';
import { countOf, freshResults, readResults } from './lib/layer.ts';
import { buildForDevelopment } from './lib/package.ts';
import { cacheDir, projectRoot } from './lib/paths.ts';
import { temporaryFolder } from './lib/temporary.ts';
import { copyWorkspace } from './lib/workspaceCopy.ts';

await buildForDevelopment();
const extensionTestsPath = await bundleHostTests();
const results = await freshResults('desktop');
const home = await temporaryFolder('desktop');
try {
  const workspace = await copyWorkspace(join(home.path, 'workspace'));
  await runTests({
    cachePath: join(cacheDir, 'desktop'),
    extensionDevelopmentPath: projectRoot,
    extensionTestsPath,
    extensionTestsEnv: { [resultsVariable]: results },
    launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', '--user-data-dir', join(home.path, 'data')],
  });
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await home.remove();
}
const events = await readResults(results);
for (const event of events) console.log(describeEvent(event));
const { passed, failed } = countOf(events);
console.log(`${passed} passed, ${failed} failed`);
