import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { childLayers, resolveChild, type ChildSetup } from '../../../src/runtime/delegation/childSetup.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import type { AgentPermission } from '../../../src/runtime/domain/permissions.ts';
import { judge } from '../../../src/runtime/permissions/judge.ts';
import { tool } from '../../support/permissionsCalls.ts';
import { edits, runs } from '../../support/permissionsSubjects.ts';
import { definition } from './fixture.ts';

describe('the permissions of a child', () => {
  const options = { user: { allow: ['*'] } };
  const withPermission = (permission: AgentPermission) => definition('quiet', { permission });

  it('let Explore run without asking only what is known to read', () => {
    for (const name of ['Explore', 'EXPLORE']) {
      const verdict = (command: string): string => judge(runs(command), childLayers(definition(name), undefined, options)).verdict;
      assert.deepEqual(['ls -a | wc -l', 'git log --oneline', 'ls > a', 'make', 'ls && rm a', 'ls $x', 'git log --output=a'].map(verdict), ['allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask']);
    }
  });

  it('let Explore run nothing that the rules keep back', () => {
    assert.equal(judge(runs('ls'), childLayers(definition('Explore'), undefined, {})).verdict, 'ask');
    assert.equal(judge(runs('ls'), childLayers(definition('Explore'), undefined, { user: { allow: ['*'], deny: ['Bash(ls:*)'] } })).verdict, 'deny');
  });

  it('leave the commands of any other child to the rules', () => {
    assert.equal(judge(runs('make'), childLayers(definition('Explorer'), undefined, options)).verdict, 'allow');
    assert.equal(judge(edits('a'), childLayers(definition('Explore'), undefined, options)).verdict, 'allow');
  });

  it('deny a child that only reads every other command, by its own definition or by today’s', () => {
    const reader = definition('reader', { readOnly: true });
    const writer = definition('reader');
    const verdicts = (layers: ReturnType<typeof childLayers>): readonly string[] => ['ls', 'ls > a', 'make'].map((command) => judge(runs(command), layers).verdict);
    for (const [before, today] of [[reader, undefined], [reader, writer], [writer, reader]] as const) assert.deepEqual(verdicts(childLayers(before, today, options)), ['allow', 'deny', 'deny']);
    assert.deepEqual(verdicts(childLayers(writer, writer, options)), ['allow', 'allow', 'allow']);
    assert.deepEqual(verdicts(childLayers(definition('Explore', { readOnly: true }), undefined, options)), ['allow', 'deny', 'deny']);
  });

  it('hold from both the definition that it started with and today’s', () => {
    const lists = childLayers(withPermission({ deny: ['Bash'] }), withPermission({ ask: ['Read'] }), {}).map((layer) => layer.lists);
    assert.deepEqual(lists.slice(1), [{ deny: ['Bash'] }, { ask: ['Read'] }]);
  });

  it('never ask where either of the two says so', () => {
    const silent = withPermission({ onAsk: 'deny' });
    const asking = withPermission({});
    assert.ok(childLayers(silent, asking, {}).some(({ onAsk }) => onAsk === 'deny'));
    assert.ok(childLayers(asking, silent, {}).some(({ onAsk }) => onAsk === 'deny'));
    assert.ok(!childLayers(asking, asking, {}).some(({ onAsk }) => onAsk === 'deny'));
  });
});

describe('the tools of a child with skills', () => {
  const tools = (changes: Partial<AgentDefinition>): ChildSetup => {
    const builtinTools = ['Read', 'Write', 'Skill'].map((name) => tool(name));
    return resolveChild(definition('skilled', changes), { display_name: 'A', prompt: 'p' }, { builtinTools, parent: {}, models: { inherited: { provider: 'p', model: 'm' }, isReachable: () => true }, maxTurns: 5, servers: [] });
  };
  const names = (changes: Partial<AgentDefinition>): readonly string[] | false => {
    const setup = tools(changes);
    return setup.ok && setup.tools;
  };

  it('hold the one that loads them, whatever tools it is limited to', () => {
    assert.deepEqual(names({ tools: ['Read'], skills: ['pdf'] }), ['Read', 'Skill']);
    assert.deepEqual(names({ tools: [], skills: ['pdf'] }), ['Skill']);
    assert.deepEqual(names({ tools: ['Read'] }), ['Read']);
  });

  it('don\'t hold it where the definition denies it', () => {
    assert.deepEqual(names({ tools: ['Read'], skills: ['pdf'], disallowedTools: ['Skill'] }), ['Read']);
  });

  it('are no reason to start where none of the tools that it names is there', () => {
    assert.equal(names({ tools: ['Nothing'], skills: ['pdf'] }), false);
    assert.deepEqual(names({ tools: ['Skill'], skills: ['pdf'] }), ['Skill']);
  });
});

describe('the tools of a child', () => {
  const builtinTools = [tool('Read', { isReadOnly: true }), tool('Write', { isReadOnly: false })];
  const setUp = (more: Partial<AgentDefinition>, servers: readonly string[] = []): ChildSetup =>
    resolveChild(definition('x', more), { display_name: 'X', prompt: 'p' }, { builtinTools, parent: {}, models: { inherited: { provider: 'p', model: 'm' }, isReachable: () => true }, maxTurns: 9, servers });
  const tools = (setup: ChildSetup): readonly string[] | string => (setup.ok ? setup.tools : setup.problem);

  it('are those of the list that are there, beside its servers', () => {
    assert.deepEqual(tools(setUp({ tools: ['Read', 'Grep'], servers: [{ server: 'github', tools: 'all' }] })), ['Read']);
    assert.deepEqual(tools(setUp({ tools: [] })), []);
    assert.deepEqual(tools(setUp({ disallowedTools: ['Read', 'Write'] })), []);
  });

  it('may all come from a server that is configured, or that the definition brings (case 42)', () => {
    assert.deepEqual(tools(setUp({ tools: [], servers: [{ server: 'github', tools: 'all' }] }, ['github'])), []);
    assert.deepEqual(tools(setUp({ tools: ['Grep'], servers: [{ server: 'gone', tools: 'all' }, { server: 'own', config: { command: 'c' }, tools: ['a'] }] })), []);
  });

  it('keep it from starting where none of those that it names is there, each by its name (case 42)', () => {
    const gone = [{ server: 'github', tools: 'all' as const }, { server: 'files', tools: ['read', 'list'] }];
    assert.equal(tools(setUp({ tools: ['Grep'], servers: gone }, ['docs'])), 'none of the tools of x is available here (Grep, github/*, files/read, files/list; MCP servers that aren\'t configured: github, files)');
    assert.equal(tools(setUp({ tools: ['Grep', 'Bash'] }, ['docs'])), 'none of the tools of x is available here (Grep, Bash)');
    assert.equal(tools(setUp({ tools: ['Write'], readOnly: true })), 'none of the tools of x is available here (Write)');
  });
});
