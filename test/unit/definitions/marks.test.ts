import assert from 'node:assert/strict';
import type { DefinitionDiagnostic, DiagnosticData } from '../../../src/runtime/domain/definitions.ts';
import { AgentLoader } from '../../../src/runtime/definitions/loader.ts';
import { parseDefinition, type ParseOptions } from '../../../src/runtime/definitions/parse.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const THERE: ParseOptions = { servers: ['github', 'my server'], skills: ['release-notes'], tiers: ['simple', 'medium'] };

const problemsOf = async (text: string): Promise<readonly DefinitionDiagnostic[]> => (await parseDefinition({ path: '/agents/x.md', text, source: 'project' }, THERE)).diagnostics;
const file = (...lines: string[]): string => ['---', 'description: x', ...lines, '---', 'Prompt.'].join('\n');

/** What a diagnostic marks. */
function marked(text: string, { line, column, endLine = line, endColumn = column }: DefinitionDiagnostic): string {
  const lines = text.split('\n').slice(line - 1, endLine);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, endColumn - 1) ?? '';
  return lines.join('\n').slice(column - 1);
}

describe('definitions: what a problem marks, and what it says for a fix', () => {
  const cases: readonly (readonly [line: string, marks: string, data: DiagnosticData])[] = [
    ['tools: Read, Grpe, Glob', 'Grpe', { kind: 'unknown', of: 'tool', word: 'Grpe', near: ['Grep'] }],
    ['tools: "Read, Grpe"', 'Grpe', { kind: 'unknown', of: 'tool', word: 'Grpe', near: ['Grep'] }],
    ['tools: [Read, "Grpe"]', '"Grpe"', { kind: 'unknown', of: 'tool', word: 'Grpe', near: ['Grep'] }],
    ['tools:\n  - Read\n  - Grpe', 'Grpe', { kind: 'unknown', of: 'tool', word: 'Grpe', near: ['Grep'] }],
    ['tools: Read, github', 'github', { kind: 'unknown', of: 'tool', word: 'github', near: ['github/*'] }],
    ['tools: Read, Task', 'Task', { kind: 'unknown', of: 'tool', word: 'Task', near: ['TaskGet', 'TaskList', 'TaskCreate'] }],
    ['tools: [Read, Bash(git log)]', 'Bash(git log)', { kind: 'unknown', of: 'tool', word: 'Bash(git log)', near: ['Bash', 'BashOutput'] }],
    ['disallowedTools: [Wirte]', 'Wirte', { kind: 'unknown', of: 'tool', word: 'Wirte', near: ['Write'] }],
    ['tools: Read, read_file', 'read_file', { kind: 'mapped', of: 'tool', word: 'read_file', as: ['Read'] }],
    ['model: sonnet', 'sonnet', { kind: 'mapped', of: 'model', word: 'sonnet', as: ['medium'] }],
    ['model: "smple"', '"smple"', { kind: 'unknown', of: 'model', word: 'smple', near: ['simple', 'medium', 'inherit'] }],
    ['model: opus', 'opus', { kind: 'unknown', of: 'model', word: 'opus', near: ['inherit'] }],
    ['effort: max', 'max', { kind: 'mapped', of: 'value', word: 'max', as: ['high'] }],
    ['effort: hihg', 'hihg', { kind: 'unknown', of: 'value', word: 'hihg', near: ['high', 'low', 'medium'] }],
    ['allowed-tools: Read', 'allowed-tools', { kind: 'mapped', of: 'field', word: 'allowed-tools', as: ['tools'] }],
    ['timeout_mins: 10', 'timeout_mins', { kind: 'mapped_field', field: 'timeout_mins', line: 'maxDuration: 600s' }],
    ['infer: false', 'infer', { kind: 'mapped_field', field: 'infer', line: 'delegable: false' }],
    ['temperature: 1', 'temperature', { kind: 'ignored', field: 'temperature' }],
    ['maxTruns: 3', 'maxTruns', { kind: 'unknown', of: 'field', word: 'maxTruns', near: ['maxTurns'] }],
    ['tool: Read', 'tool', { kind: 'unknown', of: 'field', word: 'tool', near: ['tools'] }],
    ['skills: [release-note]', 'release-note', { kind: 'unknown', of: 'skill', word: 'release-note', near: ['release-notes'] }],
    ['mcpServers: [gitub]', 'gitub', { kind: 'unknown', of: 'server', word: 'gitub', near: ['github'] }],
    ['tools: {Read: true, Bash: false}', '{Read: true, Bash: false}', { kind: 'no_list', field: 'tools', items: ['Read'] }],
    ['readOnly: yes', 'yes', { kind: 'unknown', of: 'value', word: 'yes', near: ['true'] }],
    ['name: 42', '42', { kind: 'unquoted' }],
    ['name: a: b', 'a: b', { kind: 'unquoted' }],
    ['tools: Read\ntools: Grep', 'tools', { kind: 'twice', field: 'tools' }],
    ['tools: Read\nallowed-tools: Grep', 'allowed-tools', { kind: 'twice', field: 'allowed-tools' }],
    ['tools:\n\t- Read', '\t', { kind: 'tabs' }],
    ['permission:\n  deney: [Bash]', 'deney', { kind: 'unknown', of: 'field', word: 'deney', near: ['deny'] }],
    ['permission: {onAsk: never}', 'never', { kind: 'unknown', of: 'value', word: 'never', near: ['ask', 'deny'] }],
  ];
  for (const [lines, marks, data] of cases) {
    it(JSON.stringify(lines), async () => {
      const text = file(...lines.split('\n'));
      const found = (await problemsOf(text)).filter((problem) => JSON.stringify(problem.data) === JSON.stringify(data));
      assert.deepEqual(found.map((problem) => marked(text, problem)), [marks], JSON.stringify(await problemsOf(text)));
    });
  }

  for (const [text, data] of [['---\nname: x\n---\n', { kind: 'missing', field: 'description' }], ['You review.', { kind: 'no_frontmatter' }], ['---\ndescription: x\n', { kind: 'unclosed' }]] as const) {
    it(JSON.stringify(text), async () => assert.deepEqual((await problemsOf(text)).flatMap((problem) => problem.data ?? []), [data]));
  }

  it('names a free name for one that is taken', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
    try {
      for (const [name, says] of [['a.md', 'reviewer'], ['b.md', 'Reviewer'], ['c.md', 'reviewer-2'], ['explore.md', 'explore']] as const) writeFileSync(join(folder, name), `---\nname: ${says}\ndescription: x\n---\nx`);
      const { diagnostics } = await new AgentLoader().load({ project: folder });
      assert.deepEqual(diagnostics.map(({ code, data }) => [code, data]), [['duplicate', { kind: 'taken', name: 'Reviewer', free: 'Reviewer-3' }]]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
