import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PermissionLayer, PermissionLists, Verdict } from '../../../src/runtime/domain/permissions.ts';
import { judge } from '../../../src/runtime/permissions/judge.ts';
import { layersFor } from '../../../src/runtime/permissions/layers.ts';
import { createReadFilter } from '../../../src/runtime/permissions/readFilter.ts';
import type { CallSubject } from '../../../src/runtime/permissions/subject.ts';
import { edits, fetches, ownFile, pathAt, reads, runs, subject } from '../../support/permissionsSubjects.ts';

const user = (lists: PermissionLists): PermissionLayer => ({ name: 'user', lists });
const definition = (lists: PermissionLists): PermissionLayer => ({ name: 'definition', lists });
const verdict = (call: CallSubject, ...layers: readonly PermissionLayer[]): Verdict => judge(call, layers).verdict;
const STRICTNESS = { allow: 0, ask: 1, deny: 2 };

describe('judging without rules', () => {
  const mcp = subject('mcp__a__read', []);
  const cases: [string, CallSubject, Verdict][] = [
    ['a read inside the workspace', reads('src/a.ts'), 'allow'],
    ['a search of the whole workspace', reads('.', 'Grep'), 'allow'],
    ['a read-only tool that is not built in', reads('a', 'CustomReader'), 'ask'],
    ['a tool that acts on the run', subject('TaskList', [], true), 'allow'],
    ['a tool that acts on the run but writes', subject('Agent', [{ kind: 'path', access: 'write', path: pathAt('a') }], true), 'ask'],
    ['an MCP tool', mcp, 'ask'],
    ['an MCP tool that calls itself read-only', { ...mcp, isReadOnly: true }, 'ask'],
    ['a read-only built-in that names nothing', subject('Read', []), 'ask'],
    ['an edit', edits('src/a.ts'), 'ask'],
    ['a command', runs('ls'), 'ask'],
    ['a command that is not understood', runs('$x'), 'ask'],
    ['a fetch', fetches('https://example.org/'), 'ask'],
    ['a read outside', reads('/etc/hosts'), 'ask'],
    ['a write outside', edits('/etc/hosts'), 'deny'],
    ["a read of the run's own output", subject('Read', [{ kind: 'path', access: 'read', path: ownFile('/spill/.env') }]), 'allow'],
    ["a write to the run's own output", subject('Edit', [{ kind: 'path', access: 'write', path: ownFile('/spill/x') }]), 'deny'],
    ['reading .env', reads('.env'), 'ask'],
    ['reading a nested .env.local', reads('app/.env.local'), 'ask'],
    ['reading a private key', reads('keys/server.pem'), 'ask'],
    ['listing .ssh', reads('.ssh', 'Glob'), 'ask'],
    ['reading AGENTS.md', reads('AGENTS.md'), 'allow'],
    ['reading .git', reads('.git/HEAD'), 'allow'],
  ];
  for (const [name, call, expected] of cases) it(`${name}: ${expected}`, () => assert.equal(verdict(call, user({})), expected));

  for (const path of ['.env', '.vscode/settings.json', '.git/hooks/pre-commit', '.git', '.GIT/config', 'AGENTS.md', 'pkg/CLAUDE.md', '.lite-agent/agents/a.md', '.claude/settings.json', '.github/agents/x.md', '.mcp.json', 'a.code-workspace', 'skills/x/SKILL.md',
    '.cursor/rules/a.mdc', '.codex/config.toml', '.roo/mcp.json', '.github/copilot-instructions.md', '.github/skills/a/SKILL.md', 'docs/x.instructions.md', '.clinerules', 'opencode.json', 'QWEN.md', '.kiro/steering/a.md', '.agent/rules']) {
    it(`writing ${path} asks even where edits are allowed, and a deny still wins`, () => {
      assert.equal(verdict(edits(path), user({ allow: ['Edit', '*', `Edit(${path})`] })), 'ask');
      assert.equal(verdict(edits(path, 'Write'), user({ allow: ['*'], deny: ['Edit'] })), 'deny');
    });
  }

  it('holds when no layer is given at all', () => {
    assert.equal(verdict(edits('a')), 'ask');
    assert.equal(verdict(edits('a'), definition({ allow: ['*'] })), 'ask');
  });
});

