import assert from 'node:assert/strict';
import type { FileSource } from '../../../src/runtime/domain/definitions.ts';
import { FIELDS } from '../../../src/runtime/definitions/fieldTable.ts';
import { TOOL_NAMES } from '../../../src/runtime/definitions/toolNames.ts';
import { fieldDocs, toolHover } from '../../../src/ui/authoring/editing/names.ts';
import { hoverAt } from '../../../src/ui/authoring/editing/hovers.ts';
import { atMark } from '../../support/cursorTexts.ts';
import { english } from '../ui/fakes.ts';
import { FACTS } from './facts.ts';

const hover = (marked: string, source: FileSource = 'project'): string | undefined => {
  const { text, line, column } = atMark(marked);
  return hoverAt(text, line, column, source, FACTS, english)?.text;
};

describe('hover in definition files', () => {
  const cases: readonly (readonly [marked: string, says: RegExp])[] = [
    ['---\nmax|Turns: 3\n---\n', /subagents\.maxTurns.*maxTurns: 30/s],
    ['---\nallowed-|tools: Read\n---\n', /`allowed-tools` is `tools` here/],
    ['---\npermission:\n  on|Ask: deny\n---\n', /never waits/],
    ['---\nhando|ffs: x\n---\n', /other products/],
    ['---\ntools: [Read, Gr|ep]\n---\n', /\*\*Grep\*\*.*Read-only/s],
    ['---\ntools: Read, ba|sh\n---\n', /\*\*Bash\*\*.*Asks first/s],
    ['---\ntools: read_f|ile\n---\n', /`read_file` is `Read` here/],
    ['---\ntools: Ta|sk\n---\n', /can’t/],
    ['---\ntools:\n  - github/|*\n---\n', /All tools.*search/s],
    ['---\ntools: ["mcp__github__sea|rch"]\n---\n', /The tool `search` of the MCP server `github`/],
    ['---\nmodel: simp|le\n---\n', /`simple`, now: small \(openai\)/],
    ['---\nmodel: op|us\n---\n', /`complex`, now: Large \(anthropic, large\)/],
    ['---\nmodel: |inherit\n---\n', /now: large/],
    ['---\nskills: [sty|le]\n---\n', /House style/],
    ['---\nmcpServers: d|b\n---\n', /isn’t available. No such command/],
    ['---\npermission:\n  ask: ["Bash(git pu|sh:*)"]\n---\n', /\*\*Bash\*\*/],
  ];
  for (const [marked, says] of cases) it(JSON.stringify(marked), () => assert.match(hover(marked) ?? '', says));

  for (const marked of ['---\nname: x\n---\nto|ols: Read', '---\nname: to|ols\n---\n', '---\nfoo|: x\n---\n', '---\ntools: Nob|ody\n---\n', '---\n\n|\n---\n', '|']) it(`says nothing at ${JSON.stringify(marked)}`, () => assert.equal(hover(marked), undefined));

  it('takes a word for what it means to the product whose folder it is in', () => {
    assert.match(hover('---\ntools: [ed|it]\n---\n', 'github_project') ?? '', /`edit` is `Edit`, `Write`|`edit` is `Write`, `Edit`/);
  });

  it('has words for every field and every tool', () => {
    for (const { name, example } of FIELDS) assert.ok((fieldDocs([name], english) ?? '').length > example.length + 30, name);
    for (const tool of TOOL_NAMES) assert.ok(toolHover(tool, 'own', {}, english), tool);
  });
});
