import assert from 'node:assert/strict';
import type { EditorPart, EditorRequest } from '../../src/host/lm/editorModel.ts';
import { createEditorProvider } from '../../src/host/lm/editorProvider.ts';
import type { ModelProvider, ModelRef } from '../../src/runtime/domain/models.ts';
import { createOfflineProvider } from '../../src/runtime/providers/offline/client.ts';
import { startAgent, type AgentFixture } from '../support/agentFixture.ts';
import { assertEditorRequest } from '../support/editorRequest.ts';
import { RawServer, type RecordedRequest } from '../support/rawServer.ts';
import { assertWireFormat } from '../support/wireFormat.ts';
import type { WireTurn } from '../support/wireFrames.ts';
import { KEY, WIRES } from './wires.ts';

const REMINDER = '<program-reminder>';

/** A request as text: what comes before the conversation, then the conversation block by block. */
interface Sent {
  readonly frame: string;
  readonly blocks: readonly string[];
  readonly isRoot: boolean;
}

type Json = Readonly<Record<string, unknown>>;

function sentOn({ body, path }: RecordedRequest): Sent {
  assertWireFormat({ body, path });
  const { messages, input, system, instructions, tools } = body;
  const turns = (messages ?? input) as readonly Json[];
  return { frame: JSON.stringify({ system, instructions, tools }), blocks: turns.flatMap(blocksOf), isRoot: JSON.stringify(tools).includes('"Agent"') };
}

function sentToEditor(request: EditorRequest): Sent {
  assertEditorRequest(request, 1);
  return { frame: JSON.stringify(request.tools), blocks: request.turns.flatMap((turn) => blocksOf({ ...turn })), isRoot: request.tools.some(({ name }) => name === 'Agent') };
}

/** Plain text is one block, and two where a reminder was joined to it. */
function blocksOf({ content, ...turn }: Json): readonly string[] {
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : typeof content === 'string' ? content.split(/\n\n(?=<program-reminder>)/) : [content];
  return blocks.map((block) => JSON.stringify([turn, block]));
}

const withoutBreakpoint = (block: string): string => block.replace(',"cache_control":{"type":"ephemeral"}', '');

/** What holds for the requests of one root, in order. */
function assertReminded(requests: readonly Sent[]): void {
  const reminded = requests.filter(({ blocks }) => blocks.some((block) => block.includes(REMINDER)));
  assert.ok(reminded.length >= 3, 'most turns have something to be reminded of');
  assert.ok(!reminded.includes(requests[0]!), 'the first has nothing');
  for (const { blocks, frame } of reminded) {
    assert.deepEqual(blocks.flatMap((block, index) => (block.includes(REMINDER) ? [index] : [])), [blocks.length - 1], 'it is the last block, and only that');
    assert.ok(!blocks.at(-1)?.includes('cache_control'), 'no breakpoint covers it');
    assert.ok(!frame.includes(REMINDER));
  }
  requests.forEach(({ blocks, frame }, index) => {
    const next = requests[index + 1];
    if (!next) return;
    assert.equal(next.frame, frame, 'what comes before the conversation stays the same');
    const kept = blocks.filter((block) => !block.includes(REMINDER)).map(withoutBreakpoint);
    assert.deepEqual(next.blocks.slice(0, kept.length).map(withoutBreakpoint), kept, 'the next request begins as this one');
  });
}

/** A root that delegates once, reads the results, and is asked once more. */
async function converse(provider: ModelProvider, model: ModelRef): Promise<AgentFixture> {
  const fixture = await startAgent([], { provider, model, shell: false, ripgrep: '/nowhere/rg' });
  const session = await fixture.agent.openSession();
  await session.send('Delegate.');
  await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
  await session.send('And now?');
  assert.deepEqual(fixture.agent.tasks.list().map(({ status }) => status), ['review', 'review']);
  const entries = JSON.stringify(await fixture.agent.transcript(session.sessionId));
  assert.ok(entries.includes('And now?') && !entries.includes('program-reminder'), 'the transcript holds no reminder');
  return fixture;
}

const TASKS = ['A', 'B'].map((name) => ({ display_name: name, prompt: `Work of ${name}.` }));

/** Whether nobody has answered yet. */
const isFresh = ({ isRoot, blocks }: Sent): boolean => isRoot && !blocks.some((block) => block.includes('"role":"assistant"') || block.includes('"function_call"'));

describe('the reminder of each turn', () => {
  let fixture: AgentFixture | undefined;
  afterEach(async () => {
    await fixture?.end();
    fixture = undefined;
  });

  for (const wire of WIRES) {
    it(`ends each request to ${wire.name}, behind every cache breakpoint, and is nowhere else`, async () => {
      const server = await RawServer.start();
      try {
        server.answer = (request) => {
          const call: WireTurn = { calls: [{ id: 'call_1', name: 'Agent', pieces: [JSON.stringify({ tasks: TASKS })] }] };
          return { chunks: wire.frames(isFresh(sentOn(request)) ? call : { text: ['Done.'] }) };
        };
        fixture = await converse(wire.create(server.url, KEY), { provider: 'real', model: wire.model });
        const requests = server.requests.map(sentOn);
        assertReminded(requests.filter(({ isRoot }) => isRoot));
        const children = requests.filter(({ isRoot }) => !isRoot);
        assert.equal(children.length, 2);
        for (const { blocks } of children) assert.ok(!blocks.join('').includes('reminder'), 'a child has none');
      } finally {
        wire.restore();
        await server.stop();
      }
    });
  }

  it("ends each request to the editor's models, and is nowhere else", async () => {
    const requests: EditorRequest[] = [];
    const answer = async function* (request: EditorRequest): AsyncGenerator<EditorPart> {
      yield isFresh(sentToEditor(request)) ? { type: 'tool_call', id: 'call_1', name: 'Agent', input: { tasks: TASKS } } : { type: 'text', text: 'Done.' };
    };
    const provider = createEditorProvider({ ownVendor: 'own', models: { select: async () => ({ send: async (request) => (requests.push(request), answer(request)) }) } });
    fixture = await converse(provider, { provider: 'vscode', model: 'v/m' });
    const sent = requests.map(sentToEditor);
    assertReminded(sent.filter(({ isRoot }) => isRoot));
    for (const { blocks } of sent.filter(({ isRoot }) => !isRoot)) assert.ok(!blocks.join('').includes('reminder'));
  });

  it('is not taken for words of the user by the offline model', async () => {
    fixture = await startAgent([], { provider: createOfflineProvider(), model: { provider: 'offline', model: 'offline' } });
    const session = await fixture.agent.openSession();
    await session.send('- sleep 0.01\n- sleep 0.02');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    const said = await session.send('hello');
    assert.match(said.status === 'completed' ? said.text : '', /I turn a request into subagents/);
    assert.equal(fixture.agent.groups().length, 1);
  });
});
