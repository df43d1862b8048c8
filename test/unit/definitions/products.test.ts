import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentLoader, type LoadedDefinitions } from '../../../src/runtime/definitions/loader.ts';

const ROOT = fileURLToPath(new URL('../../fixtures/definitions', import.meta.url));
const FOLDERS = { claude_project: join(ROOT, '.claude/agents'), github_project: join(ROOT, '.github/agents'), project: join(ROOT, '.lite-agent/agents') };
const name = (path: string): string => relative(ROOT, path).split(sep).join('/').replace('/agents/', '/');

/** What keeps each broken file from loading, with its place. */
const BROKEN: Readonly<Record<string, readonly string[]>> = {
  '.claude/colon.md': ['yaml 3:14'],
  '.claude/coordinator.md': ['no_tools 4:8'],
  '.claude/planner.md': ['unsupported 4:1'],
  '.claude/scripted.md': ['language 1:4'],
  '.claude/sql-reader.md': ['unsupported 5:1'],
  '.github/no-description.agent.md': ['no_description 1:1'],
  '.github/plain.md': ['no_frontmatter 1:1'],
  '.github/tabs.agent.md': ['yaml 4:1'],
  '.lite-agent/endless.md': ['unclosed 1:1'],
  '.lite-agent/limits.md': ['type 4:11', 'type 5:14', 'type 6:9'],
  '.lite-agent/misspelt.md': ['misspelt 4:1'],
  '.lite-agent/utf16.md': ['not_utf8 1:1'],
};

describe('definitions: thirty files of three products', () => {
  let loaded: LoadedDefinitions;
  before(async () => {
    loaded = await new AgentLoader().load(FOLDERS);
  });

  it('are each listed, or have a problem with its place', () => {
    const files = readdirSync(ROOT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ parentPath, name: file }) => join(parentPath, file));
    assert.equal(files.length, 30);
    const listed = new Set(loaded.definitions.map(({ path }) => path));
    const silent = files.filter((path) => !listed.has(path) && !loaded.diagnostics.some((diagnostic) => diagnostic.path === path));
    assert.deepEqual(silent, []);
  });

  it('are kept from loading by what is wrong with them, and by nothing else', () => {
    const errors = Map.groupBy(loaded.diagnostics.filter(({ severity }) => severity === 'error'), ({ path }) => name(path));
    const found = Object.fromEntries([...errors].map(([path, ofFile]) => [path, ofFile.map(({ code, line, column }) => `${code} ${line}:${column}`)]));
    assert.deepEqual(found, BROKEN);
    assert.equal(loaded.definitions.filter(({ source }) => source !== 'builtin').length, 30 - Object.keys(BROKEN).length - 1, 'all others but the README');
  });

  it('report every mapped and every ignored field', () => {
    const reported = (file: string): string[] => loaded.diagnostics.filter(({ path }) => name(path) === file).map(({ code, line }) => `${code}:${line}`);
    assert.deepEqual(reported('.claude/formatter.md'), ['ignored:5', 'ignored:6']);
    assert.deepEqual(reported('.claude/debugger.md'), ['mapped:7', 'mapped:8', 'ignored:10']);
    assert.deepEqual(reported('.claude/research/deep/benchmarker.md'), ['mapped:5']);
    assert.deepEqual(reported('.github/release.agent.md'), ['mapped:4', 'ignored:5']);
    assert.deepEqual(reported('.github/docs-writer.md'), ['mapped:3', 'mapped:4', 'mapped:6', 'ignored:8']);
    assert.deepEqual(reported('.claude/README.md'), ['documentation:1']);
    assert.deepEqual(reported('.lite-agent/windows.md'), []);
  });

  it('have the servers and the skills that they name', () => {
    const named = (agent: string): unknown[] => {
      const definition = loaded.definitions.find(({ name: own }) => own === agent);
      return [definition?.tools, definition?.servers, definition?.skills];
    };
    assert.deepEqual(named('api-researcher'), [['WebFetch', 'WebSearch'], [{ server: 'docs', tools: ['search'] }], undefined]);
    assert.deepEqual(named('docs-writer'), [['Read', 'Write', 'Edit'], [{ server: 'github', config: { type: 'stdio', command: 'github-mcp' }, tools: 'all' }], undefined]);
    assert.deepEqual(named('only-servers'), [[], [{ server: 'jira', tools: 'all' }], undefined]);
    assert.deepEqual(named('benchmarker'), ['inherit', undefined, ['benchmarking']]);
  });

  it('are warned of servers and skills that aren\'t there', async () => {
    const { definitions, diagnostics } = await new AgentLoader().load(FOLDERS, { servers: ['docs'], skills: ['profiling'] });
    assert.equal(definitions.length, loaded.definitions.length, 'they load all the same');
    const missing = diagnostics.filter(({ code }) => code === 'unknown_server' || code === 'unknown_skill');
    assert.deepEqual(missing.map(({ path, code, line, column }) => `${name(path)} ${code} ${line}:${column}`), ['.claude/research/deep/benchmarker.md unknown_skill 7:5', '.github/only-servers.agent.md unknown_server 3:9']);
    assert.match(missing[0]?.message ?? '', /`profiling`/);
    assert.match(missing[1]?.message ?? '', /`docs`/);
  });

  it('give the same answer twice', async () => {
    assert.deepEqual(await new AgentLoader().load(FOLDERS), loaded);
  });

  it('run nothing, whatever their frontmatter says it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probe-'));
    process.env['DEFINITION_PROBE'] = join(folder, 'ran');
    try {
      await new AgentLoader().load(FOLDERS);
      assert.equal(existsSync(join(folder, 'ran')), false);
      assert.equal('definitionRan' in globalThis, false);
    } finally {
      delete process.env['DEFINITION_PROBE'];
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
