import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import type { PermissionLists, Verdict } from '../../../src/runtime/domain/permissions.ts';
import { judge } from '../../../src/runtime/permissions/judge.ts';
import { readWith } from '../../../src/runtime/permissions/shell.ts';
import { loadGrammar } from '../../../src/runtime/permissions/shellGrammar.ts';
import { commandText } from '../../../src/runtime/permissions/shellText.ts';
import { tempFolder } from '../../support/permissionsCalls.ts';
import { runs } from '../../support/permissionsSubjects.ts';
import { BROAD, CORPUS, DEVELOPER } from './shellCorpus.ts';

const parse = await loadGrammar();
const BASH = ['/bin/bash', '/usr/bin/bash'].find((each) => existsSync(each));
/** More of the slow ones when hunting: `FUZZ_RUNS=20000`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);

const verdict = (command: string, lists: PermissionLists): Verdict => judge(runs(command), [{ name: 'user', lists }]).verdict;

describe('shell commands composed of parts', () => {
  const whole = Object.values(CORPUS).flatMap((cases) => cases.map(([command]) => command)).filter((command) => command.length < 200 && readWith(parse, command).ok);
  const part = fc.constantFrom(...whole.filter((command) => !/#|<</.test(command)));
  const anyPart = fc.constantFrom(...whole);
  const join = fc.constantFrom<(a: string, b: string) => string>(
    (a, b) => `${a} && ${b}`, (a, b) => `${a} || ${b}`, (a, b) => `${a}; ${b}`, (a, b) => `${a} | ${b}`, (a, b) => `${a} & ${b}`, (a, b) => `${a}\n${b}`, (a, b) => `( ${a} ); { ${b}; }`, (a, b) => `${a};${b}`,
    (a, b) => `if ${a}; then ${b}; fi`, (a, b) => `while ${a}\ndo ${b}\ndone`, (a, b) => `for x in y; do ${a}; ${b}; done`, (a, b) => `case x in y) ${a};; *) ${b};; esac`, (a, b) => `f() { ${a}; }; ${b}`,
    (a, b) => `${a} # x\n${b}`, (a, b) => `${a} && cat <<E\nx\nE\n${b}`, (a, b) => `{ ${a}; } > out/a; ${b}`, (a, b) => `bash -c ${commandText([a])} && ${b}`, (a, b) => `time ${a} && ${b}`, (a, b) => `timeout 5 ${a}\n${b}`, (a, b) => `x=$(${a}); ${b}`, (a, b) => `ls <<< "$(${a})" | ${b}`,
  );

  it('are allowed only if every part alone is', () => {
    fc.assert(
      fc.property(part, part, join, fc.constantFrom(DEVELOPER, BROAD), (a, b, joined, lists) => checkParts(joined(a, b), [a, b], lists)),
      { numRuns: 1000 },
    );
  });

  it('are allowed only if every line is', () => {
    fc.assert(
      fc.property(fc.array(anyPart, { minLength: 1, maxLength: 4 }), fc.constantFrom(DEVELOPER, BROAD), (lines, lists) => checkParts(lines.join('\n'), lines, lists)),
      { numRuns: 700 },
    );
  });

  it('are allowed where every part alone is and nothing but plain separators joins them', () => {
    const plain = fc.constantFrom('ls -a', 'cat a', "echo 'a; b'", 'git status', 'grep "a b" c', 'true', 'npm test 2>&1', 'ls > out/a', 'CI=1 npm test');
    // The grammar takes a line behind a long pipeline for a part of it. That is found out, and asks.
    const separators = fc.constantFrom([' && ', ' || ', '; ', '\n', ' & ', ' &&\n'], [' && ', ' || ', '; ', ' | ', ' & ', ' |& ']);
    const parts = separators.chain((some) => fc.array(fc.tuple(plain, fc.constantFrom(...some)), { minLength: 1, maxLength: 5 }));
    fc.assert(fc.property(parts, plain, (before, last) => assert.equal(verdict(before.map(([command, separator]) => command + separator).join('') + last, DEVELOPER), 'allow')), { numRuns: 500 });
  });

  function checkParts(command: string, parts: readonly string[], lists: PermissionLists): void {
    if (verdict(command, lists) !== 'allow') return;
    for (const each of parts) assert.ok(verdict(each, lists) === 'allow' || isNothing(each), `${JSON.stringify(command)} in spite of ${JSON.stringify(each)}`);
  }

  /** True for a part that names no command, which asks alone and is judged by its files beside another. */
  function isNothing(command: string): boolean {
    const reading = readWith(parse, command);
    return reading.ok && reading.parts.every((each) => each.kind === 'file' || (each.kind === 'unclear' && each.text === ''));
  }
});

