import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matches, type RuleUse } from '../../../src/runtime/permissions/matching.ts';
import { parseRule } from '../../../src/runtime/permissions/rules.ts';
import { unitsOf, type CallSubject } from '../../../src/runtime/permissions/subject.ts';
import { edits, fetches, pathAt, reads, runs, subject } from '../../support/permissionsSubjects.ts';

function hits(text: string, call: CallSubject, use: RuleUse = 'allow'): boolean {
  const parsed = parseRule(text);
  assert.ok(parsed.ok, parsed.ok ? '' : `${text}: ${parsed.problem}`);
  const hit = unitsOf(call).map((unit) => matches(parsed.rule, call.tool, unit, use, call.input));
  return use === 'allow' ? hit.every(Boolean) : hit.some(Boolean);
}

const mcp = subject('mcp__github__create_issue', []);
const withInput = (input: unknown, tool = 'mcp__github__create_issue'): CallSubject => ({ ...subject(tool, []), input });

/** Hosts in spellings that people use, and addresses that are there. */
const HOSTS: readonly (readonly [string, string])[] = [
  ['bücher.de', 'https://bücher.de/'],
  ['BÜCHER.de', 'https://xn--bcher-kva.de/'],
  ['xn--bcher-kva.de', 'https://Bücher.de/'],
  ['*.bücher.de', 'https://a.bücher.de/'],
  ['example。org', 'https://example.org/'],
  ['example.org.', 'https://example.org/'],
  ['::1', 'http://[::1]/'],
  ['[0:0:0:0:0:0:0:1]', 'http://[::1]:8080/'],
  ['::ffff:127.0.0.1', 'http://[::ffff:7f00:1]/'],
  ['127.1', 'http://127.0.0.1/'],
  ['127.0.0.1', 'http://0x7f.1/'],
  ['my_host', 'http://MY_host/'],
];

