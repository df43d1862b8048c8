import assert from 'node:assert/strict';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import { filesOf } from '../../scripts/lib/layer.ts';
import { projectRoot } from '../../scripts/lib/paths.ts';
import { installedPackage, type InstalledPackage } from '../support/installedPackage.ts';
import { runNoted } from '../support/loadedPackages.ts';
import { processesIn } from '../support/processes.ts';

const DEMO = /^This is a demo: .*not an AI\.$/mu;

describe('the examples, in a project that installed the packed library', () => {
  let installed: InstalledPackage;
  before(async () => {
    installed = await installedPackage();
    for (const file of await filesOf(['examples/*.ts'])) await cp(join(projectRoot, file), join(installed.folder, file));
  });

  afterEach('nothing is left running, and no folder', async () => {
    assert.deepEqual(processesIn(installed.folder), []);
    assert.deepEqual((await readdir(installed.temporary)).filter((name) => /^(?:one-shot|long-lived|entries)-/u.test(name)), []);
  });

  it('are short', async () => {
    const files = await filesOf(['examples/*.ts']);
    assert.deepEqual(files.map((file) => file.split(/[/\\]/u).at(-1)), ['entriesWithServers.ts', 'longLivedAgent.ts', 'oneShotQuery.ts']);
    for (const file of files) {
      const lines = (await readFile(join(projectRoot, file), 'utf8')).split('\n').length;
      assert.ok(lines < 60, `${file}: ${lines} lines`);
    }
  });

  it('ask once, and load no model client, no MCP client and no shell grammar for it', async () => {
    const { code, output, packages } = await runNoted(installed, ['examples/oneShotQuery.ts']);
    assert.equal(code, 0, output);
    assert.match(output, DEMO);
    assert.match(output, /started: .+, .+\n[^]*: Reading (?:\.[/\\])?package\.json\n[^]*settled: agent-explore-\w+ completed\n[^]*\ncompleted:\nAll results are in: 2 subagents completed\./u);
    for (const name of ['@anthropic-ai/sdk', 'openai', '@modelcontextprotocol/client', 'zod', '@vscode/tree-sitter-wasm']) assert.ok(!packages.includes(name), name);
  });

  it('keep an agent for a conversation with a group beside it, and deny what no rule allows', async () => {
    const { code, output, packages } = await runNoted(installed, ['examples/longLivedAgent.ts']);
    assert.equal(code, 0, output);
    assert.match(output, DEMO);
    const [answer, settled] = [output.indexOf('answer: Started **Run echo from one**'), output.indexOf('group: completed')];
    assert.ok(answer > 0 && answer < settled, output);
    assert.match(output, /^deny: .*touch from-two\.txt/mu);
    assert.match(output, /Run echo from one: completed, 1 calls, 0 denied\nRun touch from-two\.txt: completed, 1 calls, 1 denied\n[^]*closed\n$/u);
    assert.ok(packages.includes('@vscode/tree-sitter-wasm'), 'its commands were read by the grammar');
  });

  it('give one entry an MCP server and another a tool, and end the server', async () => {
    const { code, output, packages } = await runNoted(installed, ['examples/entriesWithServers.ts']);
    assert.equal(code, 0, output);
    assert.match(output, DEMO);
    assert.match(output, /^server: ready with \d+ tools$/mu);
    assert.match(output, /^allowed once: mcp__everything__echo /mu);
    assert.doesNotMatch(output, /allowed once: CountWords/u);
    assert.match(output, /Called: `mcp__everything__echo`\n[^]*?Echo: hello/u);
    assert.match(output, /Called: `CountWords`\n[^]*?3 words/u);
    assert.ok(packages.includes('@modelcontextprotocol/client'));
    for (const name of ['@anthropic-ai/sdk', 'openai']) assert.ok(!packages.includes(name), name);
  });
});
