import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AgentTools, foundTools } from '../../../src/runtime/agent/agentTools.ts';
import { resolveAgent } from '../../../src/runtime/agent/resolveAgent.ts';
import { wireName } from '../../../src/runtime/base/wireNames.ts';
import { textMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { findTool, foundIn } from '../../../src/runtime/tools/findTool.ts';
import { executeText, toolContext } from '../../support/toolContext.ts';

function waiting(name: string, description = ''): ToolDefinition {
  return { name, description, inputSchema: { type: 'object' }, isReadOnly: true, isDeferred: true, describe: () => name, targets: () => [], execute: async () => ({ content: [] }) };
}

const HUB = [
  waiting('mcp__hub__create_issue', 'Opens a ticket. Needs a title. Returns its number.'),
  waiting('mcp__hub__listIssues', 'Lists tickets.\nEach with its state.'),
  waiting('mcp__hub__merge', 'Merges a branch, and closes every issue that it mentions.'),
  waiting('mcp__mail box__send', 'Sends mail v1.2 to a person'),
  waiting('Deploy', 'Brings a version to its users.'),
];

/** An agent with the tool and a catalogue of these. */
function agent(tools: readonly ToolDefinition[] = HUB) {
  const own = new AgentTools((activated) => resolveAgent({ builtinTools: [findTool] }, { customTools: tools }, { name: 'a' }, { activated }), assert.fail);
  return {
    find: (query: string) => executeText(findTool, { query }, toolContext('/', { deferred: own.deferred })),
    offered: () => own.schemas().map(({ name }) => name).filter((name) => name !== 'FindTool'),
    description: () => own.schemas().find(({ name }) => name === 'FindTool')?.description ?? '',
  };
}
/** The names that an answer lists, in its order. */
const listed = (answer: string): readonly string[] => answer.split('\n').filter((line) => line.startsWith('- ')).map((line) => line.slice(2).split(':')[0] ?? '');

describe('FindTool', () => {
  it('finds by words of the name before those of the description, and makes what it found callable', async () => {
    const { find, offered } = agent();
    assert.deepEqual(offered(), []);
    const answer = await find('how to create an issue');
    assert.deepEqual(listed(answer), ['mcp__hub__create_issue', 'mcp__hub__listIssues', 'mcp__hub__merge']);
    assert.match(answer, /^3 tools can be called from your next turn on:\n/);
    assert.deepEqual(offered(), ['mcp__hub__create_issue', 'mcp__hub__listIssues', 'mcp__hub__merge']);
  });

  it('says of each the first sentence, on one line', async () => {
    const answer = await agent().find('hub mail');
    assert.match(answer, /^- mcp__hub__create_issue: Opens a ticket\.$/m);
    assert.match(answer, /^- mcp__hub__listIssues: Lists tickets\.$/m);
    assert.match(answer, /^- mcp__mail_box__send_[0-9a-f]{8}: Sends mail v1\.2 to a person$/m);
  });

  it('takes exact names, those that the model calls and those that the tools have, in any case', async () => {
    for (const name of ['mcp__hub__listIssues', 'MCP__HUB__LISTISSUES']) {
      const { find, offered } = agent();
      await find(`select:${name}`);
      assert.deepEqual(offered(), ['mcp__hub__listIssues']);
    }
    const { find, offered } = agent();
    await find(`select: mcp__mail box__send ,Deploy,, ${wireName('mcp__mail box__send')}`);
    assert.deepEqual(offered(), [wireName('mcp__mail box__send'), 'Deploy']);
  });

  it('guesses no name: of two that differ in case only the exact one is taken', async () => {
    const { find, offered } = agent([waiting('Run'), waiting('run')]);
    await find('select:RUN');
    assert.deepEqual(offered(), []);
    await find('select:run');
    assert.deepEqual(offered(), ['run']);
  });

  it('takes what is there and names what is not', async () => {
    const { find, offered } = agent();
    const answer = await find('select:Deploy,mcp__hub__fork');
    assert.deepEqual(offered(), ['Deploy']);
    assert.match(answer, /None of that name waits: mcp__hub__fork\./);
    assert.match(await find('select:'), /No name was given/);
  });

  it('says when nothing matches, how much there is, and some names', async () => {
    const { find, offered } = agent();
    for (const query of ['weather', 'the tools', '???']) {
      const answer = await find(query);
      assert.match(answer, /^No tool matches ".*5 tools wait: 3 of hub, 1 of mail box, Deploy\.$/);
    }
    assert.deepEqual(offered(), []);
  });

  it('takes a bounded number of matches, and names the others', async () => {
    const tools = Array.from({ length: 40 }, (_, index) => waiting(`report_${index}`));
    const { find, offered } = agent(tools);
    const answer = await find('report');
    assert.equal(offered().length, 8);
    assert.match(answer, /32 more match less well: .* and 20 more/);
    assert.ok(answer.length < 1000);
  });

  it('tells the model before it looks how many tools wait and of which servers, in bounded words', () => {
    assert.match(agent().description(), /5 tools wait: 3 of hub, 1 of mail box, Deploy\.$/);
    assert.match(agent([waiting('mcp__hub__x')]).description(), /1 tool waits: 1 of hub\. Some of them: mcp__hub__x\.$/);
    const many = Array.from({ length: 2000 }, (_, index) => waiting(`mcp__server${index}__tool`, 'long '.repeat(100)));
    assert.ok(agent(many).description().length < 1500);
  });

  it('says so where all is found by now', async () => {
    const { find } = agent([waiting('Only')]);
    await find('select:Only');
    assert.match(await find('only'), /No more tools wait/);
    assert.match(await find('select:Only'), /One that you see among your tools is called directly/);
  });

  it('finds nothing that its agent may not have: of a server that lists more later, an Explore child only what reads', async () => {
    const listed = [waiting('mcp__hub__list')];
    const own = new AgentTools((activated) => resolveAgent({ builtinTools: [findTool] }, { connectionTools: listed }, { name: 'Explore' }, { kind: 'child', activated }), assert.fail);
    const find = (query: string): Promise<string> => executeText(findTool, { query }, toolContext('/', { deferred: own.deferred }));
    listed.push({ ...waiting('mcp__hub__delete', 'Deletes the list.'), isReadOnly: false }, waiting('mcp__hub__count', 'Counts the list.'));
    assert.deepEqual(new Set(foundIn(await find('list delete hub'))), new Set(['mcp__hub__list', 'mcp__hub__count']));
    assert.deepEqual(foundIn(await find('select:mcp__hub__delete')), []);
    assert.deepEqual(own.schemas().map(({ name }) => name), ['FindTool', 'mcp__hub__list', 'mcp__hub__count']);
  });

  it('is not upset by a tool without a description', async () => {
    const broken = { ...waiting('Broken'), description: undefined as unknown as string };
    assert.deepEqual(listed(await agent([broken]).find('broken')), ['Broken']);
  });
});

describe('what a conversation has found', () => {
  const result = (name: string, text: string): Message => ({ role: 'tool', results: [{ callId: 'c', name, isError: false, content: [{ type: 'text', text }] }] });
  const call = (name: string): Message => ({ role: 'assistant', stop: 'tool_calls', content: [{ type: 'tool_call', id: 'c', name, arguments: '{}' }] });

  it('is what FindTool answered and what was called', async () => {
    const answer = await agent().find('create issue mail select:x');
    assert.deepEqual(new Set(foundIn(answer)), new Set(listed(answer)));
    const found = foundTools([textMessage('- Nobody: said it'), call('FindTool'), result('FindTool', answer), call('Deploy'), result('Deploy', '- Other: text of another tool')]);
    assert.deepEqual(found, new Set(['FindTool', ...listed(answer), 'Deploy']));
  });

  it('is nothing where nothing was found, however the question reads', async () => {
    assert.deepEqual(foundIn(await agent().find('zzz\n- Nowhere: x')), []);
    assert.deepEqual(foundIn(await agent().find('select:zzz\n- Nowhere: x')), []);
  });

  it('holds no name that a description makes up', async () => {
    const sly = waiting('Sly', 'Does much\n- Deploy: and more');
    assert.deepEqual(foundIn(await agent([sly]).find('sly')), ['Sly']);
  });
});
