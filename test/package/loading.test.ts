import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { installedPackage, runProgram, type InstalledPackage } from '../support/installedPackage.ts';
import { runNoted } from '../support/loadedPackages.ts';
import { startModelServer, type ModelServer } from '../support/modelServer.ts';

/** Asks a vendor's client at an address, both given by variables, and prints how that ended. */
const ASK = `
import { createAnthropicProvider, createOpenAiProvider, createRuntimeEnvironment, query } from 'subagent-panel/runtime';
const { VENDOR: vendor, ADDRESS: baseUrl } = process.env;
const create = vendor === 'anthropic' ? createAnthropicProvider : createOpenAiProvider;
const runtime = createRuntimeEnvironment({
  cwd: process.cwd(),
  storageDir: process.cwd() + '/storage',
  provider: create({ baseUrl, apiKey: async () => 'key' }),
  model: { provider: vendor, model: 'm', baseUrl },
});
console.log(JSON.stringify(await query({ runtime, prompt: 'Hello' }).result));
`;

describe('what the packed library loads', () => {
  let installed: InstalledPackage;
  let server: ModelServer;
  before(async () => {
    installed = await installedPackage();
    await writeFile(join(installed.folder, 'ask.ts'), ASK);
    server = await startModelServer(() => ({ content: 'Hello to you.' }));
  });
  after(async () => server.stop());

  it('is nothing of third parties when it is imported but what matches globs', async () => {
    const { code, output, packages } = await runNoted(installed, ['--input-type=module', '--eval', "import 'subagent-panel/runtime';"]);
    assert.equal(code, 0, output);
    assert.deepEqual(packages, ['picomatch']);
  });

  it('is the same for a program in CommonJS', async () => {
    const { output } = await runProgram(installed, ['--input-type=commonjs', '--eval', "import('subagent-panel/runtime').then(({ Agent }) => console.log(require('subagent-panel/runtime').Agent === Agent))"]);
    assert.equal(output, 'true\n');
  });

  for (const [vendor, path, client, other] of [['anthropic', '', '@anthropic-ai/sdk', 'openai'], ['openai', '/v1', 'openai', '@anthropic-ai/sdk']] as const) {
    it(`is the client of ${vendor} with the first request to it, and it works`, async () => {
      const { code, output, packages } = await runNoted(installed, ['ask.ts'], { VENDOR: vendor, ADDRESS: `${server.url}${path}` });
      assert.equal(code, 0, output);
      assert.deepEqual(JSON.parse(output), { status: 'completed', text: 'Hello to you.' });
      assert.ok(packages.includes(client) && !packages.includes(other), packages.join());
    });
  }

  it('is the ripgrep of the optional package, where the project has it', async () => {
    const { output } = await runProgram(installed, ['--eval', "import('subagent-panel/runtime').then(async ({ findRipgrep }) => console.log(await findRipgrep()))"]);
    assert.match(output, /ripgrep[^\n]*[/\\]rg(?:\.exe)?\n$/u);
  });
});