describe('quoting', () => {
  const quote = fc.constantFrom<(letter: string) => string>((a) => a, (a) => `\\${a}`, (a) => `'${a}'`, (a) => `"${a}"`, (a) => `""${a}`, (a) => `${a}''`, (a) => `$'${a}'`, (a) => `$"${a}"`, (a) => `$'\\x${a.charCodeAt(0).toString(16)}'`, (a) => `$'\\${a.charCodeAt(0).toString(8).padStart(3, '0')}'`);
  const words = fc.constantFrom('rm x', 'git push', 'curl a', 'sudo ls', 'eval ls', 'ssh a b', 'make', 'xargs wc', 'git -C a push', '/bin/rm a', 'source a', 'find a -exec rm b ;', 'env PATH=a ls');

  it('another way never lets a command through that is kept back', () => {
    fc.assert(
      fc.property(words, fc.array(quote, { minLength: 24, maxLength: 24 }), fc.constantFrom(DEVELOPER, BROAD), (plain, quotes, lists) => {
        const quoted = plain.split(' ').map((word) => [...word].map((letter, index) => quotes[index]?.(letter) ?? letter).join('')).join(' ');
        if (verdict(plain, lists) !== 'allow') assert.notEqual(verdict(quoted, lists), 'allow', quoted);
      }),
      { numRuns: 700 },
    );
  });

  it('is taken off as bash does it', function () {
    if (BASH === undefined) this.skip();
    this.timeout(60_000 + RUNS * 100);
    const piece = fc.oneof(
      fc.stringMatching(/^[a-z0-9_./:=,@%+^-]{1,4}$/), fc.stringMatching(/^'[ -&(-~]{0,5}'$/), fc.stringMatching(/^"[ !#%-[\]-_a-~]{0,5}"$/), fc.stringMatching(/^\\[ -~]$/),
      fc.constantFrom('\\\n', '"\\$x"', '"a\\\nb"', '"\\a\\"\\\\"', "$'\\x41\\102\\n\\t\\e\\u00e9'", "$'a\"b'", '$"a b"', '$', 'é', '日本', '{}', '"\'"', "'\"'", '#', '~', '!', ']', '}'),
    );
    const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => `x${pieces.join('')}`);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const line = words.join(' ');
        const reading = readWith(parse, `printf @ ${line}`);
        if (!reading.ok) return;
        const [only] = reading.parts;
        if (only?.kind !== 'command') return;
        const { stdout } = spawnSync(BASH, ['--norc', '-c', `printf '%s\\0' ${line}`], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
        assert.deepEqual(only.words.slice(2), stdout.split('\0').slice(0, -1), line);
      }),
      { numRuns: RUNS },
    );
  });

  it('is put on so that the words read the same', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~\n\té]{0,8}$/), { minLength: 1, maxLength: 4 }), (words) => {
        assert.deepEqual(readWith(parse, commandText(['echo', ...words])), { ok: true, parts: [{ kind: 'command', words: ['echo', ...words] }] });
      }),
      // What the grammar takes for the start of a number with a base, and for an operator.
      { examples: [[['0#', '']], [['10#x']], [['==']], [['-0#', '']]] },
    );
  });

  it('keeps different words different', () => {
    const list = fc.array(fc.stringMatching(/^[a' "]{0,5}$/), { minLength: 1, maxLength: 4 });
    fc.assert(fc.property(list, list, (a, b) => assert.equal(commandText(a) === commandText(b), a.length === b.length && a.every((word, index) => word === b[index]))), { numRuns: 1000 });
  });
});

describe('any text at all', () => {
  const tokens = [
    'a', 'b', 'x', ' a', ' b', ' x', ' a', ' b', ' x', ' ', '  ', '\t', '\n', ';', '|', '&', '&&', '||', '(', ')', '{ ', '; }', '#', ' #', '$(', '${x}', '$x', '!', '! ', 'if ', '; then ', '; fi', ' do ', '; done', 'while ', 'for x in ', ' <<E\n', '\nE\n', ' <<-E\n',
    "<<'E'\n", 'E\n', "$'", '$"', '"', '"', "'", "'", '"a b"', "'a b'", '\\', '\\\n', '\\ ', ' \\\n ', '*', '~', '=', '$', '"$', '$\\\n', '(a b)', '{x}', 'CI=1 ', 'CI=', '[ ', ' ]', '[[ ', ' ]]', '-a', '<', '>', ' > ', '2>', '>&', '&>', 'case ', ' in ', 'esac', ') ', ';;', '`', '`a`', '$(a)', '{}', '{a,b}', 'a()', 'function ', '<(', '>(',
    '<<<', '1', 'time ', '\\"', "\\'", '\\$', '$$', '{', '}', '\r', 'é', '%', '^', '+', ',', '/',
  ];
  const line = fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 14 }).map((parts) => `a${parts.join('')}`);

  it('gets an answer', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), line, fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'))), (text) => assert.equal(typeof readWith(parse, text).ok, 'boolean')), { numRuns: 500 });
  });

  it('that is understood runs no command and opens no file in bash that the reading lacks', async function () {
    if (BASH === undefined) this.skip();
    this.timeout(60_000 + RUNS * 100);
    const { folder, remove } = await tempFolder();
    try {
      await fc.assert(
        fc.asyncProperty(line, async (text) => {
          const reading = readWith(parse, text);
          if (!reading.ok || reading.parts.some(({ kind }) => kind === 'unclear')) return;
          const known = reading.parts.flatMap((part) => (part.kind === 'command' ? [JSON.stringify(part.words)] : []));
          const files = reading.parts.flatMap((part) => (part.kind === 'file' ? [part.path] : []));
          const before = await readdir(folder);
          for (const words of ranBy(BASH, text, folder)) assert.ok(known.includes(JSON.stringify(words)), `${JSON.stringify(text)} ran ${JSON.stringify(words)}`);
          for (const file of await readdir(folder)) assert.ok(before.includes(file) || files.includes(file), `${JSON.stringify(text)} wrote ${file}`);
        }),
        { numRuns: RUNS * 3 },
      );
    } finally {
      await remove();
    }
  });

  /** What bash tries to run of a text in which no program can be found. */
  function ranBy(bash: string, text: string, cwd: string): readonly (readonly string[])[] {
    const script = `command_not_found_handle() { printf '%s\\0' "$#" "$@" >&9; }; eval "$1"`;
    const ignored = Array.from({ length: 9 }, () => 'ignore' as const);
    const { output } = spawnSync(bash, ['--norc', '-c', script, 'bash', text], { cwd, env: { PATH: '/nonexistent', LC_ALL: 'C.UTF-8' }, stdio: [...ignored, 'pipe'], timeout: 5000 });
    const words = String(output[9] ?? '').split('\0');
    const ran: string[][] = [];
    for (let at = 0; at + 1 < words.length; at += 1 + Number(words[at])) ran.push(words.slice(at + 1, at + 1 + Number(words[at])));
    return ran;
  }
});