describe('judging by rules', () => {
  const cases: [string, CallSubject, Verdict, ...PermissionLayer[]][] = [
    ['deny comes before ask and allow', runs('ls'), 'deny', user({ allow: ['Bash'], ask: ['Bash'], deny: ['Bash(ls:*)'] })],
    ['ask comes before allow', runs('ls'), 'ask', user({ allow: ['Bash(ls)'], ask: ['Bash'] })],
    ['an allow rule lifts the default', runs('npm test -- -w'), 'allow', user({ allow: ['Bash(npm test:*)'] })],
    ['a compound command needs every part allowed', runs('npm test && rm x'), 'ask', user({ allow: ['Bash(npm test:*)'] })],
    ['parts may be allowed by different rules', runs('npm test && git status'), 'allow', user({ allow: ['Bash(npm test:*)', 'Bash(git status)'] })],
    ['one denied part denies the whole', runs('npm test | rm x'), 'deny', user({ allow: ['Bash'], deny: ['Bash(rm:*)'] })],
    ['the whole tool allowed still asks for what is not understood', runs('$x y'), 'ask', user({ allow: ['Bash', '*'], deny: ['Bash(rm:*)'] })],
    ['a denied word in what is not understood denies', runs('(rm x'), 'deny', user({ allow: ['Bash'], deny: ['Bash(rm:*)'] })],
    ['a denied command is seen through its quotes', runs('r\\m x'), 'deny', user({ allow: ['Bash'], deny: ['Bash(rm:*)'] })],
    ['a command that writes a file needs an edit allowed too', runs('ls > a'), 'ask', user({ allow: ['Bash'] })],
    ['an edit rule allows what a command writes', runs('ls > a'), 'allow', user({ allow: ['Bash', 'Edit(a)'] })],
    ['an edit rule alone runs no command', runs('ls > a'), 'ask', user({ allow: ['Edit(a)'] })],
    ['a command writes nothing outside', runs('ls > /etc/a'), 'deny', user({ allow: ['*'] })],
    ['a command writes to a folder that the user listed', runs('ls > /out/a'), 'allow', user({ allow: ['Bash', 'Edit(//out/**)'] })],
    ['a command reads inside as the file tools do', runs('cat < a'), 'allow', user({ allow: ['Bash'] })],
    ['a command that reads outside asks', runs('cat < /etc/a'), 'ask', user({ allow: ['Bash'] })],
    ['a definition may limit what commands write', runs('ls > src/a'), 'deny', user({ allow: ['*'] }), definition({ deny: ['Edit(src/**)'] })],
    ['a wrapper needs itself and what it runs allowed', runs('timeout 5 npm test'), 'ask', user({ allow: ['Bash(npm test:*)'] })],
    ['a wrapper is allowed with what it runs', runs('timeout 5 npm test'), 'allow', user({ allow: ['Bash(npm test:*)', 'Bash(timeout:*)'] })],
    ['a limit *(rm:*) with a pattern for tools of several kinds asks', runs('rm x'), 'ask', user({ allow: ['*'], deny: ['*(rm:*)'] })],
    ['a limit bas*(rm:*) with a pattern for tools of several kinds asks', runs('rm x'), 'ask', user({ allow: ['*'], deny: ['bas*(rm:*)'] })],
    ['a limit *(secret/**) with a pattern for tools of several kinds asks', edits('secret/a'), 'ask', user({ allow: ['*'], deny: ['*(secret/**)'] })],
    ['a limit Web*(domain:a.test) with a pattern for tools of several kinds asks', fetches('https://a.test/'), 'ask', user({ allow: ['*'], deny: ['Web*(domain:a.test)'] })],
    ['a layer for read-only commands lets them follow the rules', runs('ls | wc -l'), 'allow', user({ allow: ['Bash'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer for read-only commands allows none by itself', runs('ls'), 'ask', user({}), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer for read-only commands asks for any other', runs('ls && make'), 'ask', user({ allow: ['*'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer for read-only commands asks for redirections', runs('ls > a'), 'ask', user({ allow: ['*'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer for read-only commands asks for what is not understood', runs('ls $x'), 'ask', user({ allow: ['*'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer for read-only commands asks for git in another folder', runs('cd docs && git status'), 'ask', user({ allow: ['*'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer for read-only commands lets git read where it is', runs('git status | wc -l'), 'allow', user({ allow: ['*'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer for read-only commands leaves other tools alone', edits('a'), 'allow', user({ allow: ['*'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['a layer that denies all but read-only commands lets them follow the rules', runs('ls | wc -l'), 'allow', user({ allow: ['Bash'] }), { name: 'definition', lists: {}, readOnlyCommands: 'deny' }],
    ['a layer that denies all but read-only commands denies any other', runs('ls && make'), 'deny', user({ allow: ['*'] }), { name: 'definition', lists: {}, readOnlyCommands: 'deny' }],
    ['a layer for read-only commands lifts no deny', runs('ls'), 'deny', user({ allow: ['*'], deny: ['Bash(ls:*)'] }), { name: 'definition', lists: {}, readOnlyCommands: 'ask' }],
    ['the user can list a folder outside for writing', edits('/out/a'), 'allow', user({ allow: ['Edit(//out/**)'] })],
    ['a rule for the whole tool lists no folder', edits('/out/a'), 'deny', user({ allow: ['Edit', '*'], ask: ['Edit'] })],
    ['a listed folder may ask', edits('/out/a'), 'ask', user({ ask: ['Edit(//out/**)'] })],
    ['only the user lists folders', edits('/out/a'), 'deny', user({}), { name: 'workspace', lists: { allow: ['Edit(//out/**)'] } }],
    ['several targets get the strictest word', subject('Edit', [...edits('a').targets, ...edits('b').targets]), 'deny', user({ allow: ['Edit(a)'], deny: ['Edit(b)'] })],
    ['a layer without lists abstains', runs('ls'), 'allow', user({ allow: ['Bash'] }), definition({})],
    ['a closed allow list asks for the rest', runs('ls'), 'ask', user({ allow: ['Bash'] }), definition({ allow: ['Read'] })],
    ['a closed allow list leaves questions to the user alone', { ...subject('AskUser', [], true), asksPerson: true }, 'allow', user({}), definition({ allow: ['Read'] })],
    ['an empty allow list is closed too', reads('a'), 'ask', user({}), definition({ allow: [] })],
    ['what a closed list names stays allowed', reads('a'), 'allow', user({}), definition({ allow: ['Read'] })],
    ['a definition cannot loosen', runs('ls'), 'ask', user({}), definition({ allow: ['*'] })],
    ['28: the stricter of an allow-all parent and an asking child wins', runs('ls'), 'ask', user({ allow: ['*'] }), definition({ ask: ['*'] })],
    ['23: a workspace deny holds for a child that allows itself everything', runs('git push'), 'deny', user({ allow: ['*'] }), { name: 'workspace', lists: { deny: ['Bash(git push:*)'] } }, definition({ allow: ['*'] })],
    ['23: also with options before the sub-command', runs('git -C x push'), 'deny', user({ allow: ['*'] }), { name: 'workspace', lists: { deny: ['Bash(git push:*)'] } }],
    ['25: a definition denies a path', reads('secret/a'), 'deny', user({ allow: ['*'] }), definition({ deny: ['Read(secret/**)'] })],
    ['a deny that cannot be read asks for its tool', runs('ls'), 'ask', user({ allow: ['*'], deny: ['Bash(rm'] })],
    ['a deny that cannot be read leaves other tools alone', reads('a'), 'allow', user({ deny: ['Bash(rm'] })],
    ['an allow that cannot be read allows nothing', runs('ls'), 'ask', user({ allow: ['Bash(ls'] })],
  ];
  for (const [name, call, expected, ...layers] of cases) it(name, () => assert.equal(verdict(call, ...layers), expected));

  const composed: [string, CallSubject, readonly PermissionLayer[], Verdict, PermissionLayer['name'], string | undefined][] = [
    ['a default', reads('a'), [user({})], 'allow', 'user', undefined],
    ['an allow rule', runs('ls'), [user({ allow: ['Bash(ls:*)'] })], 'allow', 'user', 'Bash(ls:*)'],
    ['the asking rule among allowing ones', runs('ls'), [user({ allow: ['*'] }), { name: 'workspace', lists: { ask: ['Bash(l*)'] } }], 'ask', 'workspace', 'Bash(l*)'],
    ['the denying rule of the innermost layer', runs('ls'), [user({ ask: ['*'] }), { name: 'workspace', lists: { ask: ['Bash'] } }, { name: 'parent', lists: {} }, { name: 'subagentPermission', lists: { deny: ['B*'] } }, definition({ allow: ['*'] })], 'deny', 'subagentPermission', 'B*'],
    ['of two denying rules the first layer\'s', runs('ls'), [user({}), { name: 'workspace', lists: { deny: ['Bash'] } }, definition({ deny: ['*'] })], 'deny', 'workspace', 'Bash'],
    ['the denying rule rather than a denying default', edits('/etc/x'), [user({}), definition({ deny: ['Edit'] })], 'deny', 'definition', 'Edit'],
    ['the closed list', runs('ls'), [user({ allow: ['*'] }), definition({ allow: ['Read'] })], 'ask', 'definition', undefined],
    ['the rule of the part that decides', runs('ls && rm x'), [user({ allow: ['Bash(ls)'], deny: ['Bash(rm:*)'] })], 'deny', 'user', 'Bash(rm:*)'],
    ['the limit that cannot be read', runs('ls'), [user({ allow: ['*'] }), { name: 'workspace', lists: { deny: ['Bash(rm'] } }], 'ask', 'workspace', 'Bash(rm'],
    ['the asking rule where the agent never asks', runs('ls'), [user({ ask: ['Bash'] }), { name: 'definition', lists: {}, onAsk: 'deny' }], 'deny', 'user', 'Bash'],
    ['that it is a question where the agent never asks', { ...subject('AskUser', [], true), asksPerson: true }, [user({}), { name: 'definition', lists: {}, onAsk: 'deny' }], 'deny', 'definition', undefined],
    ['a rule against a question, even where the agent never asks', { ...subject('AskUser', [], true), asksPerson: true }, [user({ deny: ['AskUser'] }), { name: 'definition', lists: {}, onAsk: 'deny' }], 'deny', 'user', 'AskUser'],
    ['an allow rule where the agent never asks', runs('ls'), [user({ allow: ['Bash'] }), { name: 'definition', lists: {}, onAsk: 'deny' }], 'allow', 'user', 'Bash'],
  ];
  for (const [name, call, layers, ...expected] of composed) {
    it(`says what decided: ${name}`, () => {
      const { verdict: word, layer, rule, why } = judge(call, layers);
      assert.deepEqual([word, layer, rule], expected);
      assert.match(why, /\.$/);
    });
  }

  it('says of a denial whether it would have asked', () => {
    assert.equal(judge(runs('ls'), [user({}), { name: 'definition', lists: {}, onAsk: 'deny' }]).neverAsks, true);
    assert.equal(judge(runs('ls'), [user({ deny: ['Bash'] }), { name: 'definition', lists: {}, onAsk: 'deny' }]).neverAsks, undefined);
  });

  it('asks where a limit names a host that can be none, whatever else is allowed', () => {
    const text = 'WebFetch(domain:example.org:8443)';
    for (const list of ['deny', 'ask'] as const) {
      const { verdict, rule } = judge(fetches('https://example.org:8443/'), [user({ allow: ['WebFetch'], [list]: [text] })]);
      assert.deepEqual([verdict, rule], ['ask', text]);
    }
  });

  it('names the layer and the rule that decided', () => {
    const judgement = judge(runs('git push'), [user({ allow: ['Bash'] }), { name: 'workspace', lists: { deny: ['Bash(git push:*)'] } }]);
    assert.equal(judgement.layer, 'workspace');
    assert.equal(judgement.rule, 'Bash(git push:*)');
    assert.notEqual(judgement.why, '');
    assert.equal(judge(runs('ls'), [user({})]).rule, undefined);
  });

  it('17: one set of user rules covers the root and every child, and the rest asks', () => {
    const sources = { user: { allow: ['Bash(ls:*)'] }, subagent: { deny: ['WebFetch'] } };
    for (const kind of ['root', 'child'] as const) {
      assert.equal(verdict(runs('ls -a'), ...layersFor(kind, sources)), 'allow');
      assert.equal(verdict(runs('rm a'), ...layersFor(kind, sources)), 'ask');
    }
    assert.equal(verdict(fetches('https://a.test'), ...layersFor('root', sources)), 'ask');
    assert.equal(verdict(fetches('https://a.test'), ...layersFor('child', sources)), 'deny');
  });

  it('the layers of a root hold nothing that is meant for children', () => {
    const all = { user: {}, workspace: {}, parent: {}, subagent: {}, definition: {} };
    assert.deepEqual(layersFor('root', all).map(({ name }) => name), ['user', 'workspace']);
    assert.deepEqual(layersFor('child', all).map(({ name }) => name), ['user', 'workspace', 'parent', 'subagentPermission', 'definition']);
    assert.deepEqual(layersFor('child', {}).map(({ name }) => name), ['user']);
  });

  it('a search leaves out what reading would ask for or deny', () => {
    const shows = createReadFilter([user({ deny: ['Read(secret/**)'] })], { roots: ['/project'], ownFolders: [] });
    assert.deepEqual(['/project/a', '/project/secret/a', '/project/x/.env'].map((file) => shows(file)), [true, false, false]);
  });

  it('a folder that the run was given to read is read like the workspace: what holds secrets is kept back', () => {
    const shows = createReadFilter([user({ deny: ['Read(**/private/**)'] }), definition({ allow: ['Read(src/**)'] })], { roots: ['/project'], ownFolders: [], readFolders: ['/skill'] });
    assert.deepEqual(['/skill/a', '/skill/.env', '/skill/private/a', '/skills/a'].map((file) => shows(file)), [true, false, false, false]);
  });

  it('a search follows the rules for its own tool as well', () => {
    const scope = { roots: ['/project'], ownFolders: [] };
    const layers = [user({ deny: ['Grep(logs/**)'] }), definition({ allow: ['Grep'] })];
    const [grep, glob, custom] = ['Grep', 'Glob', 'mcp__x__search'].map((tool) => createReadFilter(layers, scope, [], tool));
    assert.deepEqual(['/project/a', '/project/logs/a'].map((file) => grep?.(file)), [true, false]);
    assert.deepEqual([glob?.('/project/a'), custom?.('/project/a')], [false, false]);
  });
});

describe('judging is monotone', () => {
  const rule = fc.constantFrom(
    'mcp__*(repo:acme/*)', 'mcp__a__b(repo:*)', 'Task*(status:done)', 'edit(src/**)', 'bash(ls:*)',
    '*', 'Read', 'Edit', 'Bash', 'Task*', 'mcp__*', 'Read(src/**)', 'Edit(src/**)', 'Edit(**)', 'Edit(//out/**)', 'Edit(~/x/**)', 'Read(**/.env*)', 'Write(a)',
    'Bash(ls:*)', 'Bash(git push:*)', 'Bash(* x)', 'WebFetch(domain:a.test)', 'WebFetch', 'Bash(broken', '', 'Edit(/x)',
  );
  const rules = fc.array(rule, { maxLength: 4 });
  const lists: fc.Arbitrary<PermissionLists> = fc.record({ allow: rules, ask: rules, deny: rules }, { requiredKeys: [] });
  const name = fc.constantFrom<PermissionLayer['name']>('workspace', 'parent', 'subagentPermission', 'definition');
  const layers = fc.tuple(lists, fc.array(fc.record({ name, lists }), { maxLength: 3 })).map(([own, others]): PermissionLayer[] => [user(own), ...others]);
  const single = fc.constantFrom(
    reads('src/a'), reads('.env'), reads('/x/.env'), edits('src/a'), edits('a', 'Write'), edits('/out/a'), edits('/other'), edits('.git/config'), edits('a', 'Custom'),
    runs('ls'), runs('ls x && git push'), runs('git -C x push'), runs('echo $(ls)'), runs('eval x'), fetches('https://a.test/'), fetches('%'), subject('mcp__a__b', []), { ...subject('mcp__a__b', []), input: { repo: 'acme/x' } }, subject('TaskList', [], true),
  );
  const call = fc.oneof(single, fc.tuple(single, single).map(([a, b]) => ({ ...a, targets: [...a.targets, ...b.targets] })));
  const strictness = (subject: CallSubject, voices: readonly PermissionLayer[]): number => STRICTNESS[judge(subject, voices).verdict];
  const withRule = (voices: readonly PermissionLayer[], at: number, list: 'ask' | 'deny', text: string): PermissionLayer[] =>
    voices.map((layer, index) => (index === at % voices.length ? { ...layer, lists: { ...layer.lists, [list]: [...(layer.lists[list] ?? []), text] } } : layer));

  it('adding a deny never allows more', () => {
    fc.assert(fc.property(call, layers, fc.nat(), rule, (subject, voices, at, text) => assert.ok(strictness(subject, withRule(voices, at, 'deny', text)) >= strictness(subject, voices))), { numRuns: 2000 });
  });

  it('adding an ask never turns anything into allowed', () => {
    fc.assert(
      fc.property(call, layers, fc.nat(), rule, (subject, voices, at, text) => {
        if (strictness(subject, voices) > 0) assert.ok(strictness(subject, withRule(voices, at, 'ask', text)) > 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('an agent that never asks is refused exactly what would have asked', () => {
    fc.assert(
      fc.property(call, layers, (subject, voices) => {
        const silent = judge(subject, [...voices, { name: 'definition', lists: {}, onAsk: 'deny' }]);
        const attended = judge(subject, voices);
        assert.deepEqual([silent.verdict, silent.neverAsks], attended.verdict === 'ask' ? ['deny', true] : [attended.verdict, undefined]);
      }),
      { numRuns: 1000 },
    );
  });

  it('another layer only tightens', () => {
    fc.assert(fc.property(call, layers, fc.record({ name, lists }), (subject, voices, layer) => assert.ok(strictness(subject, [...voices, layer]) >= strictness(subject, voices))), { numRuns: 2000 });
  });

  it('the order of rules and of layers makes no difference', () => {
    const turned = (voices: readonly PermissionLayer[]): PermissionLayer[] =>
      voices.map((layer) => ({ name: layer.name, lists: Object.fromEntries(Object.entries(layer.lists).map(([key, texts]) => [key, [...(texts as string[])].reverse()])) })).reverse();
    fc.assert(fc.property(call, layers, (subject, voices) => assert.equal(strictness(subject, turned(voices)), strictness(subject, voices))), { numRuns: 1000 });
  });

  it('another target only tightens', () => {
    fc.assert(
      fc.property(single, single, layers, (a, b, voices) => {
        if (a.targets.length > 0) assert.ok(strictness({ ...a, targets: [...a.targets, ...b.targets] }, voices) >= strictness(a, voices));
      }),
      { numRuns: 1000 },
    );
  });
});
