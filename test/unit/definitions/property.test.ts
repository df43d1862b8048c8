import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { AgentLoader } from '../../../src/runtime/definitions/loader.ts';
import { parseDefinition } from '../../../src/runtime/definitions/parse.ts';

/** Pieces that real files are made of, right and wrong. */
const PIECE = fc.constantFrom(
  '---', '---\n', '\n---\n', '---js\n', '---yaml\n', '\r\n', '\r', '\t', '\uFEFF', ': ', '- ', '[', ']', '{', '}', '&a ', '*a', '!!js/function ', '!!binary ', '"', "'", '#', '|', '>', '<<: ', '? ', '%YAML 1.2', '\0', '\u2028',
  'name: ', 'description: ', 'tools: ', 'allowed-tools: ', 'disallowedTools: ', 'model: ', 'permission: ', 'permissionMode: ', 'hooks: ', 'maxTurns: ', 'maxDuration: ', 'effort: ', 'infer: ', 'x\n', '1', 'true', 'null', '.inf', '2024-01-01', 'Read, Bash(a, b)', '__proto__: ',
  'mcpServers: ', 'mcp-servers: ', 'skills: ', 'readOnly: ', 'resultSchema: ', 'color: ', 'github', 'github/*, mcp__github__search, mcp__*', 'my server/x', '*', '{github: {command: c, args: [1]}}', 'command: c\n', 'url: http://x\n', 'type: ', 'env: ', '\n  ', '\n  - ',
);
const TEXT = fc.oneof(fc.array(PIECE, { maxLength: 40 }).map((pieces) => pieces.join('')), fc.array(PIECE, { maxLength: 40 }).map((pieces) => `---\ndescription: x\n${pieces.join('')}\n---\nbody`), fc.string({ unit: 'binary', maxLength: 200 }));
const SOURCE = fc.constantFrom('project' as const, 'claude_project' as const, 'github_project' as const);

const THERE = fc.constantFrom({}, { servers: [], skills: [] }, { servers: ['github', 'my server'], skills: ['x'] });

describe('definitions: whatever a file holds', () => {
  it('it is read without a throw, the same twice, as a definition or with an error at a place', async () => {
    await fc.assert(
      fc.asyncProperty(TEXT, SOURCE, THERE, async (text, source, there) => {
        const file = { path: '/agents/x.md', text, source };
        const first = await parseDefinition(file, there);
        assert.deepEqual(await parseDefinition(file, there), first);
        for (const { server, tools } of first.definition?.servers ?? []) assert.ok(server !== '' && !/[*()]/.test(server) && (tools === 'all' || !tools.some((tool) => tool === '')));
        assert.equal(first.definition === undefined, first.diagnostics.some(({ severity }) => severity === 'error'));
        const lines = text.split(/\r\n?|\n/).length;
        for (const { line, column } of first.diagnostics) assert.ok(line >= 1 && line <= lines + 1 && column >= 1, `${line}:${column} of ${lines}`);
      }),
      { numRuns: 1500 },
    );
  });

  describe('in bytes', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'definitions-'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('it is listed or reported, the same twice, and hides no other', async () => {
      writeFileSync(join(folder, 'good.md'), '---\ndescription: x\n---\nbody');
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), TEXT.map((text) => Buffer.from(text, 'utf16le')), TEXT.map((text) => Buffer.from(text, 'latin1'))), async (bytes) => {
          writeFileSync(join(folder, 'any.md'), bytes);
          const load = () => new AgentLoader().load({ project: folder });
          const first = await load();
          assert.deepEqual(await load(), first);
          assert.ok(first.definitions.some(({ name }) => name === 'good'));
          const path = join(folder, 'any.md');
          assert.ok(first.all.some((definition) => definition.path === path) || first.diagnostics.some((diagnostic) => diagnostic.path === path && diagnostic.severity === 'error'));
        }),
        { numRuns: 150 },
      );
    });
  });
});