describe('permission rules', () => {
  const allowing: [string, CallSubject, boolean][] = [
    ['Read', reads('a'), true],
    ['Read', reads('a', 'Grep'), true],
    ['Read', reads('a', 'Glob'), true],
    ['Grep', reads('a'), false],
    ['Edit', edits('a', 'Write'), true],
    ['Write', edits('a'), false],
    ['Edit', edits('a', 'CustomWriter'), false],
    ['*', edits('a'), true],
    ['Task*', subject('TaskList', []), true],
    ['Task*', subject('MultiTask', []), false],
    ['mcp__github__*', mcp, true],
    ['mcp__git__*', mcp, false],
    ['mcp__github__create_issue(repo:acme/site)', withInput({ repo: 'acme/site', title: 'x' }), true],
    ['mcp__github__create_issue(repo:acme/*)', withInput({ repo: 'acme/site' }), true],
    ['mcp__github__*(repo:acme/*)', withInput({ repo: 'acme/site' }), true],
    ['mcp__github__*(repo:acme/*)', withInput({ repo: 'acme-evil/site' }), false],
    ['mcp__github__*(repo:acme/*)', withInput({ repo: 'ACME/site' }), false],
    ['mcp__github__*(repo:acme/*)', withInput({ Repo: 'acme/site' }), false],
    ['mcp__github__*(repo:acme/*)', withInput({ title: 'acme/site' }), false],
    ['mcp__github__*(repo:acme/*)', withInput({ more: { repo: 'acme/site' } }), false],
    ['mcp__github__*(repo:*)', withInput({ repo: { name: 'x' } }), false],
    ['mcp__github__*(repo:*)', withInput({ repo: [] }), false],
    ['mcp__github__*(repo:acme/*)', withInput({ repo: ['acme/a', 'acme/b'] }), true],
    ['mcp__github__*(repo:acme/*)', withInput({ repo: ['acme/a', 'other/b'] }), false],
    ['mcp__github__*(title:fix:*)', withInput({ title: 'fix the door' }), true],
    ['mcp__github__*(title:fix:*)', withInput({ title: 'fixture' }), false],
    ['mcp__github__*(count:3)', withInput({ count: 3 }), true],
    ['mcp__github__*(toString:*)', withInput({}), false],
    ['mcp__github__*(repo:x)', withInput('repo:x'), false],
    ['Task*(status:completed)', withInput({ status: 'completed' }, 'TaskUpdate'), true],
    ['edit', edits('a'), false],
    ['Bash(git status:*)', runs('git status'), true],
    ['Bash(git status:*)', runs('git status --short'), true],
    ['Bash(git status:*)', runs('git statusx'), false],
    ['Bash(git status:*)', runs("'git status' x"), false],
    ['Bash(git status)', runs('git status --short'), false],
    ['Bash(git * main)', runs('git push origin main'), true],
    ['Bash(git * main)', runs('git push origin mainly'), false],
    ["Bash(echo 'a b')", runs("echo 'a b'"), true],
    ['Bash(npm test:*)', runs('npm  test'), true],
    ['Bash', runs('echo $HOME'), false],
    ['Bash(*)', runs('ls -la'), true],
    ['Edit(src/**)', edits('src/a/b.ts'), true],
    ['Edit(src/**)', edits('src/.hidden'), true],
    ['Edit(./src/**)', edits('src/a'), true],
    ['Edit(src/*.ts)', edits('src/a/b.ts'), false],
    ['Edit(src)', edits('src/a.ts'), false],
    ['Edit(**)', edits('/etc/passwd'), false],
    ['Edit(//etc/**)', edits('/etc/passwd'), true],
    ['Edit(SRC/**)', edits('src/a'), false],
    ['Edit(!src/**)', edits('other'), false],
    ['Read(**)', reads('.'), true],
    ['Edit(a (1).ts)', edits('a (1).ts'), true],
    ['Edit(a+(b|c))', edits('a+(b|c)'), true],
    ['Edit(a+(b|c))', edits('abcb'), false],
    ['Edit(src/*.{ts,tsx})', edits('src/a.tsx'), true],
    ['Edit([!a]?.ts)', edits('bc.ts'), true],
    ['WebFetch(domain:example.org)', fetches('https://example.org/a?b'), true],
    ['WebFetch(domain:example.org)', fetches('https://EXAMPLE.org.:8443/'), true],
    ['WebFetch(domain:example.org)', fetches('https://www.example.org/'), false],
    ['WebFetch(domain:*.example.org)', fetches('https://www.example.org/'), true],
    ['WebFetch(domain:example.org)', fetches('https://example.org@evil.test/'), false],
    ['WebFetch(domain:example.org)', fetches('https://example.org.evil.test/'), false],
    ['WebFetch(domain:example.org)', fetches('not a url'), false],
    ['WebFetch(domain:example.org)', fetches('https://example.org../'), false],
    ...HOSTS.map(([host, address]): [string, CallSubject, boolean] => [`WebFetch(domain:${host})`, fetches(address), true]),
  ];
  for (const [rule, call, expected] of allowing) {
    it(`an allow rule ${rule} ${expected ? 'covers' : "doesn't cover"} ${call.tool} ${JSON.stringify(call.targets)}`, () => assert.equal(hits(rule, call), expected));
  }

  const restricting: [string, CallSubject, boolean][] = [
    ['Edit', edits('a', 'CustomWriter'), true],
    ['Read(secret/**)', reads('secret/a', 'CustomReader'), true],
    ['Read(secret)', reads('secret/deep/a'), true],
    ['Read(secret/)', reads('secret/deep/a'), true],
    ['Read(SECRET/**)', reads('secret/a'), true],
    ['Read(secret/**)', reads('secret', 'Grep'), true],
    ['Read(**/.env*)', reads('/other/.env.local'), true],
    ['Read(**/.env*)', edits('.env'), false],
    ['Read(caf\u00e9)', reads('cafe\u0301'), true],
    ['mcp__github__*(repo:acme/*)', withInput({ repo: 'ACME/Site' }), true],
    ['mcp__github__*(repo:acme/*)', withInput({ REPO: 'acme/site' }), true],
    ['mcp__github__*(repo:acme/*)', withInput({ list: [{ in: { repo: ['x', 'acme/site'] } }] }), true],
    ['mcp__github__*(repo:acme)', withInput({ repo: { name: 'acme' } }), true],
    ['mcp__github__*(repo:acme/*)', withInput({ title: 'acme/site' }), false],
    ['mcp__github__*(repo:acme/*)', mcp, false],
    ['Agent(subagent_type:Explore)', withInput({ tasks: [{ prompt: 'x' }, { subagent_type: 'explore' }] }, 'Agent'), true],
    ['MCP__GitHub__*', mcp, true],
    ['edit', edits('a', 'Write'), true],
    ['read(secret/**)', reads('secret/a', 'Grep'), true],
    ['bash(rm:*)', runs('rm x'), true],
    ['Bash(rm:*)', runs('rm -rf x'), true],
    ['Bash(rm:*)', runs('/bin/rm x'), true],
    ['Bash(rm:*)', runs('RM x'), true],
    ['Bash(rm:*)', runs("'rm' x"), true],
    ['Bash(rm:*)', runs('rmdir x'), false],
    ['Bash(git push:*)', runs('git -C there push'), true],
    ['Bash(git push:*)', runs('git --no-pager push'), true],
    ['Bash(git push:*)', runs('git commit -m push'), false],
    ['Bash(rm:*)', runs('echo $(rm x)'), true],
    ['Bash(rm:*)', runs('echo "$(/bin/rm x)"'), true],
    ['Bash(rm:*)', runs('echo "farm"'), false],
    ['Bash(* --force)', runs('echo "$x"'), true],
    ['Bash(git push:*)', runs('git $x'), true],
    ['Bash(git push:*)', runs('git $x push'), true],
    ['Bash(git push:*)', runs('git -C "$x" push'), true],
    ['Bash(git push:*)', runs('git push $x'), true],
    ['Bash(git push:*)', runs('git log $x'), false],
    ['Bash(git push:*)', runs('git pushes $x'), false],
    ['Bash(git * main)', runs('git push $x'), true],
    ['Bash(rm:*)', runs("'r\\\nm' x"), false],
    ['Bash(rm:*)', runs('(r\\\nm x'), true],
    ['Bash(rm:*)', runs('("r"m x'), true],
    ['Bash(rm:*)', runs('ssh host "rm x"'), true],
    ['Edit(secret/**)', runs('ls > secret/a'), true],
    ['Write(secret/**)', runs('ls > secret/a'), true],
    ['Read(secret/**)', runs('cat < secret/a'), true],
    ['Edit(secret/**)', runs('cat < secret/a'), false],
    ['Bash(rm:*)', subject('Bash', []), true],
    ['WebFetch(domain:example.org)', fetches('https://www.example.org/'), true],
    ['WebFetch(domain:*.example.org)', fetches('https://example.org/'), true],
    ['WebFetch(domain:example.org)', fetches('not a url'), true],
    ['WebFetch(domain:example.org)', fetches('https://www..example.com/'), true],
    ...HOSTS.map(([host, address]): [string, CallSubject, boolean] => [`WebFetch(domain:${host})`, fetches(address), true]),
  ];
  for (const [rule, call, expected] of restricting) {
    it(`a deny or ask rule ${rule} ${expected ? 'binds' : "doesn't bind"} ${call.tool} ${JSON.stringify(call.targets)}`, () => assert.equal(hits(rule, call, 'restrict'), expected));
  }

  it('a limit binds a file by the name of a link to it too', () => {
    const linked = subject('Read', [{ kind: 'path', access: 'read', path: { ...pathAt('data/x'), asked: '/project/secret/x', relatives: ['data/x', 'secret/x'] } }]);
    assert.equal(hits('Read(secret/**)', linked, 'restrict'), true);
    assert.equal(hits('Read(secret/**)', linked), false);
  });

  for (const text of ['', '  ', 'Read(', 'Read()', 'Read(a', 'Re ad', '(a)', 'Bash(:*)', '*(file_path:*)', '*(rm:*)', 'bas*(rm:*)', 'Task*(a)', 'mcp__a__b(c)', 'mcp__a__b(:c)', 'mcp__a__b(c: )', 'mcp__a__b(c::*)', 'Read(/etc/x)', 'Edit(../x)', 'WebFetch(https://example.org/*)', 'WebFetch(domain:)', 'WebFetch(domain:a.*.b)', ...['example.org:8443', '[::1]:80', '::1]', '[::1', '[::g]', 'a..b', '.a', 'a..', '.', '*.', '*.*.a', '*.127.1', '*.[::1]', 'a/b', 'a@b', 'a b', 'a%2eb', '256.1.1.1'].map((host) => `WebFetch(domain:${host})`), 'constructor(x)', 'Edit(a\\\\\\b)', 'Edit(*a*b*c*d)', 'Edit([z-a])', `Read(${'a'.repeat(5000)})`]) {
    it(`reports ${JSON.stringify(text.slice(0, 40))} as a problem`, () => {
      const parsed = parseRule(text);
      assert.ok(!parsed.ok && parsed.problem !== '');
    });
  }

  it('no pattern takes for ever to compile or to match', () => {
    const many = (part: string, count: number): string => part.repeat(count);
    const patterns = [many('*a', 40), many('**/a/', 40), many('{*,*}', 20), `(a+)+b`, `${many('(', 20)}a+${many(')+', 20)}b`, '+(a|aa)b', '"\\\\\\\\', '(a\\\\\\\\', `${many('{a,', 30)}b`, '{1..999999999}', many('*', 3000)];
    const path = many('a', 200);
    for (const pattern of patterns) {
      const parsed = parseRule(`Edit(${pattern})`);
      for (const use of ['allow', 'restrict'] as const) for (const unit of unitsOf(edits(`${path}/${path}`))) if (parsed.ok) matches(parsed.rule, 'Edit', unit, use);
    }
    const glob = fc.stringMatching(/^[a\\(){}[\]*?+!@|"/,.^$-]{1,24}$/);
    fc.assert(
      fc.property(glob, fc.stringMatching(/^[a\\(){}/,.-]{1,60}$/), (pattern, name) => {
        const parsed = parseRule(`Edit(${pattern})`);
        if (parsed.ok) matches(parsed.rule, 'Edit', unitsOf(edits(`x${name}`))[0] ?? { kind: 'call' }, 'restrict');
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 500) },
    );
  });

  it('never throws, whatever the text and the call', () => {
    const calls = [reads('a'), edits('/b', 'Write'), runs('a && b'), runs('$x'), fetches('https://a.test'), mcp];
    const ruleText = fc.oneof(fc.string(), fc.tuple(fc.constantFrom('Read', 'Edit', 'Bash', 'WebFetch', 'X'), fc.string()).map(([name, pattern]) => `${name}(${pattern})`));
    fc.assert(
      fc.property(ruleText, fc.constantFrom(...calls), fc.constantFrom<RuleUse>('allow', 'restrict'), (text, call, use) => {
        const parsed = parseRule(text);
        if (parsed.ok) for (const unit of unitsOf(call)) matches(parsed.rule, call.tool, unit, use);
      }),
    );
  });
});
