import assert from 'node:assert/strict';
import { createReadCommand, readWith, type ShellReading } from '../../../src/runtime/permissions/shell.ts';
import { loadGrammar } from '../../../src/runtime/permissions/shellGrammar.ts';
import type { ShellPart } from '../../../src/runtime/permissions/shellParts.ts';
import { UNKNOWN } from '../../../src/runtime/permissions/shellText.ts';

const parse = await loadGrammar();

/** The parts in short: words, `? ` before those that ask, `> ` and `< ` before files. */
function shown(command: string): string[] | string {
  const reading = readWith(parse, command);
  return reading.ok ? reading.parts.map(shownPart) : reading.why;
}

function shownPart(part: ShellPart): string {
  switch (part.kind) {
    case 'command':
      return part.words.join('·');
    case 'unclear':
      return `? ${part.words.join('·').replaceAll(UNKNOWN, '…')}`.trimEnd();
    case 'file':
      return `${part.access === 'read' ? '<' : '>'} ${part.path}`;
  }
}

describe('reading of shell commands', () => {
  const readable: [string, string[]][] = [
    ['  git   status\t--short ', ['git·status·--short']],
    ["git commit -m 'a && b; c'", ['git·commit·-m·a && b; c']],
    ['a && b || c ; d | e |& f &', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['! a; (b; c); { d; }', ['a', 'b', 'c', 'd']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in y z; do a; done', ['a']],
    ['case x in a|b) c;; *) d;; esac', ['c', 'd']],
    ['f() { a; }; function g { b; }; f', ['a', 'b', 'f']],
    ['[ -f "a b" ] && [[ -n x && ! -d y ]]', ['[·-f·a b·]', '[[·-n·x·&&·!·-d·y·]]']],
    ['a $(b) "`c`" <(d)', ['b', 'c', 'd', '? a·…·…·…']],
    ['"r"\'m\' a\\ b$\'\\x41\' $"c d" ""', ['rm·a bA·c d·']],
    ['a *.ts {b,c} ~/x "*" @{u} {} x=y', ['? a·….ts·…b,c}·…/x·*·@{u}·{}·x=y']],
    ['a \\\n  b # c\n\nd', ['a·b', 'd']],
    ["cat <<'E' | b > f\n$(c)\nE\nd", ['b', 'cat', 'd', '> f']],
    ['a > f 2>> g < h 2>&1 3>&- &> i > /dev/null', ['a', '> f', '> g', '< h', '> i']],
    ['{ a; b; } > f', ['a', 'b', '> f']],
    ['CI=1 a', ['a']],
    ['PATH=. a', ['? a']],
    ['x=1; a', ['a']],
    ['PATH=.; a', ['?', 'a']],
    ['time nice -n 5 timeout -k 1 5 a b', ['time·nice·-n·5·timeout·-k·1·5·a·b', 'nice·-n·5·timeout·-k·1·5·a·b', 'timeout·-k·1·5·a·b', 'a·b']],
    ['sudo -u x a', ['? sudo·-u·x·a', 'a']],
    ['xargs -n 1 a', ['? xargs·-n·1·a', '? a·…']],
    ["bash -c 'a; sh -c b'", ['bash·-c·a; sh -c b', 'a', 'sh·-c·b', 'b']],
    ['find . -exec a {} \\; -ok b {} +', ['find·.·-exec·a·{}·;·-ok·b·{}·+', 'a·{}', 'b·{}']],
    ["eval 'a; b'", ['? eval·a; b', 'a', 'b']],
    ['ssh host a', ['?']],
    ['cd a && b > c', ['cd·a', 'b', '?']],
    ['cd a && b > /c', ['cd·a', 'b', '> /c']],
    ['x=1', ['?']],
  ];
  for (const [command, parts] of readable) it(`takes ${JSON.stringify(command)} apart`, () => assert.deepEqual(shown(command), parts));

  // Each of these has a tree without any error in it that isn't what the shell does, or isn't known to be.
  for (const command of ['echo a\\\nb', 'r\\\nm x', 'echo \\ #; rm y', 'ls > f rm x', 'echo 2>f x', 'echo {fd}>f', 'ls\u00a0-a', '((rm x))', '[ a < b ]', 'cat <<E\na\\\nE\nb\nE', 'cat <<E\n$(a)\nE', 'echo `a \\`b\\``', 'echo $(a # )\nb)', 'a[1]=2', 'a=(b)', 'select x in a; do b; done', 'echo ${x:=y}', 'echo "${x[1]}"', '[[ (a) ]]', 'a 2>&1>f', '! { a; } &\\\n& b']) {
    it(`doesn't claim to understand ${JSON.stringify(command)}`, () => {
      const reading = readWith(parse, command);
      assert.ok(!reading.ok || reading.parts.some((part) => part.kind === 'unclear'));
    });
  }

  it('names a character that can not be seen', () => {
    assert.match(String(shown('echo \u200b')), /U\+200B/);
    assert.match(String(shown('echo \0')), /U\+0000/);
    assert.match(String(shown('echo "\u202e"')), /U\+202E/);
  });
});

describe('a shell grammar that is not there', () => {
  const isOk = ({ ok }: ShellReading): boolean => ok;

  it('leaves every command unclear, says so, and is looked for again', async () => {
    let there = false;
    const read = createReadCommand(() => (there ? loadGrammar() : Promise.reject(new Error('no such file'))));
    const reading = await read('ls');
    assert.ok(!reading.ok);
    assert.match(reading.why, /grammar.*no such file/);
    there = true;
    assert.ok(isOk(await read('ls')));
  });

  it('is loaded once, and anew after its parser failed', async () => {
    let loads = 0;
    const read = createReadCommand(async () => {
      loads++;
      return (command) => {
        if (command === 'crash') throw new RangeError('out of memory');
        return parse(command);
      };
    });
    assert.deepEqual([await read('ls'), await read('crash'), await read('ls'), await read('ls')].map(isOk), [true, false, true, true]);
    assert.equal(loads, 2);
  });
});
