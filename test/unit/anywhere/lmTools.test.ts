import assert from 'node:assert/strict';
import type { PlannedChild } from '../../../src/runtime/domain/agents.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import { obstacleIn } from '../../../src/ui/anywhere/obstacle.ts';
import { confirmation, mayDo } from '../../../src/ui/lmTools/confirmation.ts';
import { fitted } from '../../../src/ui/lmTools/fitted.ts';
import { folderFor } from '../../../src/ui/lmTools/folderArgument.ts';
import { statusText } from '../../../src/ui/lmTools/statusText.ts';
import { WORDS } from '../chat/support.ts';
import { child, english, group, request } from '../ui/fakes.ts';

const definition = (patch: Partial<AgentDefinition> = {}): AgentDefinition => ({ name: 'worker', description: 'd', prompt: 'p', tools: 'inherit', disallowedTools: [], delegable: true, source: 'bundled', ...patch });
const planned = (patch: Partial<PlannedChild> = {}): PlannedChild => ({ displayName: 'Audit', prompt: 'Look at it.', definition: definition(), model: { provider: 'offline', model: 'offline' }, tools: ['Read', 'Edit', 'Bash'], notes: [], ...patch });

describe('what a child may do, in words', () => {
  const words = (tools: readonly string[], patch: Partial<AgentDefinition> = {}, isDryRun = false): string => mayDo({ tools, definition: definition(patch) }, isDryRun, english);

  it('follows its tools, and says that it asks first', () => {
    assert.equal(words(['Read', 'Grep']), 'only reads');
    assert.equal(words(['Read', 'Write']), 'may change files, asks first, unless your rules allow it');
    assert.equal(words(['Bash']), 'may run commands, asks first, unless your rules allow it');
    assert.match(words(['Edit', 'Bash']), /^may change files and run commands, asks first/);
  });

  it('follows what its definition and the window say', () => {
    assert.equal(words(['Edit', 'Bash'], { readOnly: true }), 'only reads');
    assert.match(words(['Edit'], { permission: { onAsk: 'deny' } }), /never asks/);
    assert.match(words(['Edit'], { permission: { onAsk: 'deny' } }, true), /dry run/);
    assert.match(words(['Read'], { servers: [{ server: 'hub', tools: 'all' }] }), /^only reads · MCP servers: hub$/);
    assert.match(words(['Edit'], { isolation: 'worktree' }), /git worktree/);
  });
});

