import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { absolutePath, holds, type PathRules } from '../../../src/runtime/permissions/pathForms.ts';

const WINDOWS: PathRules = { windows: true, home: 'C:\\Users\\me' };
const POSIX: PathRules = { windows: false, home: '/home/me' };
const onWindows = (given: string, cwd = 'C:\\work', roots: readonly string[] = [cwd]): string => absolutePath(given, cwd, roots, WINDOWS);
const onPosix = (given: string): string => absolutePath(given, '/work', ['/work'], POSIX);

describe('forms of paths on Windows', () => {
  const taken: [string, string][] = [
    ['a.txt', 'C:\\work\\a.txt'],
    ['src/./a.txt', 'C:\\work\\src\\a.txt'],
    ['C:\\x\\a.txt', 'C:\\x\\a.txt'],
    ['c:/x/../y', 'c:\\y'],
    ['\\x', 'C:\\x'],
    ['/x', 'C:\\x'],
    ['D:\\x', 'D:\\x'],
    ['..\\..\\..\\x', 'C:\\x'],
    ['~', 'C:\\Users\\me'],
    ['~\\a', 'C:\\Users\\me\\a'],
    ['~/a', 'C:\\Users\\me\\a'],
    ['~x', 'C:\\work\\~x'],
    ['file:///C:/x/a%20b', 'C:\\x\\a b'],
    ['console', 'C:\\work\\console'],
    ['null.txt', 'C:\\work\\null.txt'],
    ['com', 'C:\\work\\com'],
    ['a~b', 'C:\\work\\a~b'],
    ['.a~1b', 'C:\\work\\.a~1b'],
  ];
  for (const [given, expected] of taken) it(`takes ${given} as ${expected}`, () => assert.equal(onWindows(given), expected));

  const refused: [string, RegExp][] = [
    ['', /empty/],
    ['a\0b', /NUL/],
    ['NUL', /device/],
    ['a\\con', /device/],
    ['C:\\x\\com1.txt', /device/],
    ['lpt¹', /device/],
    ['nul .txt', /device/],
    ['CONIN$', /device/],
    ['\\\\.\\pipe\\x', /device/],
    ['//./C:/x', /device/],
    ['\\\\?\\C:\\x', /device/],
    ['//?/C:/x', /device/],
    ['\\??\\C:\\x', /device/],
    ['\\\\?\\UNC\\host\\share\\x', /device/],
    ['a.txt:stream', /stream/],
    ['a.txt::$DATA', /stream/],
    ['C:\\x:y\\z', /stream/],
    ['C:C:\\x', /stream/],
    ['a.txt.', /dot or a space/],
    ['a ', /dot or a space/],
    ['.git \\config', /dot or a space/],
    ['...\\x', /dot or a space/],
    ['.. \\x', /dot or a space/],
    ['a?b', /character/],
    ['a<b', /character/],
    ['GIT~1\\config', /short form/],
    ['PROGRA~1', /short form/],
    ['a~2.txt', /short form/],
    ['\\\\host\\share\\x', /another machine/],
    ['//host/share/x', /another machine/],
    ['file://host/share/x', /another machine/],
    ['file:///C:/a%2fb', /URI/],
    ['file:///C:/a%5cb', /URI/],
    ['file:///C:/a%00', /NUL/],
    ['file:///C:/a%3astream', /stream/],
    ['file:///C:/work/GIT~1', /short form/],
    ['~\\NUL', /device/],
  ];
  for (const [given, problem] of refused) {
    it(`refuses ${JSON.stringify(given)}, saying why`, () => assert.throws(() => onWindows(given), (error) => isAppError(error, 'denied') && problem.test(error.message) && error.message.includes(JSON.stringify(given))));
  }

  it('reaches a share only where a workspace folder lies on it', () => {
    const roots = ['\\\\Host\\share\\project'];
    assert.equal(onWindows('\\\\host\\SHARE\\other\\x', 'C:\\work', roots), '\\\\host\\SHARE\\other\\x');
    assert.equal(onWindows('a', roots[0]), '\\\\Host\\share\\project\\a');
    assert.throws(() => onWindows('\\\\host\\share2\\x', 'C:\\work', roots), /another machine/);
    assert.throws(() => onWindows('\\\\host2\\share\\x', 'C:\\work', roots), /another machine/);
  });

  it('takes the short names of its own folder', () => {
    const cwd = 'C:\\Users\\RUNNER~1\\work';
    assert.equal(onWindows(`${cwd}\\a`, cwd), `${cwd}\\a`);
  });

  it('knows what lies in a folder, whatever the case, and what only looks like it', () => {
    const inside = (folder: string, file: string): boolean => holds(folder, file, WINDOWS);
    for (const file of ['C:\\work', 'c:\\WORK\\a', 'C:\\work\\..a', 'C:/work/a']) assert.equal(inside('C:\\work', file), true, file);
    for (const file of ['C:\\work2\\a', 'C:\\', 'D:\\work\\a', '\\\\host\\share\\a', 'C:\\work\\..\\x']) assert.equal(inside('C:\\work', file), false, file);
  });
});

describe('forms of paths elsewhere', () => {
  it('take what is special on Windows as plain names', () => {
    for (const given of ['NUL', 'a:b', 'a.', 'a ', 'GIT~1', '~\\a', 'a\\..\\b', '..\\x']) assert.equal(onPosix(given), `/work/${given}`);
  });

  it('refuse empty paths, NUL bytes, and URIs of other machines or with hidden separators', () => {
    for (const given of ['', 'a\0', 'file://host/a', 'file:///a%00', 'file:///a%2f..%2fb', 'FILE://host/']) assert.throws(() => onPosix(given), (error) => isAppError(error, 'denied'));
  });

  it('are absolute and without dots, whatever is given', () => {
    const given = fc.stringMatching(/^[a-z~./\\: %]{1,20}$/);
    for (const [rules, cwd, pattern] of [[POSIX, '/work', /^\/(?!.*(?:^|\/)\.\.?(?:\/|$))/], [WINDOWS, 'C:\\work', /^[A-Za-z]:\\(?!.*(?:^|\\)\.\.?(?:\\|$))/]] as const) {
      fc.assert(
        fc.property(given, (text) => {
          try {
            assert.match(absolutePath(text, cwd, [cwd], rules), pattern);
          } catch (error) {
            if (!isAppError(error, 'denied')) throw error;
          }
        }),
        { numRuns: 1000 },
      );
    }
  });
});
