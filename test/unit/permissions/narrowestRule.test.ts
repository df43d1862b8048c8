import assert from 'node:assert/strict';
import fc from 'fast-check';
import { covered, covers } from '../../../src/runtime/permissions/coverage.ts';
import { narrowestRule } from '../../../src/runtime/permissions/narrowestRule.ts';
import type { CallSubject } from '../../../src/runtime/permissions/subject.ts';
import { edits, fetches, reads, runs, subject } from '../../support/permissionsSubjects.ts';

describe('the narrowest rule', () => {
  const cases: [CallSubject, string | undefined][] = [
    [edits('src/a.ts'), 'Edit(src/a.ts)'],
    [edits('src/a.ts', 'Write'), 'Edit(src/a.ts)'],
    [edits('src/[id].ts'), 'Edit(src/\\[id\\].ts)'],
    [edits('a (1).ts'), 'Edit(a \\(1\\).ts)'],
    [reads('/etc/hosts'), 'Read(//etc/hosts)'],
    [reads('.', 'Grep'), 'Read(.)'],
    [edits('a', 'Custom'), undefined],
    [runs('npm test'), 'Bash(npm test:*)'],
    [runs('npm test -- --watch'), 'Bash(npm test:*)'],
    [runs('npm run test:unit x'), 'Bash(npm run test:unit:*)'],
    [runs('npm rum test x'), 'Bash(npm rum test:*)'],
    [runs('npm urn test x'), 'Bash(npm urn test:*)'],
    [runs('npm run-s test'), 'Bash(npm run-s test:*)'],
    [runs('cargo r x'), 'Bash(cargo r x:*)'],
    [runs('git push origin main'), 'Bash(git push:*)'],
    [runs('git -C x push'), 'Bash(git -C x push)'],
    [runs('rm -rf build'), 'Bash(rm -rf build)'],
    [runs('rm build'), 'Bash(rm build)'],
    [runs("grep 'a b' c"), "Bash(grep 'a b' c)"],
    [runs("grep '*' c"), undefined],
    [runs('npm test && rm x'), undefined],
    [runs('"npm" te\\st'), 'Bash(npm test:*)'],
    [runs('CI=1 npm test 2>&1'), 'Bash(npm test:*)'],
    [runs('npm test > a'), undefined],
    [runs('timeout 5 npm test'), undefined],
    [runs('sudo ls'), undefined],
    [runs("echo it\\'s"), "Bash(echo 'it'\\''s')"],
    [runs('echo $x'), undefined],
    [fetches('https://example.org/a/b'), 'WebFetch(domain:example.org)'],
    [fetches('https://Bücher.de./'), 'WebFetch(domain:xn--bcher-kva.de)'],
    [fetches('http://[0::1]:8080/'), 'WebFetch(domain:[::1])'],
    [fetches('http://a..b/'), undefined],
    [fetches('nonsense'), undefined],
    [fetches('https://*.org/'), undefined],
    [fetches('https://a*.example.org/'), undefined],
    [subject('mcp__github__create_issue', []), 'mcp__github__create_issue'],
    [subject('Bash', []), undefined],
    [subject('Edit', [...edits('a').targets, ...edits('b').targets]), undefined],
  ];
  for (const [call, rule] of cases) it(`of ${call.tool} ${JSON.stringify(call.targets)} is ${rule}`, () => assert.equal(narrowestRule(call), rule));

  it('always covers its own call, and for a file no other file', () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[\0/]|^\.{1,2}$/.test(text));
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')).filter((text) => !text.startsWith('~'));
    fc.assert(
      fc.property(path, path, (one, other) => {
        const rule = narrowestRule(edits(one));
        if (rule === undefined) return;
        assert.ok(covered([rule], edits(one)));
        if (one !== other) assert.equal(covered([rule], edits(other)), false, rule);
      }),
      { numRuns: 1000 },
    );
    fc.assert(fc.property(fc.stringMatching(/^[a-z/]{1,10}( [a-z'*:-]{1,5}){0,3}$/), (command) => {
      const rule = narrowestRule(runs(command));
      if (rule !== undefined) assert.ok(covered([rule], runs(command)));
    }));
  });

  it('answers a waiting request of which only its rule is known by that rule', () => {
    assert.equal(covers('Edit(a)', { rule: 'Edit(a)' }), true);
    assert.equal(covers('Edit(**)', { rule: 'Edit(a)' }), false);
    assert.equal(covers('Edit(a)', { rule: 'Edit(b)' }, edits('a')), true);
  });
});