describe('the question before a model delegates', () => {
  it('lists each child with its definition, model and what it may do', () => {
    const { title, message } = confirmation({ children: [planned(), planned({ displayName: 'Read', tools: ['Read'], resume: 'agent-1' })], isDryRun: false }, english);
    assert.equal(title, 'Start 2 subagents?');
    assert.match(message, /\*\*Audit\*\* · worker · Offline demo .*may change files and run commands, asks first.*\n {0,2}Look at it\./);
    assert.match(message, /\*\*Read\*\* · goes on · worker .*only reads/);
    assert.equal(confirmation({ children: [planned()], isDryRun: false }, english).title, 'Start a subagent?');
  });

  it('names the folder where there are several', () => {
    assert.match(confirmation({ children: [planned()], folder: 'web', isDryRun: false }, english).message, /^In the folder web:/);
  });

  it('lets nothing that a model or a file wrote be Markdown', () => {
    const evil = '[x](command:evil) <img src=x> **bold**\n\n# title `code` $(zap)';
    const { message } = confirmation({ children: [planned({ displayName: evil, prompt: evil, definition: definition({ name: evil }), model: { provider: 'openai', model: evil } })], folder: evil, isDryRun: false }, english);
    assert.ok(!/[[\]<>`$(]/.test(message.replaceAll('**', '')), message);
    assert.equal(message.split('\n').length, 4);
  });

  it('stays short with a long prompt', () => {
    assert.ok(confirmation({ children: [planned({ prompt: 'word '.repeat(10_000) })], isDryRun: false }, english).message.length < 600);
  });
});

describe('a result in a budget of tokens', () => {
  const count = async (text: string): Promise<number> => text.length;
  const results = (max: number): string => ['A', 'B'].map((name) => `## ${name}\n${name.repeat(Math.min(max, 5000))}${max < 5000 ? ` [Cut, see ${name}.jsonl]` : ''}`).join('\n');

  it('is whole where it fits', async () => assert.equal(await fitted(results, { tokens: 20_000, count }), results(20_000)));

  it('cuts all texts alike, each with its pointer, and uses the room', async () => {
    const text = await fitted(results, { tokens: 4000, count });
    assert.ok(text.length <= 4000 && text.length > 3000, String(text.length));
    assert.match(text, /A\.jsonl.*B\.jsonl/s);
  });

  it('leaves out what comes last where headings alone are too much, and says where it is', async () => {
    const text = await fitted(() => 'x'.repeat(10_000), { tokens: 500, count });
    assert.ok(text.length <= 500 && text.includes('Groups view'), text);
  });

  it('asks for a count a few times only', async () => {
    let asked = 0;
    await fitted(results, { tokens: 4000, count: async (text) => (asked++, text.length) });
    assert.ok(asked < 15, String(asked));
  });
});

describe('the folder of a call', () => {
  const folders = [{ name: 'web', path: '/w/web' }, { name: 'api', path: '/w/api' }, { name: 'api', path: '/other/api' }];

  it('is the only one, or the one that is named', () => {
    assert.equal(folderFor(undefined, folders.slice(0, 1)).path, '/w/web');
    assert.equal(folderFor('web', folders).path, '/w/web');
    assert.equal(folderFor('/other/api', folders).path, '/other/api');
  });

  it('is never guessed: what is missing, unknown or meant by several names all that there are', () => {
    for (const asked of [undefined, 'api', 'nothing', '/w', 3]) assert.throws(() => folderFor(asked, folders), (error: Error) => /\/w\/web.*\/w\/api.*\/other\/api/.test(error.message), String(asked));
  });
});

describe('what keeps a window from delegating', () => {
  it('is told one at a time, what must be done first first', () => {
    const state = { isTrusted: true, hasFolder: true, isEnabled: true };
    assert.equal(obstacleIn(state), undefined);
    assert.equal(obstacleIn({ isTrusted: false, hasFolder: false, isEnabled: false }), 'no_folder');
    assert.equal(obstacleIn({ ...state, isTrusted: false, isEnabled: false }), 'untrusted');
    assert.equal(obstacleIn({ ...state, isEnabled: false }), 'switched_off');
  });
});

describe('#subagentStatus', () => {
  const style = { words: WORDS, locale: 'en', l10n: english };

  it('tells in the words of /status what is open, then what ended last, with ids and without links', () => {
    const over = Array.from({ length: 7 }, (_, index) => group([child({ displayName: `Done ${index}`, agentId: `agent-${index}`, status: 'completed' })], { groupId: `bg_${index}`, status: 'completed', createdAt: index }));
    const open = group([child({ displayName: 'Runs\nnow', agentId: 'agent-r' }), child({ displayName: 'Waits', agentId: 'agent-w', approvals: ['r1'] })], { groupId: 'bg_open', createdAt: 1 });
    const text = statusText({ groups: [...over, open], pending: [request()], tasks: [] }, style);
    assert.match(text, /^Subagents running: 2, queued: 0\. Waiting for your approval: 1\.\n\nGroup bg_open \(running\)\n- Runs now \(agentId: agent-r\): running\n- Waits \(agentId: agent-w\): waiting for approval\n\nGroup bg_6 \(completed\)/);
    assert.match(text, /Earlier groups, in the Groups view: 2\.$/);
    assert.ok(!text.includes('command:') && !text.includes('&#'));
  });

  it('says that there is nothing', () => assert.equal(statusText({ groups: [], pending: [], tasks: [] }, style), 'No subagents are running.'));
});
