import assert from 'node:assert/strict';
import { DEFINITION_SOURCES, type AgentDefinition, type DefinitionDiagnostic, type FoundDefinition } from '../../../src/runtime/domain/definitions.ts';
import { targetsOf } from '../../../src/ui/commands/targets.ts';
import { definitionRow, definitionTooltip, sourceRow } from '../../../src/ui/agents/agentItem.ts';
import { definitionNodes, definitionOf, nodeId, sourceNodes } from '../../../src/ui/agents/agentNodes.ts';
import { sourceLabel } from '../../../src/ui/agents/sourceWords.ts';
import { english as l10n } from './fakes.ts';

const definition = (more: Partial<AgentDefinition> = {}): AgentDefinition => ({ name: 'reviewer', description: 'Reviews\nchanges', prompt: 'P', tools: 'inherit', disallowedTools: [], delegable: true, source: 'project', path: '/w/.lite-agent/agents/reviewer.md', hash: 'h', ...more });
const problem = (severity: DefinitionDiagnostic['severity'], message = 'It is odd.', code = 'odd'): DefinitionDiagnostic => ({ severity, code, message, path: '/x', line: 3, column: 1 });
const used = (more: Partial<AgentDefinition> = {}, status: 'active' | 'unapproved' = 'active', diagnostics: readonly DefinitionDiagnostic[] = []): FoundDefinition => {
  const { name, source, path, ...rest } = definition(more);
  return { name, source, ...(path !== undefined && { path }), status, definition: { name, source, ...(path !== undefined && { path }), ...rest }, diagnostics };
};
const shadowed = (by: AgentDefinition, more: Partial<AgentDefinition> = {}): FoundDefinition => ({ ...used(more), status: 'shadowed', definition: definition(more), by });
const refused = (...diagnostics: readonly DefinitionDiagnostic[]): FoundDefinition => ({ name: 'bad', source: 'user', path: '/h/bad.md', status: 'refused', diagnostics });
const says = (found: FoundDefinition): string => definitionRow(found, l10n).description;
const lines = (found: FoundDefinition): Readonly<Record<string, string>> => Object.fromEntries(definitionTooltip(found, l10n).map(({ name, value }) => [name, value]));

