import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { isRoot, promptOf, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { define, delegateTo, requestsOf } from '../../support/codedChildren.ts';
import { tool } from '../../support/permissionsCalls.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';
import { definition } from '../delegation/fixture.ts';

const bash = (command: string) => ({ name: 'Bash', input: { command } });
const READER = definition('reader', { readOnly: true });
const ALLOWING = { user: { allow: ['*', 'Bash', 'Write', 'Edit', 'Bash(touch:*)', 'mcp__*'] }, saveRule: async () => undefined };

const WRITING = [
  'touch probe', 'echo x > probe', 'echo x >> kept', 'echo x | tee probe', 'ls && touch probe', 'echo $(touch probe)', 'cat <(touch probe)', 'sh -c "touch probe"', 'find . -name kept -delete', 'find . -exec touch probe ";"',
  'sed -i s/a/b/ kept', 'cp kept probe', 'rm kept', 'python3 -c "open(\'probe\', \'w\')"', 'sort -o kept kept', 'git init probe', 'node -e "require(\'fs\').writeFileSync(\'probe\', \'\')"', '$SHELL -c "touch probe"', 'eval touch probe', 'unclear ((',
];

describe('a child whose definition says that it only reads (case 26)', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** Children by name, with their turns; a last one that only answers follows. */
  async function start(turns: Readonly<Record<string, readonly ScriptedTurn[]>>, definitions: readonly AgentDefinition[], options: AgentFixtureOptions = {}): Promise<AgentFixture> {
    const left = new Map(Object.entries(turns).map(([name, own]) => [name, [...own]]));
    const script = (request: ModelRequest): ScriptedTurn => (isRoot(request) ? { text: 'Noted.' } : (left.get(promptOf(request))?.shift() ?? { text: 'Done.' }));
    fixture = await startAgent(script, { workspace: { kept: 'as it was\n' }, ...options });
    define(fixture, ...definitions);
    return fixture;
  }

  function heard(name: string): readonly string[] {
    return requestsOf(fixture, name).flatMap((request) => toolResults(request).map(({ text }) => text));
  }

  /** A person who allows whatever is asked, as far as it can be. */
  function allowAll(kind: 'allow_once' | 'allow_group' | 'allow_always'): void {
    fixture.agent.approvals.attach();
    fixture.agent.subscribe((event) => {
      if (event.type === 'approval.wanted') void fixture.agent.approvals.decide(event.request.id, { kind });
    });
  }

  async function assertUntouched(): Promise<void> {
    assert.equal(existsSync(join(fixture.cwd, 'probe')), false);
    assert.equal(await readFile(join(fixture.cwd, 'kept'), 'utf8'), 'as it was\n');
  }

  it('has no tool that writes, nor one of its own that does not say that it reads', async () => {
    const customTools = [tool('Note'), tool('Look', { isReadOnly: true }), tool('Bash'), tool('mcp__db__drop'), tool('mcp__db__list', { isReadOnly: true })];
    const own = definition('reader', { readOnly: true, source: 'code' });
    const sly = definition('sly', { readOnly: true, source: 'code', tools: ['Write', 'Edit', 'Bash', 'Read'] });
    const write = { name: 'Write', input: { file_path: 'probe', content: '' } };
    const edit = { name: 'Edit', input: { file_path: 'kept', old_string: 'was', new_string: 'is' } };
    const entry = (connectionTools: typeof customTools, tools: typeof customTools) => ({ description: 'Reads.', prompt: 'Read.', capabilities: { customTools: tools, connectionTools } });
    await start({ sly: [{ calls: [write, edit, { name: 'mcp__db__drop', input: {} }] }] }, [own, sly], {
      permissions: ALLOWING,
      subAgents: { reader: entry([], customTools), sly: entry(customTools.slice(3), []) },
    });
    await delegateTo(fixture, { reader: 'reader', sly: 'sly' });
    const names = (name: string) => requestsOf(fixture, name)[0]?.tools.map((each) => each.name).sort();
    assert.deepEqual(names('reader'), ['Glob', 'Grep', 'Look', 'Read', 'TaskGet', 'TaskList', 'mcp__db__list'].sort());
    assert.deepEqual(names('sly'), ['Bash', 'Read', 'mcp__db__list']);
    for (const text of heard('sly')) assert.match(text, /no tool named/);
    await assertUntouched();
  });

  it('is refused every command that is not known to only read, without anybody being asked, whatever the rules allow', async () => {
    await start({ reader: [{ calls: WRITING.map(bash) }] }, [READER], { permissions: ALLOWING });
    allowAll('allow_once');
    const [agentId = ''] = await delegateTo(fixture, { reader: 'reader' });
    const { agent, recorder } = fixture;
    assert.deepEqual(recorder.of('tool.ended').map(({ isDenied }) => isDenied), WRITING.map(() => true));
    assert.deepEqual(recorder.of('approval.wanted'), []);
    assert.equal(agent.child(agentId)?.outcome?.refused?.length, WRITING.length);
    await assertUntouched();
  });

  for (const kind of ['allow_once', 'allow_group', 'allow_always'] as const) {
    it(`stays so after a person answered a sibling's same command with ${kind}, and gets no second chance`, async () => {
      const reader = definition('reader', { readOnly: true, permission: { onAsk: 'deny' } });
      const rules: string[] = [];
      const saveRule = async (rule: string): Promise<void> => {
        rules.push(rule);
        fixture.agent.configure({ permissions: { user: { allow: rules }, saveRule } });
      };
      await start({ worker: [{ calls: [bash('touch other')] }], reader: [{ calls: [bash('touch other'), bash('touch probe')] }] }, [definition('worker'), reader], { maxParallelSubagents: 1, permissions: { saveRule } });
      allowAll(kind);
      const [, agentId = ''] = await delegateTo(fixture, { worker: 'worker', reader: 'reader' });
      const { agent, recorder } = fixture;
      assert.deepEqual(recorder.of('tool.ended').map(({ isDenied }) => isDenied), [false, true, true]);
      assert.equal(recorder.of('approval.wanted').length, 1);
      assert.equal(rules.length, kind === 'allow_always' ? 1 : 0);
      assert.deepEqual(agent.approvals.refused(agentId), []);
      await assert.rejects(agent.approvals.allowOnce(agentId, recorder.of('permission.denied')[0]?.callId ?? ''), { reason: 'not_found' });
      await assertUntouched();
    });
  }

  it('runs what only reads as the rules say', async () => {
    const reading = ['cat kept | wc -l', 'ls -a && git status', 'find . -name kept'];
    await start({ reader: [{ calls: [...reading.map(bash), { name: 'Read', input: { file_path: 'kept' } }] }] }, [READER], { permissions: { user: { allow: ['Bash'] } } });
    await delegateTo(fixture, { reader: 'reader' });
    assert.deepEqual(fixture.recorder.of('tool.ended').map(({ isDenied }) => isDenied), [false, false, false, false]);
    const [counted = '', , found = '', read = ''] = heard('reader');
    assert.match(counted, /1/);
    assert.match(found, /kept/);
    assert.match(read, /as it was/);
  });

  it('is refused what only reads where a rule denies it', async () => {
    await start({ reader: [{ calls: [bash('cat kept')] }] }, [READER], { permissions: { user: { deny: ['Bash(cat:*)'] } } });
    await delegateTo(fixture, { reader: 'reader' });
    assert.deepEqual(fixture.recorder.of('tool.ended').map(({ isDenied }) => isDenied), [true]);
  });

  it('keeps the tools away in a dry run as well, which records the commands and lets them run', async () => {
    await start({ reader: [{ calls: [bash('touch other'), { name: 'Write', input: { file_path: 'probe', content: '' } }] }] }, [READER], { permissions: { mode: 'dry-run' } });
    await delegateTo(fixture, { reader: 'reader' });
    assert.deepEqual(fixture.recorder.of('permission.dry_run').map(({ verdict, action }) => [verdict, action]), [['deny', 'touch other']]);
    assert.match(heard('reader')[1] ?? '', /no tool named Write/);
    await assertUntouched();
  });

  for (const [name, before, today] of [['the definition that it started with', READER, definition('reader')], ['today’s definition', definition('reader'), READER]] as const) {
    it(`goes on reading only, where ${name} says so`, async () => {
      await start({ reader: [{ text: 'First.' }, { calls: [bash('touch probe'), { name: 'Write', input: { file_path: 'probe', content: '' } }] }] }, [before], { permissions: ALLOWING });
      const [agentId = ''] = await delegateTo(fixture, { reader: 'reader' });
      define(fixture, today);
      const { agent, recorder } = fixture;
      const { groupId } = await agent.resumeChild(agentId, { prompt: 'And now write.' });
      await recorder.until('group.settled', (event) => event.groupId === groupId);
      const tools = requestsOf(fixture, 'reader')[1]?.tools.map((each) => each.name) ?? [];
      assert.ok(tools.includes('Bash') && !tools.includes('Write') && !tools.includes('Edit'));
      const [denied = '', unknown = ''] = heard('reader');
      assert.match(denied, /Denied/);
      assert.match(unknown, /no tool named Write/);
      await assertUntouched();
    });
  }

  it('can write no more once its definition says so while it runs', async () => {
    let restrict = (): void => undefined;
    const write = { name: 'Write', input: { file_path: 'probe', content: '' } };
    await start({ reader: [{ calls: [{ name: 'Read', input: { file_path: 'kept' } }], check: () => restrict() }, { calls: [write] }] }, [definition('reader')], { permissions: ALLOWING });
    restrict = () => define(fixture, READER);
    await delegateTo(fixture, { reader: 'reader' });
    assert.deepEqual(requestsOf(fixture, 'reader').map(({ tools }) => tools.some(({ name }) => name === 'Write')), [true, false, false]);
    await assertUntouched();
  });
});
