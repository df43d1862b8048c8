import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { entryDefinition } from '../../../src/runtime/definitions/entries.ts';
import type { SubAgentEntry } from '../../../src/runtime/domain/capabilities.ts';
import type { LiteAgentOptions } from '../../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, promptOf, reopenAgent, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { customTool, type CountedTool } from '../../support/customTool.ts';
import type { Script, ScriptedTurn } from '../../support/scriptedModel.ts';

const entry = (more: Partial<SubAgentEntry> = {}): SubAgentEntry => ({ description: 'Looks things up', prompt: 'You look things up.', ...more });

/** A root that, told `go`, starts a child of each type; the children follow the turns of their own type. */
function starting(types: readonly string[], turns: Readonly<Record<string, readonly ScriptedTurn[]>> = {}): Script {
  const left = new Map(Object.entries(turns).map(([type, own]) => [type, [...own]]));
  return (request) => {
    if (!isRoot(request)) return left.get(promptOf(request))?.shift() ?? { text: `${promptOf(request)} done` };
    if (lastUserText(request) === 'go') return { calls: [{ name: 'Agent', input: { tasks: types.map((type) => ({ display_name: type, subagent_type: type, prompt: type })) } }] };
    return { text: 'Noted.' };
  };
}

const toolsOf = (request: ModelRequest | undefined): readonly string[] => request?.tools.map(({ name }) => name).toSorted() ?? [];

describe('an entry as a definition', () => {
  it('keeps what is data: names of tools as they are called here, and nothing that lives', () => {
    const capabilities = { customTools: [customTool('lookup')], connectionTools: [customTool('mcp__hub__find')], skills: [], allowedTools: ['read_file', 'Grep', 'ours'], disallowedTools: ['bash', 'mcp__hub__*'] };
    const definition = entryDefinition('finder', entry({ appendPrompt: 'Be brief.', model: 'simple', maxTurns: 3, capabilities }));
    assert.deepEqual(definition, {
      name: 'finder',
      description: 'Looks things up',
      prompt: 'You look things up.',
      appendPrompt: 'Be brief.',
      tools: ['Read', 'Grep', 'ours'],
      disallowedTools: ['Bash', 'mcp__hub__*'],
      model: 'simple',
      maxTurns: 3,
      delegable: true,
      source: 'code',
    });
  });

  it('inherits the built-in tools where it has no list', () => {
    const { tools, disallowedTools } = entryDefinition('finder', entry());
    assert.deepEqual([tools, disallowedTools], ['inherit', []]);
  });
});