describe('the rows of the Agents view', () => {
  const found = [used({ name: 'Explore', source: 'builtin' }), used({ name: 'mine', source: 'user' }), used(), refused(problem('error'))];

  it('are the sources that have something, what wins first, each with its definitions', () => {
    assert.deepEqual(sourceNodes(found).map(nodeId), ['source/project', 'source/user', 'source/builtin']);
    assert.deepEqual(definitionNodes(found, 'user').map(nodeId), ['user:/w/.lite-agent/agents/reviewer.md', 'user:/h/bad.md']);
    assert.deepEqual(sourceNodes([]), []);
  });

  it('lead commands to their definition, and those of sources to nothing', () => {
    const nodes = definitionNodes(found, 'user');
    const targets = targetsOf([nodes[0], [...sourceNodes(found), ...nodes]]);
    assert.deepEqual(targets.map(({ definitionId = '' }) => definitionOf(found, definitionId)?.name), ['mine', 'bad']);
    assert.equal(definitionOf(found, 'user:/gone.md'), undefined);
  });

  it('have words of their own for each source, with how many there are and how many have problems', () => {
    assert.equal(new Set(DEFINITION_SOURCES.map((source) => sourceLabel(source, l10n))).size, DEFINITION_SOURCES.length);
    const { label, description, contextValue, spoken } = sourceRow('user', found, l10n);
    assert.deepEqual([label, description, contextValue, spoken], ['User', '2 · with problems: 1', 'source+user', 'User, 2 · with problems: 1']);
    assert.equal(sourceRow('project', found, l10n).description, '1');
  });

  it('say what a definition is for, or what keeps it from being used', () => {
    assert.equal(says(used()), 'Reviews changes');
    assert.equal(says(used({}, 'active', [problem('information')])), 'Reviews changes', 'informations are no problems');
    assert.equal(says(used({}, 'active', [problem('warning')])), '1 problem · Reviews changes');
    assert.equal(says(used({}, 'unapproved', [problem('warning'), problem('warning')])), 'not yet approved · 2 problems');
    assert.equal(says(shadowed(definition({ source: 'directory' }))), 'shadowed by Directory of the settings');
    assert.equal(says(shadowed(definition({ source: 'github_project' }))), 'shadowed by Project (Copilot)');
    assert.equal(says({ ...shadowed(definition({ path: '/w/.lite-agent/agents/a.md' })), diagnostics: [problem('warning', 'Another file.', 'duplicate')] }), 'shadowed by a.md');
    assert.equal(says(refused(problem('warning', 'Beside it.'), problem('error', 'No\ndescription.'))), 'not loaded: No description.');
  });

  it('tell states apart by their icons, and show the colour of what is used', () => {
    const states = [used(), used({}, 'unapproved'), used({}, 'active', [problem('warning')]), shadowed(definition({ source: 'directory' })), refused(problem('error'))];
    assert.equal(new Set(states.map((one) => definitionRow(one, l10n).icon.id)).size, states.length);
    assert.equal(definitionRow(used({ color: 'pink' }), l10n).icon.color, 'terminal.ansiMagenta');
    assert.deepEqual(states.map((one) => definitionRow(one, l10n).contextValue), ['definition+active+project+file', 'definition+unapproved+project+file', 'definition+active+project+file', 'definition+shadowed+project+file', 'definition+refused+user+file']);
    assert.equal(definitionRow(used({ source: 'bundled' }), l10n).contextValue, 'definition+active+bundled');
    assert.equal(definitionRow(used(), l10n).spoken, 'reviewer, Reviews changes');
  });

  it('keep what stands beside the name in sight', () => {
    const row = definitionRow(used({ name: 'n'.repeat(64), description: 'd'.repeat(900) }), l10n);
    assert.ok(row.label.length <= 36 && row.description.length <= 120);
  });

  it('have in the tooltip what the agent would run with, where it is and what is wrong', () => {
    const rich = used({
      tools: ['Read', 'Bash'], disallowedTools: ['Bash'], servers: [{ server: 'docs', tools: 'all' }, { server: 'db', tools: ['query'] }], readOnly: true, model: 'complex', effort: 'high',
      permission: { deny: ['Bash(rm:*)'], onAsk: 'deny' }, skills: ['pdf'], maxTurns: 7, maxDurationMs: 90_000, isolation: 'worktree', delegable: false,
    }, 'unapproved', [problem('warning', 'One.'), problem('error', 'Two.')]);
    assert.deepEqual(lines(rich), {
      'Source': 'Project · not yet approved', 'Description': 'Reviews changes', 'Tools': 'Read, docs/*, db/query · only what reads', 'Model': 'complex · high',
      'Permissions': 'deny: Bash(rm:*) · onAsk: deny', 'Skills': 'pdf', 'MCP servers': 'docs, db', 'Turns': 'at most 7', 'Time': 'at most 1m 30s', 'Folder': 'a git worktree of its own',
      'Chat': 'doesn’t know of it; only people pick it', 'File': '/w/.lite-agent/agents/reviewer.md', 'Problems': 'line 3: One. · line 3: Two.',
    });
    assert.deepEqual(lines(used({ disallowedTools: ['Bash'] })), { Source: 'Project', Description: 'Reviews changes', Tools: 'all inherited tools · without Bash', Model: 'that of the chat', File: '/w/.lite-agent/agents/reviewer.md' });
    assert.equal(lines(used({ tools: [] }))['Tools'], 'none');
    assert.deepEqual(Object.keys(lines(refused(problem('error')))), ['Source', 'File', 'Problems']);
  });
});
