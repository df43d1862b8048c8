import assert from 'node:assert/strict';
import type { DefinitionSource } from '../../../src/runtime/domain/definitions.ts';
import { parseDefinition, type ParsedDefinition, type ParseOptions } from '../../../src/runtime/definitions/parse.ts';

const read = (source: DefinitionSource, lines: readonly string[], options: ParseOptions = {}): Promise<ParsedDefinition> =>
  parseDefinition({ path: '/agents/x.md', text: ['---', 'description: Does things', ...lines, '---', 'Prompt.', ''].join('\n'), source }, options);
const claude = (...lines: string[]): Promise<ParsedDefinition> => read('claude_project', lines);
const copilot = (...lines: string[]): Promise<ParsedDefinition> => read('github_project', lines);
const found = ({ diagnostics }: ParsedDefinition): string[] => diagnostics.map(({ severity, code, line }) => `${severity}:${code}:${line}`);

describe('definitions: fields of other products', () => {
  it('become ours where they mean the same, and say so at their place', async () => {
    const parsed = await claude('allowed-tools: Read, Grep', 'disallowed-tools: Grep', 'max_turns: 3', 'timeout_mins: 5');
    assert.deepEqual(parsed.definition?.tools, ['Read', 'Grep']);
    assert.deepEqual(parsed.definition.disallowedTools, ['Grep']);
    assert.equal(parsed.definition.maxTurns, 3);
    assert.equal(parsed.definition.maxDurationMs, 300_000);
    assert.deepEqual(found(parsed), [3, 4, 5, 6].map((line) => `information:mapped:${line}`));
    assert.equal((await claude('readonly: true')).definition?.readOnly, true);
    for (const name of ['steps', 'maxSteps']) assert.equal((await claude(`${name}: 4`)).definition?.maxTurns, 4);
  });

  it('are refused when they say a second time what our own say', async () => {
    const parsed = await claude('tools: Read', 'allowed-tools: Read, Bash');
    assert.equal(parsed.definition, undefined);
    assert.ok(found(parsed).includes('error:twice:4'));
  });

  it('hide what only a person may start', async () => {
    for (const line of ['infer: false', 'mode: primary', 'disable-model-invocation: true']) assert.equal((await copilot(line)).definition?.delegable, false, line);
    for (const line of ['infer: true', 'mode: subagent', 'mode: all', 'disable-model-invocation: false']) assert.equal((await copilot(line)).definition?.delegable, true, line);
    assert.equal((await copilot('disable-model-invocation: false', 'infer: false')).definition?.delegable, false);
  });

  const harmless = ['argument-hint: What?', 'handoffs: [{label: Go, agent: x}]', 'agents: ["*"]', 'target: vscode', 'metadata: {a: b}', 'user-invocable: false', 'user-invokable: false', 'hidden: true',
    'memory: project', 'background: true', 'is_background: true', 'initialPrompt: Go', 'omitClaudeMd: true', 'experimental: {cacheTtl: 1h}', 'temperature: 0.2', 'top_p: 1', 'kind: local', 'disable: false',
    'permissionMode: default', 'permissionMode: manual', 'permissionMode: acceptEdits', 'permissionMode: auto', 'permissionMode: bypassPermissions', 'hooks:', 'hooks: {PostToolUse: [{matcher: Edit}]}'];
  for (const line of harmless) {
    it(`are left out with a word where they take nothing away: \`${line}\``, async () => {
      const parsed = await claude(line);
      assert.ok(parsed.definition);
      assert.deepEqual(found(parsed), ['information:ignored:3']);
    });
  }

  const restricting = ['permissionMode: plan', 'permissionMode: dontAsk', 'permissionMode: [default]', 'hooks: {PreToolUse: [{matcher: Bash}]}', 'hooks: {pretooluse: []}', 'hooks: {PermissionRequest: []}', 'hooks: ./hooks.json',
    'kind: remote', 'disable: true', 'disabled: true', 'isolation: remote', 'permission: {edit: deny}', 'tools: {write: false}'];
  for (const line of restricting) {
    it(`keep the file from loading where leaving them out would widen rights: \`${line}\``, async () => {
      const parsed = await claude(line);
      assert.equal(parsed.definition, undefined);
      assert.deepEqual(found(parsed).filter((entry) => entry.startsWith('error')).length, 1);
      assert.equal(parsed.diagnostics[0]?.line, 3);
    });
  }

  it('have levels of effort above ours', async () => {
    for (const level of ['xhigh', 'max']) {
      const parsed = await claude(`effort: ${level}`);
      assert.equal(parsed.definition?.effort, 'high');
      assert.deepEqual(found(parsed), ['information:mapped:3']);
    }
  });
});