describe('entries of subAgents', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.end();
  });

  async function start(script: Script, options: Partial<LiteAgentOptions>): Promise<AgentFixture> {
    const fixture = await startAgent(script, options);
    open.push(fixture);
    return fixture;
  }

  async function reopen(before: AgentFixture, script: Script, options: Partial<LiteAgentOptions>): Promise<AgentFixture> {
    const fixture = await reopenAgent(before, script, options);
    open.push(fixture);
    return fixture;
  }

  async function run(fixture: AgentFixture): Promise<void> {
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
  }

  const requestsOf = ({ model }: AgentFixture, prompt: string): readonly ModelRequest[] => model.requests.filter((request) => !isRoot(request) && promptOf(request) === prompt);

  it('win over a file of the same name, whatever its case, and the file is told of it', async () => {
    const fixture = await start([], { subAgents: { Finder: entry(), Explore: entry({ description: 'Ours' }) } });
    const folder = join(fixture.storageDir, '../definitions');
    await mkdir(folder);
    await writeFile(join(folder, 'finder.md'), '---\ndescription: of a file\n---\nFile.');
    await writeFile(join(folder, 'other.md'), '---\ndescription: of a file\n---\nFile.');
    fixture.agent.configure({ agents: { directory: folder } });
    await fixture.agent.definitions.reload();
    const { definitions } = fixture.agent;
    assert.deepEqual(definitions.list().map(({ name, source }) => `${name} ${source}`), ['Explore code', 'Finder code', 'general-purpose builtin', 'other directory']);
    assert.deepEqual(definitions.diagnostics().map(({ code, path }) => [code, path]), [['shadowed', join(folder, 'finder.md')]]);
  });

  it('are offered to the root, and gone with agents: false', async () => {
    const fixture = await start(() => ({ text: 'ok' }), { subAgents: { finder: entry() } });
    const session = await fixture.agent.openSession();
    await session.send('hello');
    const offered = (): string | undefined => fixture.model.requests.at(-1)?.tools.find(({ name }) => name === 'Agent')?.description;
    assert.match(offered() ?? '', /finder.*Looks things up/);
    fixture.agent.configure({ agents: false });
    await session.send('hello');
    assert.equal(offered(), undefined);
    assert.deepEqual(fixture.agent.definitions.list(), []);
  });

  it('run with prompt, tools and limits of their own, which a sibling has not and the root has not', async () => {
    const [lookup, other] = [customTool('lookup', { text: 'FOUND IT' }), customTool('other')];
    const subAgents = {
      finder: entry({ appendPrompt: 'Cite your sources.', maxTurns: 2, capabilities: { customTools: [lookup], allowedTools: ['read_file'] } }),
      writer: entry({ capabilities: { connectionTools: [other], disallowedTools: ['Bash'] } }),
    };
    const fixture = await start(starting(['finder', 'writer'], { finder: [{ calls: [{ name: 'lookup', input: { word: 'x' } }] }] }), { subAgents });
    await run(fixture);
    const [first, second] = requestsOf(fixture, 'finder');
    const [writer] = requestsOf(fixture, 'writer');
    assert.deepEqual(toolsOf(first), ['Read', 'lookup']);
    assert.ok(first?.system.includes('You look things up.') && first.system.endsWith('Cite your sources.'));
    assert.deepEqual(second && toolResults(second), [{ text: 'FOUND IT', isError: false }]);
    assert.deepEqual(lookup.calls, [{ word: 'x' }]);
    assert.ok(toolsOf(writer).includes('other') && toolsOf(writer).includes('Write'));
    assert.ok(!toolsOf(writer).includes('lookup') && !toolsOf(writer).includes('Bash'));
    for (const request of fixture.model.requests.filter(isRoot)) assert.ok(!toolsOf(request).some((name) => name === 'lookup' || name === 'other'));
    assert.equal(fixture.agent.groups()[0]?.children[0]?.maxTurns, 2);
  });

  it('are asked about their own tools, whatever was allowed for the group of a sibling\'s tool of that name', async () => {
    const [own, other] = [customTool('Act'), customTool('Act')].map((tool) => ({ ...tool, isReadOnly: false, actsOnRun: false })) as [CountedTool, CountedTool];
    const subAgents = { a: entry({ capabilities: { customTools: [own] } }), b: entry({ capabilities: { customTools: [other] } }) };
    const turns = (): readonly ScriptedTurn[] => [{ calls: [{ name: 'Act', input: { word: 'x' } }] }];
    const fixture = await start(starting(['a', 'b'], { a: turns(), b: turns() }), { subAgents });
    const { agent, recorder } = fixture;
    agent.approvals.attach();
    const ran = run(fixture);
    await recorder.until('approval.wanted', () => agent.approvals.pending().length === 2);
    const [first] = agent.approvals.pending();
    assert.ok(first);
    await agent.approvals.decide(first.id, { kind: 'allow_group' });
    const [second, ...more] = agent.approvals.pending();
    assert.ok(second && more.length === 0);
    await agent.approvals.decide(second.id, { kind: 'deny' });
    await ran;
    assert.equal(own.calls.length + other.calls.length, 1);
  });

  it('have what their connections list later, from the next turn on', async () => {
    let connected = [customTool('mcp__hub__early')];
    const capabilities = {
      allowedTools: [],
      get connectionTools() {
        return connected;
      },
    };
    const grow = (): void => void (connected = [...connected, customTool('mcp__hub__late')]);
    const fixture = await start(starting(['finder'], { finder: [{ calls: [{ name: 'mcp__hub__early', input: {} }], check: grow }] }), { subAgents: { finder: entry({ capabilities }) } });
    await run(fixture);
    assert.deepEqual(requestsOf(fixture, 'finder').map(toolsOf), [['mcp__hub__early'], ['mcp__hub__early', 'mcp__hub__late']]);
  });

  it('never stand in events, logs or transcripts with more than data', async () => {
    const secret = 'SECRET-OF-THE-TOOL';
    const capabilities = { customTools: [customTool('lookup', { description: secret })], skills: [{ name: 'style', description: secret, instructions: secret }] };
    const fixture = await start(starting(['finder']), { subAgents: { finder: entry({ capabilities }) } });
    await run(fixture);
    await fixture.agent.close();
    assert.ok(!JSON.stringify(fixture.recorder.events).includes(secret));
    for (const file of await readdir(fixture.storageDir, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) assert.ok(!(await readFile(join(file.parentPath, file.name), 'utf8')).includes(secret), file.name);
    }
  });

  it('refuse to start with a list of which nothing is there, naming it, and run with their own tools alone', async () => {
    const own = { customTools: [customTool('lookup')] };
    const fixture = await start(starting(['own']), { subAgents: { typo: entry({ capabilities: { allowedTools: ['Raed'] } }), own: entry({ capabilities: { ...own, allowedTools: ['Raed', 'lookup'] } }) } });
    const session = await fixture.agent.openSession();
    await assert.rejects(session.delegate([{ display_name: 'A', subagent_type: 'typo', prompt: 'x' }]), /typo.*Raed/s);
    await run(fixture);
    const [request] = requestsOf(fixture, 'own');
    assert.deepEqual(toolsOf(request), ['lookup']);
    assert.match(request?.system ?? '', /`Raed`/);
    assert.deepEqual(fixture.recorder.of('child.noted').map(({ text }) => text.includes('Raed')), [true]);
  });

  it('come and go while the agent lives, and a change that makes no sense leaves all as it was', async () => {
    const { agent } = await start(starting([]), {});
    agent.configure({ subAgents: { finder: entry() } });
    const session = await agent.openSession();
    await session.delegate([{ display_name: 'A', subagent_type: 'finder', prompt: 'x' }]);
    assert.throws(() => agent.configure({ subAgents: { finder: { description: '' } as SubAgentEntry } }), { reason: 'invalid_input' });
    await session.delegate([{ display_name: 'B', subagent_type: 'finder', prompt: 'y' }]);
    agent.configure({ subAgents: {} });
    await assert.rejects(session.delegate([{ display_name: 'C', subagent_type: 'finder', prompt: 'z' }]), /"finder" isn't known/);
  });

  it('are live again for a run that goes on in a later process, and missed with a word where they are gone', async () => {
    const subAgents = { finder: entry({ capabilities: { customTools: [customTool('lookup')], allowedTools: ['Read', 'Grep'] } }) };
    const first = await start(starting(['finder']), { subAgents });
    await run(first);
    const agentId = first.agent.groups()[0]?.children[0]?.agentId ?? '';
    await first.agent.close();

    const withEntry = await reopen(first, starting(['finder']), { subAgents });
    await withEntry.agent.resumeChild(agentId, { prompt: 'again' });
    await withEntry.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(toolsOf(requestsOf(withEntry, 'finder').at(-1)), ['Grep', 'Read', 'lookup']);
    assert.deepEqual(withEntry.recorder.of('child.noted'), []);
    await withEntry.agent.close();

    const without = await reopen(first, starting(['finder']), {});
    await without.agent.resumeChild(agentId, { prompt: 'again' });
    await without.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(toolsOf(requestsOf(without, 'finder').at(-1)), ['Grep', 'Read']);
    assert.match(without.recorder.of('child.noted')[0]?.text ?? '', /entry finder/);
    assert.ok((await without.agent.transcript(agentId)).some((line) => line.type === 'note' && line.text.includes('finder')));
  });
});
