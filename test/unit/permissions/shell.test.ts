import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { commandText, simpleCommands } from '../../../src/runtime/permissions/shell.ts';

describe('reading of shell commands', () => {
  const readable: [string, string[][]][] = [
    ['ls', [['ls']]],
    ['  git   status\t--short ', [['git', 'status', '--short']]],
    ["git commit -m 'a && b; c'", [['git', 'commit', '-m', 'a && b; c']]],
    ['a && b || c ; d | e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a&&b|c', [['a'], ['b'], ['c']]],
    ["'rm' x", [['rm', 'x']]],
    ["echo ''", [['echo', '']]],
    ['npm run test:unit', [['npm', 'run', 'test:unit']]],
    ['bash build.sh', [['bash', 'build.sh']]],
    ['find . -name a', [['find', '.', '-name', 'a']]],
  ];
  for (const [text, commands] of readable) it(`splits ${JSON.stringify(text)}`, () => assert.deepEqual(simpleCommands(text), { ok: true, commands }));

  const unclear = [
    '', ' ', 'a;', '&& a', 'a && ', 'a ;; b', 'a & b', 'a &', 'a |& b', 'a\nb', 'a\r\nb', 'a # b', 'a > f', 'a < f', 'a 2>&1', '(a)', '{ a; }', '! a',
    'echo $HOME', 'echo $(rm x)', 'echo `rm x`', 'echo "a"', 'r\\m x', "$'\\x72m' x", "r'm' x", "'r'm x", 'ls *', 'ls ?', 'ls [ab]', 'ls {a,b}', 'ls ~', 'diff <(a) <(b)', "'' x", "echo 'a\nb'", "echo 'open",
    'A=1 b', 'PATH+=x b', 'eval a', 'source a', '. a', 'trap a EXIT', 'exec a', 'command a', 'builtin a', 'env a', 'env A=1 a', 'sudo a', '/usr/bin/sudo a', 'nohup a', 'nice a', 'timeout 1 a', 'time a', 'xargs a', 'coproc a',
    'sh -c a', 'bash -lc a', 'sh', 'a | sh', 'bash --rcfile x', 'find . -exec rm x', 'find . -execdir rm x', 'find . -ok rm x', 'if a', 'while a', 'for a in b', "'eval' a", 'a\u2028b', 'a\u00a0b', 'echo \u202erm',
  ];
  for (const text of unclear) it(`doesn't claim to understand ${JSON.stringify(text)}`, () => assert.equal(simpleCommands(text).ok, false));

  it("doesn't claim to understand a command with options without end, which limits would have to look at one by one", () => {
    assert.equal(simpleCommands(`git ${'-x '.repeat(100_000)}push`).ok, false);
    assert.equal(simpleCommands(`git ${'-x a '.repeat(100_000)}push`).ok, false);
    assert.equal(simpleCommands(`cat ${'a '.repeat(10_000)}`).ok, true);
  });

  it('agrees with a real shell on the words of what it accepts', function () {
    if (process.platform === 'win32') this.skip();
    const word = fc.oneof(fc.stringMatching(/^[a-z0-9_./:=,@%+-]{1,6}$/), fc.stringMatching(/^'[ -&(-~]{0,6}'$/));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const reading = simpleCommands(`printf @ ${words.join(' ')}`);
        assert.ok(reading.ok);
        const seen = execFileSync('sh', ['-c', `for w in ${words.join(' ')}; do printf '%s\\n' "$w"; done`], { encoding: 'utf8' });
        assert.deepEqual(reading.commands[0]?.slice(2), seen.split('\n').slice(0, -1));
      }),
      { numRuns: 40 },
    );
  });

  it('writes words back so that they read the same', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -&(-~]{1,8}$/), { minLength: 1, maxLength: 4 }), (words) => {
        const reading = simpleCommands(commandText(['echo', ...words]));
        assert.deepEqual(reading, { ok: true, commands: [['echo', ...words]] });
      }),
    );
  });

  it('always answers', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(typeof simpleCommands(text).ok, 'boolean')));
  });
});

describe('why a command is unclear', () => {
  it('names the character, also one that can not be seen', () => {
    const why = (command: string): string => {
      const reading = simpleCommands(command);
      return reading.ok ? '' : reading.why;
    };
    assert.equal(why('echo "a"'), 'it holds the character "');
    assert.match(why('echo \u200b'), /U\+200B/);
  });
});
