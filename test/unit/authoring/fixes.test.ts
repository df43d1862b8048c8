import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FileSource } from '../../../src/runtime/domain/definitions.ts';
import { applyChanges, setName } from '../../../src/ui/authoring/editing/changes.ts';
import { fixAllMapped, fixesOf } from '../../../src/ui/authoring/editing/fixes.ts';
import { problemsOf } from '../../../src/ui/authoring/editing/language.ts';
import { english } from '../ui/fakes.ts';
import { FACTS } from './facts.ts';

const look = (text: string, source: FileSource = 'project') => problemsOf(text, { path: '/a/x.md', source }, FACTS);

/** The text after the fix of that title. */
async function fix(text: string, title: string, source?: FileSource): Promise<string> {
  const fixes = (await look(text, source)).flatMap((problem) => fixesOf(text, problem, english));
  const found = fixes.find((each) => each.title === title);
  assert.ok(found, `${title} of ${fixes.map((each) => each.title).join(', ')}`);
  return applyChanges(text, found.changes);
}
const file = (lines: string): string => `---\ndescription: x\n${lines}\n---\nBody.\n`;

describe('quick fixes in definition files', () => {
  const cases: readonly (readonly [lines: string, title: string, after: string])[] = [
    ['tools: Read, Grpe', 'Replace by `Grep`', 'tools: Read, Grep'],
    ['tools: Read, Grpe', 'Remove', 'tools: Read'],
    ['tools: [Grpe, Read]', 'Remove', 'tools: [Read]'],
    ['tools:\n  - Grpe\n  - Read', 'Remove', 'tools:\n  - Read'],
    ['tools: ["Grpe", Read]', 'Replace by `Grep`', 'tools: ["Grep", Read]'],
    ['model: smple', 'Replace by `simple`', 'model: simple'],
    ['model: sonnet', 'Replace by `inherit`', 'model: inherit'],
    ['model: opus # big', 'Write it as `complex`', 'model: complex # big'],
    ['max_turns: 3', 'Write it as `maxTurns`', 'maxTurns: 3'],
    ['timeout_mins: 10', 'Write it as `maxDuration: 600s`', 'maxDuration: 600s'],
    ['maxTruns: 3', 'Replace by `maxTurns`', 'maxTurns: 3'],
    ['temperature: 1\ncolor: red', 'Remove', 'color: red'],
    ['handoffs:\n  - label: x\n    agent: y\ncolor: red', 'Remove', 'color: red'],
    ['tools: {Read: true, Bash: false}', 'Write it as a list', 'tools: [Read]'],
    ['tools:\n  Read: true\n  "github/*": true\ncolor: red', 'Write it as a list', 'tools: [Read, github/*]\ncolor: red'],
    ['readOnly: yes', 'Replace by `true`', 'readOnly: true'],
    ['name: a: b', 'Put the value in quotes', 'name: "a: b"'],
    ['name: @me', 'Put the value in quotes', 'name: "@me"'],
    ['name: 42', 'Put the value in quotes', 'name: "42"'],
    ['tools:\n\t- Read', 'Replace tabs by spaces', 'tools:\n  - Read'],
    ['tools: Read\ntools: Grep', 'Remove', 'tools: Read'],
    ['skills: [stlye]', 'Replace by `style`', 'skills: [style]'],
    ['mcpServers:\n  - githb', 'Replace by `github`', 'mcpServers:\n  - github'],
    ['permission:\n  dney: [Bash]', 'Replace by `deny`', 'permission:\n  deny: [Bash]'],
  ];
  for (const [lines, title, after] of cases) it(`${JSON.stringify(lines)}: ${title}`, async () => assert.equal(await fix(file(lines), title), file(after)));

  it('add what is missing', async () => {
    assert.equal(await fix('---\nname: x\ntools: Read\n---\n', 'Add a description'), '---\nname: x\ndescription: When to use this agent.\ntools: Read\n---\n');
    assert.equal(await fix('---\ndescription:\n---\n', 'Add a description'), '---\ndescription: When to use this agent.\n---\n');
    assert.equal(await fix('You review.', 'Add frontmatter'), '---\ndescription: When to use this agent.\n---\nYou review.');
    assert.equal(await fix('---\ndescription: x\n\nYou are one.\n', 'Close the frontmatter'), '---\ndescription: x\n---\n\nYou are one.\n');
  });

  it('write two names for one of another product, in each kind of list', async () => {
    assert.match(await fix(file('tools:\n  - edit'), 'Write it as `Write, Edit`', 'github_project'), /tools:\n {2}- Write\n {2}- Edit\n/);
    assert.match(await fix(file('tools: ["edit"]'), 'Write it as `Write, Edit`', 'github_project'), /tools: \["Write", "Edit"\]\n/);
  });

  it('offer no empty list where the only name is wrong', async () => {
    for (const lines of ['tools: Grpe', 'tools: [Grpe]', 'tools:\n  - Grpe']) {
      const fixes = (await look(file(lines))).flatMap((problem) => fixesOf(file(lines), problem, english));
      assert.deepEqual(fixes.map(({ title }) => title), ['Replace by `Grep`'], lines);
    }
  });

  it('rename', () => {
    const rename = (text: string): string => applyChanges(text, setName(text, 'reviewer-2') ?? []);
    assert.equal(rename('---\nname: Reviewer\ntools: Read\n---\n'), '---\nname: reviewer-2\ntools: Read\n---\n');
    assert.equal(rename('---\ntools: Read\n---\n'), '---\nname: reviewer-2\ntools: Read\n---\n');
  });

  it('write all names of other products as they are called here, after which none is left', async () => {
    const text = file('allowed-tools: read_file, "bash2", shell\nmodel: opus\nmax_turns: 3\ntimeout_mins: 5\neffort: max');
    const after = applyChanges(text, fixAllMapped(text, await look(text)));
    assert.equal(after, file('tools: Read, "bash2", Bash\nmodel: complex\nmaxTurns: 3\nmaxDuration: 300s\neffort: high'));
    assert.ok(!(await look(after)).some(({ code }) => code === 'mapped'));
  });

  const LINE = fc.constantFrom('tools: Read, Grpe', 'tools: [bash, shell, x]', 'tools:\n  - Grpe\n  - read_file', 'tools: {a: b}', 'model: opus', 'model: x', 'max_turns: 3', 'steps: 4', 'infer: false', 'name: 1', 'readOnly: yes', 'hooks:\n  Stop: x', 'foo: x', 'color: rde', 'permission:\n  dny: [x]\n  onAsk: no', '\tx: 1', 'skills: [nix]', 'mcpServers: {a: {command: x, foo: 1}}', '', '# x');
  it('never throw, and what is marked stands in the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(LINE, { maxLength: 5 }), fc.boolean(), fc.constantFrom('\n', '\r\n'), async (lines, closes, end) => {
        const text = ['---', ...lines.flatMap((line) => line.split('\n')), ...(closes ? ['---'] : []), 'Body.'].join(end);
        const count = text.split(end).length;
        for (const problem of await look(text)) {
          for (const { changes } of fixesOf(text, problem, english)) {
            for (const { line, endLine } of changes) assert.ok(line >= 0 && endLine >= line && endLine <= count, JSON.stringify(changes));
            assert.notEqual(applyChanges(text, changes), text);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
