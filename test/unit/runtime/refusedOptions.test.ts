import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { resolveAgent } from '../../../src/runtime/api/resolveAgent.ts';
import { createRuntimeEnvironment } from '../../../src/runtime/environment.ts';
import type { RuntimeOptions } from '../../../src/runtime/domain/environment.ts';
import { createLiteAgent } from '../../../src/runtime/runtime.ts';
import { startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { customTool } from '../../support/customTool.ts';
import { ScriptedModel } from '../../support/scriptedModel.ts';

const runtime: RuntimeOptions = { cwd: '/nowhere', storageDir: '/nowhere/storage', provider: new ScriptedModel([]), model: { provider: 'scripted', model: 'm' } };
const entry = { description: 'Looks', prompt: 'Look.' };

/** Rejected as `invalid_input`, with all of these words in the one message. */
const naming = (...words: readonly string[]) => (error: unknown): boolean => {
  assert.ok(error instanceof Error && 'reason' in error && error.reason === 'invalid_input', String(error));
  for (const word of words) assert.ok(error.message.includes(word), `${word} in: ${error.message}`);
  return true;
};

/** Options as plain JavaScript may give them. */
const start = (options: object): Promise<unknown> => createLiteAgent({ ...runtime, ...options });

describe('options of the 2.x shape', () => {
  it('are refused at the top, each with its new place, all in one error', async () => {
    await assert.rejects(
      start({ allowedTools: ['Read'], disallowedTools: ['Bash'], availableSkills: [], mcpTools: [] }),
      naming('`allowedTools` is now `capabilities.allowedTools`', '`disallowedTools` is now `capabilities.disallowedTools`', '`availableSkills` is now `capabilities.skills`', '`mcpTools` is now `capabilities.connectionTools`'),
    );
  });

  it('are refused in entries, each with its new place, all in one error', async () => {
    const old = { ...entry, allowedTools: ['Read'], disallowedTools: [], availableSkills: [], mcpTools: [], customTools: [], tools: [] };
    await assert.rejects(
      start({ subAgents: { a: old, b: { ...entry, customTools: [customTool('x')] } } }),
      naming(
        '`subAgents.a.allowedTools` is now `subAgents.a.capabilities.allowedTools`',
        '`subAgents.a.disallowedTools`',
        '`subAgents.a.availableSkills` is now `subAgents.a.capabilities.skills`',
        '`subAgents.a.mcpTools` is now `subAgents.a.capabilities.connectionTools`',
        '`subAgents.a.tools`',
        '`subAgents.b.customTools` is now `subAgents.b.capabilities.customTools`',
      ),
    );
  });

  it('are refused by resolveAgent, with the arguments that it takes', () => {
    const old = resolveAgent as unknown as (...all: readonly unknown[]) => unknown;
    const environment = createRuntimeEnvironment(runtime);
    assert.throws(() => old({ cwd: '/x', customTools: [] }, { name: 'a', allowedTools: ['Read'] }), naming('resolveAgent(runtime, capabilities, def, opts?)', 'createRuntimeEnvironment', '`def.allowedTools` is now `allowedTools` of `capabilities`'));
    assert.throws(() => old(environment, {}, { name: 'a', disallowedTools: ['Bash'], availableSkills: [] }), naming('`def.disallowedTools`', '`def.availableSkills`'));
    assert.throws(() => old(environment, undefined, { name: 'a' }), naming('`capabilities`'));
    const { tools } = resolveAgent(environment, { allowedTools: ['Read'] }, { name: 'a', disallowedTools: [], source: 'user' } as { name: string });
    assert.deepEqual(tools.map(({ name }) => name), ['Read']);
  });

  it('say nothing where they are undefined', () => {
    const { tools } = resolveAgent(createRuntimeEnvironment(runtime), { allowedTools: [] }, { name: 'a', ...({ mcpTools: undefined } as object) });
    assert.deepEqual(tools, []);
  });
});

describe('options that make no sense', () => {
  const bad: Readonly<Record<string, readonly [options: object, ...words: string[]]>> = {
    'no runtime to work in': [{ cwd: undefined, provider: undefined }, '`cwd` is required', '`provider` is required'],
    'unknown capabilities': [{ capabilities: { tools: [], customTool: [] } }, '`capabilities.tools` is unknown', '`capabilities.customTool` is unknown', 'connectionTools'],
    'tools that are none': [{ customTools: [{ name: 'x' }, customTool('fine')], capabilities: { customTools: 'Read', connectionTools: [null] } }, '`customTools[0]`', 'execute', '`capabilities.customTools` must be a list', '`capabilities.connectionTools[0]`'],
    'skills and lists of the wrong type': [{ capabilities: { skills: ['style'], allowedTools: 'Read', disallowedTools: [1] } }, '`capabilities.skills[0]`', '`capabilities.allowedTools`', '`capabilities.disallowedTools`'],
    'denials that take nothing away': [{ capabilities: { disallowedTools: ['Bash(rm:*)', 'fine', 'Read, Write', 'a(b)/c', 'wiki/delete (all), now', 'Bash(*)'] }, subAgents: { a: { ...entry, capabilities: { disallowedTools: [' '] } } } }, '`capabilities.disallowedTools`: "Bash(rm:*)"', '"Read, Write"', '`subAgents.a.capabilities.disallowedTools`: " "', '`permissions`'],
    'capabilities that are none': [{ capabilities: [] }, '`capabilities` must be an object'],
    'entries that lack what they need': [{ subAgents: { a: { prompt: ' ' }, b: 'text' } }, '`subAgents.a.description` is required', '`subAgents.a.prompt` is required', '`subAgents.b`'],
    'entries with unknown or wrong fields': [{ subAgents: { a: { ...entry, maxTurns: 0, model: 3, colour: 'red', capabilities: { x: 1 } } } }, '`subAgents.a.maxTurns`', '`subAgents.a.model`', '`subAgents.a.colour` is unknown', '`subAgents.a.capabilities.x`'],
    'entries of one name but for case': [{ subAgents: { Finder: entry, finder: entry, other: entry } }, '"Finder" and "finder"'],
    'entries whose name is none': [{ subAgents: { ' ': entry, 'two\nlines': entry, ['x'.repeat(65)]: entry } }, '" "', '"two\\nlines"', 'xxx'],
    'definitions or skills in the place of folders': [{ skills: [{ name: 'x' }], agents: ['x'] }, '`skills` must be', '`capabilities.skills`', '`agents` must be', '`subAgents`'],
    'an environment in the place of variables': [{ env: { cwd: '/x', customTools: [] } }, '`env` must be variables', '`runtime`'],
    'other tools to delegate with': [{ delegationTools: ['Agent', 'Delegate'] }, '`delegationTools`', 'MultiTask'],
    'a limit of turns that is none': [{ rootMaxTurns: NaN }, '`rootMaxTurns`'],
    'prompts and servers of the wrong type': [{ prompt: 1, appendPrompt: [], mcpServers: { hub: 'npx' } }, '`prompt`', '`appendPrompt`', '`mcpServers.hub`'],
  };
  for (const [what, [options, ...words]] of Object.entries(bad)) {
    it(`are refused: ${what}`, () => assert.rejects(start(options), naming(...words)));
  }
});

describe('what is asked for one request', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  it('is checked before its turn: nothing is sent, and all that is wrong is named', async () => {
    fixture = await startAgent([]);
    const session = await fixture.agent.openSession();
    const root = { allowedTools: ['Read'], env: {}, subAgents: {}, rootMaxTurns: 0, capabilities: { tools: [] } } as object;
    await assert.rejects(session.send('hello', { root }), naming('`allowedTools` is now `capabilities.allowedTools`', '`env` belongs to `runtime`', '`subAgents` is unknown', '`rootMaxTurns`', '`capabilities.tools`'));
    assert.deepEqual(fixture.recorder.of('turn.started'), []);
  });
});
