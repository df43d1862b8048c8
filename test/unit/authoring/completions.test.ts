import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDefinition } from '../../../src/runtime/definitions/parse.ts';
import { completionsAt, type Completion } from '../../../src/ui/authoring/editing/completions.ts';
import { parseOptions } from '../../../src/ui/authoring/editing/facts.ts';
import { applyChanges } from '../../../src/ui/authoring/editing/changes.ts';
import { atMark, expandSnippet, placeOf } from '../../support/cursorTexts.ts';
import { english } from '../ui/fakes.ts';
import { FACTS } from './facts.ts';

const offered = (marked: string): readonly Completion[] => {
  const { text, line, column } = atMark(marked);
  return completionsAt(text, line, column, FACTS, english);
};
const insert = (text: string, { replace, insert: snippet }: Completion): string => applyChanges(text, [{ ...replace, endLine: replace.line, text: expandSnippet(snippet) }]);
/** The text after one of the items was chosen. */
const choose = (marked: string, label: string): string => {
  const item = offered(marked).find((each) => each.label === label);
  assert.ok(item, `${label} of ${offered(marked).map((each) => each.label).join(', ')}`);
  return insert(atMark(marked).text, item);
};

describe('completion in definition files', () => {
  const chosen: readonly (readonly [marked: string, label: string, after: string])[] = [
    ['---\n|\n---\n', 'model', '---\nmodel: inherit\n---\n'],
    ['---\nmod|\n---\n', 'model', '---\nmodel: inherit\n---\n'],
    ['---\n|', 'delegable', '---\ndelegable: false'],
    ['---\nna|\n\nYou are a reviewer who reads.', 'name', '---\nname: code-reviewer\n\nYou are a reviewer who reads.'],
    ['---\r\neff|\r\n---\r\n', 'effort', '---\r\neffort: high\r\n---\r\n'],
    ['\uFEFF---\neff|\n---\n', 'effort', '\uFEFF---\neffort: high\n---\n'],
    ['---\ntools: |\n---\n', 'Read', '---\ntools: Read\n---\n'],
    ['---\ntools:|\n---\n', 'Read', '---\ntools: Read\n---\n'],
    ['---\ntools: Read, |\n---\n', 'Grep', '---\ntools: Read, Grep\n---\n'],
    ['---\ntools: Read, Gr|, Glob\n---\n', 'Grep', '---\ntools: Read, Grep, Glob\n---\n'],
    ['---\ntools: Read,| Glob\n---\n', 'github/search', '---\ntools: Read, github/search\n---\n'],
    ['---\ntools: [|]\n---\n', 'github/*', '---\ntools: [github/*]\n---\n'],
    ['---\ntools: [Read, |]\n---\n', 'Bash', '---\ntools: [Read, Bash]\n---\n'],
    ['---\ntools: [Read, |\n---\n', 'Bash', '---\ntools: [Read, Bash\n---\n'],
    ['---\ntools: [Read, "Ba|"]\n---\n', 'Bash', '---\ntools: [Read, "Bash"]\n---\n'],
    ["---\ntools: [Read, 'Ba|\n---\n", 'Bash', "---\ntools: [Read, 'Bash\n---\n"],
    ['---\ntools: "Read, |"\n---\n', 'Bash', '---\ntools: "Read, Bash"\n---\n'],
    ['---\ntools:\n  - Read\n  - |\n---\n', 'Bash', '---\ntools:\n  - Read\n  - Bash\n---\n'],
    ['---\ntools:\n- Read\n- Ba|\nmodel: inherit\n---\n', 'Bash', '---\ntools:\n- Read\n- Bash\nmodel: inherit\n---\n'],
    ['---\ntools:\n  -|\n---\n', 'Bash', '---\ntools:\n  - Bash\n---\n'],
    ['---\ntools:\n  - "|"\n---\n', 'Bash', '---\ntools:\n  - "Bash"\n---\n'],
    ['---\ntools:\n\t- |\n---\n', 'Bash', '---\ntools:\n\t- Bash\n---\n'],
    ['---\nallowed-tools: |\n---\n', 'Read', '---\nallowed-tools: Read\n---\n'],
    ['---\nmodel: sim|\n---\n', 'simple', '---\nmodel: simple\n---\n'],
    ['---\nmodel: "|" # why\n---\n', 'complex', '---\nmodel: "complex" # why\n---\n'],
    ['---\nreadOnly: |\n---\n', 'true', '---\nreadOnly: true\n---\n'],
    ['---\ncolor: r|\n---\n', 'red', '---\ncolor: red\n---\n'],
    ['---\nmaxDuration: |\n---\n', '15m', '---\nmaxDuration: 15m\n---\n'],
    ['---\nskills: [|]\n---\n', 'release-notes', '---\nskills: [release-notes]\n---\n'],
    ['---\nmcpServers:\n  - |\n---\n', 'db', '---\nmcpServers:\n  - db\n---\n'],
    ['---\npermission:\n  |\n---\n', 'deny', '---\npermission:\n  deny: []\n---\n'],
    ['---\npermission:\n  onAsk: |\n---\n', 'deny', '---\npermission:\n  onAsk: deny\n---\n'],
    ['---\npermission:\n  ask: [|]\n---\n', 'Bash(git status:*)', '---\npermission:\n  ask: ["Bash(git status:*)"]\n---\n'],
    ['---\npermission:\n  ask:\n    - "|"\n---\n', 'Edit(src/**)', '---\npermission:\n  ask:\n    - "Edit(src/**)"\n---\n'],
  ];
  for (const [marked, label, after] of chosen) it(`${JSON.stringify(marked)} ${label}`, () => assert.equal(choose(marked, label), after));

  for (const marked of [
    '---\nname: x\n---\n|', '---\nname: x\n---\ntools: |', 'Some text|', '# Title\n|', '---\nname: |\n---\n', '---\ndescription: Use it when |\n---\n', '---\nname: x # tools: |\n---\n', '---\n# |\n---\n', '---|\nname: x\n---\n', '---\nname: x\n---|\n',
    '---\ndescription: x\n\nYou are one who works.\n|', '---\nna|me: x\n---\n', '---\ndescription: >\n  tools|\n---\n', '---\nmaxTurns: |\n---\n', '---\nresultSchema:\n  |\n---\n', '---\nunknown: |\n---\n', '---\nreadOnly: "|"\n---\n', '---\ntools: {|}\n---\n', '---\ntools: [Read] |\n---\n',
  ]) {
    it(`offers nothing at ${JSON.stringify(marked)}`, () => assert.deepEqual(offered(marked).map(({ label }) => label), []));
  }

  for (const marked of ['|', '-|', '--|', '\n|'.slice(1), '|\n\n']) {
    it(`offers the whole frame at ${JSON.stringify(marked)}, which loads`, async () => {
      const [item] = offered(marked);
      assert.equal(item?.kind, 'frame');
      const { diagnostics, definition } = await parseDefinition({ path: '/a/x.md', text: insert(atMark(marked).text, item), source: 'project' });
      assert.deepEqual([diagnostics, definition?.name], [[], 'my-agent']);
    });
  }

  it('offers no field that is there, under whatever name, and no alias of a tool', () => {
    const labels = offered('---\nname: x\nallowed-tools: Read\ntools2: x\n|\nmodel: inherit\n---\n').map(({ label }) => label);
    for (const there of ['name', 'tools', 'model', 'disable-model-invocation', 'bash']) assert.ok(!labels.includes(there), there);
    assert.ok(labels.includes('description') && labels.includes('effort'));
    assert.ok(!offered('---\ntools: [|]\n---\n').some(({ label }) => ['bash', 'read_file', 'Task', 'Agent'].includes(label)));
  });

  it('offers no entry twice', () => assert.deepEqual(offered('---\ntools: [Read, |, "Bash"]\n---\n').filter(({ label }) => label === 'Read' || label === 'Bash'), []));

  it('offers ids of models where there is no catalog, and nothing that nobody knows', () => {
    const { text, line, column } = atMark('---\nmodel: |\n---\n');
    assert.deepEqual(completionsAt(text, line, column, { model: { provider: 'p', model: 'm-1' } }, english).map(({ label }) => label), ['inherit', 'm-1']);
    const skills = atMark('---\nskills: [|]\n---\n');
    assert.deepEqual(completionsAt(skills.text, skills.line, skills.column, {}, english), []);
  });

  const PIECE = fc.constantFrom('---', '\n', '\r\n', '\r', '\t', ' ', ': ', ':', '- ', '[', ']', '{', '}', '"', "'", '#', '|', '>', ',', '\uFEFF', 'tools', 'name: x\n', 'tools: ', 'permission:\n  ', 'onAsk: ', 'Read', 'model: "', '\n  - ', 'mcpServers', '💥');
  it('never throws, offers nothing in the body, and replaces a part of one line, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(PIECE, { maxLength: 40 }).map((pieces) => pieces.join('')), fc.boolean(), fc.nat(), (pieces, opens, at) => {
        const text = opens ? `---\n${pieces}` : pieces;
        const { line, column } = placeOf(text, at % (text.length + 1));
        const written = text.split(/\r\n?|\n/)[line] ?? '';
        for (const { replace } of completionsAt(text, line, column, FACTS, english)) {
          assert.ok(replace.line === line && replace.start >= 0 && replace.start <= column && column <= replace.end && replace.end <= written.length, JSON.stringify([text, line, column, replace]));
        }
      }),
      { numRuns: 5000 },
    );
  });

  const LINE = fc.constantFrom('name: x', 'tools: Read, Grep', 'tools: [Read, "Grep"]', 'tools:\n  - Read\n  - Grep', 'tools:\n- Read', 'disallowedTools: [Bash]', 'model: inherit', 'effort: low', 'readOnly: true', 'maxTurns: 3', 'maxDuration: 5m', 'skills: [style]', 'mcpServers: github', 'permission:\n  ask: [Edit]\n  onAsk: ask', 'color: red', 'delegable: true', 'unknown: x', 'allowed-tools: Read', '# a comment', '', 'resultSchema:\n  type: object', 'to', 'mo: x', 'tools: ', '  ', 'skills: [');
  it('leaves a file that loads with no new error, whatever is chosen first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(LINE, { maxLength: 5, selector: (line) => /^[\w-]*/.exec(line)?.[0] }), fc.nat(), fc.constantFrom('\n', '\r\n'), async (lines, at, end) => {
        const text = ['---', 'description: x', ...lines.flatMap((line) => line.split('\n')), '---', 'Body.', ''].join(end);
        const { line, column } = placeOf(text, at % (text.length + 1));
        const [first] = completionsAt(text, line, column, FACTS, english);
        if (!first) return;
        const errors = async (read: string): Promise<readonly string[]> => (await parseDefinition({ path: '/a/x.md', text: read, source: 'project' }, parseOptions(FACTS))).diagnostics.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`);
        const before = await errors(text);
        // Broken YAML hides what else is wrong.
        if (before.some((error) => error.startsWith('yaml'))) return;
        const after = await errors(insert(text, first));
        assert.deepEqual(after.filter((error) => !before.includes(error)), [], JSON.stringify([text, line, column, first.insert]));
      }),
      { numRuns: 3000 },
    );
  });
});
