import assert from 'node:assert/strict';
import fc from 'fast-check';
import { builtinAgents } from '../../../src/runtime/definitions/builtin.ts';
import { TOOL_NAMES } from '../../../src/runtime/definitions/toolNames.ts';
import { parseDefinition } from '../../../src/runtime/definitions/parse.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import { definitionText, textOfDefinition } from '../../../src/ui/agents/definitionText.ts';
import { fileNameOf, newFileName, ownFileName } from '../../../src/ui/agents/fileNames.ts';
import type { NewAgentDeps } from '../../../src/ui/agents/newAgent/draft.ts';
import { askNewAgent, type NewFile } from '../../../src/ui/agents/newAgent/newAgent.ts';
import { toolChoices } from '../../../src/ui/agents/newAgent/toolChoices.ts';
import { ScriptedDialog, type Step } from '../../support/scriptedDialog.ts';
import { english as l10n } from './fakes.ts';

const FOLDERS = { project: '/w/.lite-agent/agents', user: '/h/.lite-agent/agents' };

async function read(text: string): Promise<{ readonly definition: AgentDefinition; readonly codes: readonly string[] }> {
  const { definition, diagnostics } = await parseDefinition({ path: '/x.md', text, source: 'project' }, { tiers: ['simple', 'complex'], servers: ['docs', 'db'] });
  assert.ok(definition, JSON.stringify([text, diagnostics]));
  return { definition, codes: diagnostics.map(({ code }) => code) };
}

describe('the text of a definition', () => {
  it('is read as it was meant, whatever its words are', async () => {
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()).filter((text) => text !== '');
    await fc.assert(fc.asyncProperty(words, words, async (name, description) => {
      const { definition } = await read(definitionText({ name, description, tools: 'inherit', body: 'Do it.' }));
      assert.deepEqual([definition.name, definition.description, definition.prompt.trim()], [name, description, 'Do it.']);
    }), { numRuns: 200 });
    for (const odd of ['true', 'Null', '12', 'a: b', '#x', '- x', 'x #y', '"q"', "it's", '{a}', '[b]', '&a', '*a', '!t', '%d', '@x', '`y`', '2026-01-01', 'a:', '~', 'NaN', '.inf', 'no']) {
      const { definition } = await read(definitionText({ name: odd, description: odd, tools: 'inherit', body: 'B' }));
      assert.deepEqual([definition.name, definition.description], [odd, odd]);
    }
  });

  it('says of the built-in agents all that they are', async () => {
    for (const builtin of builtinAgents) {
      const { definition, codes } = await read(textOfDefinition(builtin));
      assert.deepEqual({ ...definition, source: 'builtin', path: undefined, prompt: definition.prompt.trim() }, { ...builtin, path: undefined });
      assert.deepEqual(codes, []);
    }
    const { definition } = await read(textOfDefinition({ name: 'c', description: 'd', prompt: 'P', appendPrompt: 'More', tools: [], disallowedTools: ['Bash'], model: 'simple', maxTurns: 3, delegable: true, source: 'code' }));
    assert.deepEqual([definition.prompt.trim(), definition.tools, definition.disallowedTools, definition.model, definition.maxTurns], ['P\n\nMore', [], ['Bash'], 'simple', 3]);
  });
});

describe('the file of a definition', () => {
  it('is named after it, as every file system takes it', () => {
    assert.deepEqual(['API Reviewer', 'x/../../y', '..', ' ', 'CON', 'com1.x', 'Ärger 与', 'a*b?', 'q'.repeat(300)].map((name) => newFileName(name)), [
      'api-reviewer.md', 'x .. .. y.md', 'agent.md', 'agent.md', 'agent-con.md', 'agent-com1.x.md', 'ärger-与.md', 'a b.md', `${'q'.repeat(80)}.md`,
    ]);
    assert.equal(fileNameOf('Explore'), 'Explore.md');
    assert.deepEqual(['/c/.github/agents/docs.agent.md', '/a/My Agent.md', '/a/X.MD'].map(ownFileName), ['docs.md', 'My Agent.md', 'X.md']);
  });
});

