import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { liveOptions } from '../../../src/host/agentOptions.ts';
import { readSettings } from '../../../src/host/settingsValues.ts';
import type { WindowFacts } from '../../../src/host/windowFacts.ts';
import type { LiveOptions } from '../../../src/runtime/domain/liteAgent.ts';
import { startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';

const DEFINITION = '---\nname: helper\ndescription: Helps.\n---\nHelp.\n';

describe('a window that becomes trusted', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** What the host sets for the window, on the test's model. */
  function optionsFor(facts: Partial<WindowFacts>): Partial<LiveOptions> {
    const { cwd, model } = fixture;
    const { settings } = readSettings((key) => (key === 'permissions.allow' ? { globalValue: ['Bash', 'Edit', 'Write'] } : undefined));
    const folder = { cwd, roots: [cwd], storageDir: join(cwd, '../s'), extensionDir: join(cwd, '../e'), homeDir: join(cwd, '../h'), isTrusted: true, isVirtual: false };
    const { agents, shell, permissions } = liveOptions(settings, { ...folder, ...facts }, { provider: model, providerFor: () => undefined, saveRule: async () => undefined, mcpFiles: [], subAgents: {}, web: () => ({ webFetch: undefined, webSearch: undefined }) });
    return { ...(agents !== undefined && { agents }), ...(shell !== undefined && { shell }), ...(permissions && { permissions }) };
  }

  async function start(): Promise<readonly (readonly { readonly text: string; readonly isError: boolean }[])[]> {
    const results: (readonly { readonly text: string; readonly isError: boolean }[])[] = [];
    const calls = [{ name: 'Bash', input: { command: 'touch by-shell' } }, { name: 'Write', input: { file_path: 'by-write', content: 'x' } }];
    fixture = await startAgent((request) => {
      const done = toolResults(request);
      if (done.length === 0) return { calls };
      results.push(done);
      return { text: 'done' };
    }, { workspace: { '.lite-agent/agents/helper.md': DEFINITION } });
    return results;
  }

  const names = (): readonly string[] => fixture.agent.definitions.list().map(({ name }) => name);
  const made = (): readonly boolean[] => ['by-shell', 'by-write'].map((name) => existsSync(join(fixture.cwd, name)));

  it('has had nothing of the project, no shell and no writes, and has them all from the next turn on', async () => {
    const results = await start();
    const { agent, recorder } = fixture;
    agent.configure(optionsFor({ isTrusted: false }));
    await agent.definitions.reload();
    const session = await agent.openSession();
    await session.send('one');
    assert.ok(!names().includes('helper'));
    assert.deepEqual(made(), [false, false]);
    assert.match(results[0]?.[0]?.text ?? '', /no tool named Bash/);
    assert.match(results[0]?.[1]?.text ?? '', /^Denied by the rule Edit of the workspace settings/);

    agent.configure(optionsFor({ isTrusted: true }));
    await recorder.until('definitions.reloaded', (event) => event.names.includes('helper'));
    await session.send('two');
    assert.ok(names().includes('helper'));
    assert.deepEqual(results[1]?.map(({ isError }) => isError), [false, false]);
    assert.deepEqual(made(), [true, true]);
  });

  it('but is virtual still has no shell, and none of what lies on this disk under its path', async () => {
    const results = await start();
    fixture.agent.configure(optionsFor({ isVirtual: true }));
    await fixture.agent.definitions.reload();
    await (await fixture.agent.openSession()).send('one');
    assert.ok(!names().includes('helper'));
    assert.match(results[0]?.[0]?.text ?? '', /no tool named Bash/);
  });
});
