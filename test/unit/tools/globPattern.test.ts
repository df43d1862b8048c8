import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pathMatcher } from '../../../src/runtime/tools/globPattern.ts';

describe("a model's glob", () => {
  for (const pattern of ['*a*a*a*a*a*a*a*a*b', 'src/*a*b*c*d', '{*a,*b}{*c,*d}', `${'**/'.repeat(12)}x`]) {
    it(`is refused where it could take hours: ${pattern}`, () => assert.rejects(pathMatcher(pattern), { reason: 'invalid_input' }));
  }

  for (const [pattern, path] of [['**/*.test.*', 'src/a/b.test.ts'], ['src/**/test_*_*.py', 'src/x/test_a_b.py'], ['!*.md', 'a.ts']] as const) {
    it(`is taken where it is one that people write: ${pattern}`, async () => assert.equal((await pathMatcher(pattern))(path), true));
  }
});