describe('definitions: tools of other products', () => {
  it('stand for several of ours in Copilot\'s files, for one elsewhere', async () => {
    const line = 'tools: [edit, search]';
    assert.deepEqual((await copilot(line)).definition?.tools, ['Write', 'Edit', 'Glob', 'Grep']);
    assert.deepEqual((await claude(line)).definition?.tools, ['Edit', 'Grep']);
    assert.deepEqual((await read('project', [line])).definition?.tools, ['Edit', 'Grep']);
  });

  it('may be named by their set', async () => {
    const parsed = await copilot('tools: ["read/readFile", "execute/runInTerminal", "edit/editFiles", "search/*", "web/fetch"]');
    assert.deepEqual(parsed.definition?.tools, ['Read', 'Bash', 'Edit', 'Glob', 'Grep', 'WebFetch']);
    assert.deepEqual(found(parsed), Array<string>(5).fill('information:mapped:3'));
  });

  it('are a server\'s where the part before the slash is no set', async () => {
    const parsed = await copilot('tools: ["read", "github/search", "github/read", "vscode/extensions", "mcp_files_*"]');
    assert.deepEqual(parsed.definition?.tools, ['Read']);
    assert.deepEqual(parsed.definition.servers, [{ server: 'github', tools: ['search', 'read'] }]);
    assert.deepEqual(found(parsed), Array<string>(2).fill('warning:unknown_tool:3'), 'a set is no server, and without the names of the servers nobody can say where `files` ends');
    const elsewhere = await claude('tools: [Read, "search/codebase"]');
    assert.deepEqual(elsewhere.definition?.servers, [{ server: 'search', tools: ['codebase'] }]);
  });

  it('never let a subagent delegate', async () => {
    for (const tool of ['agent', 'custom-agent', 'runSubagent', 'Task', 'Agent(worker, researcher)']) {
      const parsed = await copilot(`tools: [read, "${tool}"]`);
      assert.deepEqual(parsed.definition?.tools, ['Read'], tool);
      assert.deepEqual(found(parsed), ['warning:unknown_tool:3']);
    }
  });

  it('are all taken away that a set stands for', async () => {
    assert.deepEqual((await copilot('disallowedTools: [execute, TodoWrite]')).definition?.disallowedTools, ['Bash', 'BashOutput', 'KillBackground', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList']);
  });
});

describe('definitions: models of other products', () => {
  const model = async (source: DefinitionSource, written: string, options: ParseOptions = {}): Promise<[string | undefined, ...string[]]> => {
    const parsed = await read(source, [`model: ${written}`], options);
    return [parsed.definition?.model, ...found(parsed)];
  };
  const TIERS: ParseOptions = { tiers: ['simple', 'medium', 'complex'] };
  const MAPPED = 'information:mapped:3';

  it('stay as they were written without a catalog, with a report that the inherited one runs instead', async () => {
    for (const name of ['haiku', 'Sonnet', 'opus', 'sonnet[1m]', 'claude-opus-4-7', 'gpt-4.1', 'GPT-5 (copilot)', 'fable', 'complex']) {
      assert.deepEqual(await model('claude_user', `"${name}"`), [name, MAPPED], name);
    }
  });

  it('may say in two words that they inherit', async () => {
    assert.deepEqual(await model('github_project', 'inherit'), ['inherit']);
    assert.deepEqual(await model('claude_user', 'default'), ['inherit', MAPPED]);
    assert.deepEqual(await model('project', 'Inherit', TIERS), ['inherit']);
  });

  it('keep their ids where their vendor is the one that is used', async () => {
    assert.deepEqual(await model('claude_user', 'claude-opus-4-7', { vendor: 'anthropic' }), ['claude-opus-4-7']);
    assert.deepEqual(await model('github_project', 'gpt-4.1', { vendor: 'openai' }), ['gpt-4.1']);
    assert.deepEqual(await model('claude_user', 'gpt-4.1', { vendor: 'anthropic' }), ['gpt-4.1', MAPPED]);
    assert.deepEqual(await model('claude_user', 'claude-opus-4-7', { vendor: 'constructor' }), ['claude-opus-4-7', MAPPED]);
  });

  it('become tiers with a catalog', async () => {
    assert.deepEqual(await model('claude_user', 'haiku', TIERS), ['simple', MAPPED]);
    assert.deepEqual(await model('claude_user', 'claude-sonnet-4-5', TIERS), ['medium', MAPPED]);
    assert.deepEqual(await model('github_project', '"Claude Opus 4.5 (copilot)"', TIERS), ['complex', MAPPED]);
    assert.deepEqual(await model('project', 'opus', TIERS), ['complex', MAPPED]);
    assert.deepEqual(await model('project', 'Complex', TIERS), ['complex']);
  });

  it('are never replaced by another of the catalog', async () => {
    assert.deepEqual(await model('github_project', 'gpt-4.1', TIERS), ['gpt-4.1', 'warning:unknown_model:3']);
    assert.deepEqual(await model('project', 'complex', { tiers: ['simple'] }), ['complex', 'warning:unknown_model:3']);
  });

  it('stay as they were written where their tier isn\'t configured, with a warning', async () => {
    for (const source of ['claude_user', 'project'] as const) assert.deepEqual(await model(source, 'opus', { tiers: ['simple'] }), ['opus', 'warning:unknown_model:3']);
    assert.deepEqual(await model('claude_user', '[gpt-4.1, opus]', { tiers: ['simple'] }), ['opus', 'warning:unknown_model:3']);
  });

  it('are tried in the order of a list', async () => {
    const list = '["GPT-5 (copilot)", "Claude Sonnet 4.5 (copilot)", haiku]';
    assert.deepEqual(await model('github_project', list, TIERS), ['medium', MAPPED]);
    assert.deepEqual(await model('github_project', list), ['GPT-5 (copilot)', MAPPED]);
    assert.deepEqual(await model('github_project', '[claude-x, gpt-5]', { vendor: 'openai' }), ['gpt-5']);
    assert.deepEqual(await model('project', '[first, second]'), ['first']);
    assert.deepEqual(await model('project', '[]'), [undefined]);
  });

  it('are raw ids in our own files, but for the tiers and three short names', async () => {
    assert.deepEqual(await model('project', 'gpt-4.1'), ['gpt-4.1']);
    assert.deepEqual(await model('user', 'claude-opus-4-7'), ['claude-opus-4-7']);
    for (const name of ['sonnet', 'Simple']) assert.deepEqual(await model('project', name), [name, MAPPED]);
  });
});