describe('New Agent…', () => {
  const ask = async (steps: readonly Step[], more: Partial<NewAgentDeps> = {}): Promise<{ readonly file: NewFile | undefined; readonly dialog: ScriptedDialog }> => {
    const dialog = new ScriptedDialog(steps);
    const file = await askNewAgent({ dialog, folders: FOLDERS, found: () => [], servers: () => [], catalog: () => undefined, l10n, ...more });
    dialog.assertDone();
    return { file, dialog };
  };

  it('makes a reading agent that runs as it is from three answers', async () => {
    const { file, dialog } = await ask([{ pick: 'Project' }, { type: 'API Reviewer' }, { type: 'Reviews: the API' }, { pick: 'Read only' }]);
    assert.equal(file?.path, '/w/.lite-agent/agents/api-reviewer.md');
    const { definition, codes } = await read(file.text);
    assert.deepEqual([definition.name, definition.description, definition.tools, definition.readOnly, definition.model, codes], ['API Reviewer', 'Reviews: the API', ['Read', 'Glob', 'Grep'], true, undefined, []]);
    assert.match(definition.prompt, /Reviews: the API[\s\S]*Change nothing/);
    assert.deepEqual(dialog.places.map(({ step, total, canGoBack }) => [step, total, canGoBack]), [[1, 4, false], [2, 4, true], [3, 4, true], [4, 4, true]]);
  });

  it('takes single tools, those of servers among them, and one of the configured models', async () => {
    const servers = [{ name: 'docs', transport: 'stdio', status: 'ready', tools: ['find', 'get'] }, { name: 'db', transport: 'http', status: 'failed', tools: [] }] as const;
    const catalog = { simple: { provider: 'p', model: 'small' }, complex: { provider: 'p', model: 'big', displayName: 'The big one' } };
    const { file, dialog } = await ask(
      [{ pick: 'User' }, { type: 'worker' }, { type: 'Works' }, { pick: 'Choose…' }, { tick: ['Read', 'Bash', 'docs/*', 'docs/find'] }, { pick: 'The big one' }],
      { servers: () => servers, catalog: () => catalog },
    );
    assert.equal(file?.path, '/h/.lite-agent/agents/worker.md');
    const { definition, codes } = await read(file.text);
    assert.deepEqual([definition.tools, definition.servers, definition.model, definition.readOnly, codes], [['Read', 'Bash'], [{ server: 'docs', tools: 'all' }], 'complex', undefined, []]);
    assert.match(dialog.seen[4] ?? '', /Read files\/Read \(ticked\).*Run commands\/Bash \|.*MCP server docs\/docs\/\*.*MCP server db\/db\/\*/);
    assert.deepEqual(dialog.active.at(-1), 'Inherit');
    assert.equal(dialog.places.at(-1)?.total, 6);
  });

  it('offers tools that exist, and lets an agent have all or none', async () => {
    const offered = toolChoices([], l10n).map(({ value }) => value);
    assert.deepEqual(offered.filter((name) => !TOOL_NAMES.some((known) => known === name)), []);
    const all = await ask([{ pick: 'Project' }, { type: 'a' }, { type: 'd' }, { pick: 'All tools' }]);
    assert.equal((await read(all.file?.text ?? '')).definition.tools, 'inherit');
    const none = await ask([{ pick: 'Project' }, { type: 'a' }, { type: 'd' }, { pick: 'Choose…' }, { tick: [] }]);
    assert.deepEqual((await read(none.file?.text ?? '')).definition.tools, []);
  });

  it('refuses names that are taken in that place, without case, and asks for no place where there is one', async () => {
    const found: NewAgentDeps['found'] = () => [{ name: 'Taken', source: 'user', path: '/h/t.md', status: 'refused', diagnostics: [] }];
    const there = await ask([{ pick: 'User' }, { refused: '' }, { refused: 'TAKEN' }, { refused: 'x'.repeat(65) }, 'leave'], { found });
    assert.equal(there.file, undefined);
    const elsewhere = await ask([{ type: 'taken' }, { refused: '' }, { type: 'd' }, { pick: 'All tools' }], { found, folders: { project: '/w/a' } });
    assert.equal(elsewhere.file?.path, '/w/a/taken.md');
  });

  it('keeps what was answered on the way back', async () => {
    const { file, dialog } = await ask([{ pick: 'User' }, { type: 'a' }, 'back', 'back', { pick: 'Project' }, { type: 'a' }, { type: 'd' }, { pick: 'All tools' }]);
    assert.equal(file?.path, '/w/.lite-agent/agents/a.md');
    assert.ok(dialog.seen.some((words) => words.endsWith('[a]')), dialog.seen.join('\n'));
  });
});
