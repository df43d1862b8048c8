import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EffectiveAgent, EffectiveChild } from '../../../src/runtime/domain/effectiveAgent.ts';
import { targetsOf } from '../../../src/ui/commands/targets.ts';
import { previewText, type PreviewContext } from '../../../src/ui/preview/previewText.ts';
import { previewKey, previewQuery } from '../../../src/ui/preview/previewUri.ts';
import { english as l10n } from './fakes.ts';

const context: PreviewContext = { l10n, locale: 'en', isDirty: false, isTrusted: true, place: (path) => path.replace('/w/', '') };

function child(patch: Partial<EffectiveChild> = {}): EffectiveChild {
  return {
    cwd: '/w/app', system: 'You check.', model: { provider: 'anthropic', model: 'big-1', displayName: 'Big One', tier: 'complex', reasoningEffort: 'high' }, modelFrom: 'definition', effortFrom: 'model',
    maxOutputTokens: 8192, contextWindow: 128_000, maxTurns: 7, maxTurnsFrom: 'definition', maxDurationMs: 0, maxDurationFrom: 'settings',
    tools: [{ name: 'Read', description: 'Reads a file. Much more.', inputSchema: { type: 'object' }, origin: { kind: 'builtin' } }, { name: 'mcp__docs__find', description: 'Finds', inputSchema: { type: 'object' }, origin: { kind: 'server', server: 'docs' } }],
    waiting: [{ name: 'BashOutput', description: 'Gives output.', inputSchema: { type: 'object' }, origin: { kind: 'builtin' }, comesWith: 'Bash' }],
    dropped: [{ name: 'Write', why: 'not_allowed' }, { name: 'Edit', why: 'not_allowed' }, { name: 'WebSearch', why: 'unknown' }],
    skills: [{ name: 'letters', description: 'Letters.', instructions: '' }],
    servers: [{ server: 'docs', status: 'ready', isOwn: false, named: ['find', 'gone'], tools: ['mcp__docs__find'], missing: ['gone'] }],
    layers: [{ name: 'user', lists: { allow: ['Read'] } }, { name: 'definition', lists: { deny: ['Bash(rm:*)'], allow: ['Read'] }, onAsk: 'deny' }],
    permissionMode: 'enforce', notes: [], ...patch,
  };
}

function agent(patch: Partial<EffectiveAgent> = {}): EffectiveAgent {
  return { name: 'checker', description: 'Checks things.', source: 'project', path: '/w/agents/checker.md', hash: 'abc', delegable: true, isApproved: true, diagnostics: [], problems: [], child: child(), ...patch };
}

/** The cells of all tables, by the first of each row. */
function rows(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(text.split('\n').filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(/ \| /)).map(([first = '', ...rest]) => [first, rest]));
}

describe('the text of a preview', () => {
  it('begins with what it runs with, and where that comes from', () => {
    const table = rows(previewText(agent(), context));
    assert.deepEqual(table.get('Model'), ['Big One · big\\-1 · anthropic', 'definition · tier complex']);
    assert.deepEqual(table.get('Effort'), ['high', 'its model']);
    assert.deepEqual(table.get('Answer'), ['at most 8,192 of 128,000 tokens', 'its model']);
    assert.deepEqual(table.get('Turns'), ['at most 7', 'definition']);
    assert.deepEqual(table.get('Time'), ['no limit', 'settings']);
    assert.deepEqual(table.get('Tools'), ['2, and 1 that it can take into use', '']);
    assert.deepEqual(table.get('MCP server docs'), ['ready, 1 tool · doesn’t list gone', 'settings']);
    assert.deepEqual(table.get('Definition'), ['agents/checker\\.md', 'Project']);
  });

  it('says of each tool where it comes from or why it is missing', () => {
    const text = previewText(agent(), context);
    const table = rows(text);
    assert.deepEqual(table.get('Read'), ['built in', 'Reads a file\\.']);
    assert.deepEqual(table.get('docs: find'), ['MCP server docs', 'Finds']);
    assert.deepEqual(table.get('BashOutput'), ['built in', 'by a call of Bash']);
    assert.match(text, /^- not in its list of tools: Write, Edit$/m);
    assert.match(text, /^- named, but not available here: WebSearch$/m);
  });

  it('puts the words of every layer side by side', () => {
    const table = rows(previewText(agent(), context));
    assert.deepEqual(table.get('user settings')?.slice(0, 3), ['', '', 'Read']);
    assert.deepEqual(table.get('definition'), ['Bash\\(rm:\\*\\)', '', 'Read', 'what is not allowed here asks · it never asks: what would ask is denied']);
  });

  it('says on top what is not as it seems', () => {
    const top = (patch: Partial<EffectiveAgent>, more: Partial<PreviewContext> = {}): string => previewText(agent(patch), { ...context, ...more }).split('|', 1)[0] ?? '';
    assert.doesNotMatch(top({}), /^>/m);
    assert.match(top({}, { isDirty: true }), /^> \*\*Its file has changes that are not saved\./m);
    assert.match(top({ isApproved: false }), /^> \*\*Not yet approved/m);
    assert.match(top({}, { isTrusted: false }), /^> Restricted Mode/m);
    assert.match(top({}, { shadowed: '/w/old.md' }), /^> \*\*The name means another definition than that in old\\.md/m);
    assert.match(top({ problems: ['None of it is *here*.'] }), /^> \*\*It would not start:\*\* None of it is \\\*here\\\*\\\.$/m);
  });

  it('tells what there is to tell where nothing could start', () => {
    const { child: _, ...without } = agent({ problems: ['No model.'], diagnostics: [{ severity: 'warning', code: 'unknown_tool', message: 'Nonsense grants nothing.', path: '/w/agents/checker.md', line: 3, column: 1 }] });
    const text = previewText(without, context);
    assert.match(text, /line 3: Nonsense grants nothing/);
    assert.doesNotMatch(text, /## System prompt/);
  });

  it('lets nothing that a file or a server wrote be markup', () => {
    const evil = '![x](https://evil.example/x)<img src=x onerror=y>';
    const text = previewText(
      agent({
        name: evil, description: `| ${evil}`, problems: [evil],
        child: child({
          system: `\`\`\`\n${evil}\n\`\`\`\n${evil}`, notes: [evil], tools: [{ name: 'Read', description: evil, inputSchema: { type: 'object', description: `\`\`\`${evil}` }, origin: { kind: 'server', server: evil } }],
          skills: [{ name: evil, description: '', instructions: '' }], dropped: [{ name: evil, why: 'unknown' }], servers: [{ server: evil, status: 'failed', isOwn: true, named: 'all', tools: [], missing: [], error: evil }], layers: [{ name: 'definition', lists: { deny: [evil] } }],
        }),
      }),
      context,
    );
    const fences = [...text.matchAll(/^(`{3,})(?:text|json)\n[\s\S]*?\n\1$/gm)].map(([all]) => all);
    assert.ok(fences.some((fence) => fence.startsWith('````text')), 'the prompt can’t close its fence');
    const prose = fences.reduce((rest, fence) => rest.replace(fence, ''), text);
    assert.doesNotMatch(prose, /<img|(?<!\\)!\[|(?<!\\)\]\(/);
    assert.equal(prose.split('\n').filter((line) => line.startsWith('| ')).every((line) => [3, 4, 5].includes(line.split(/(?<!\\)\|/).length - 2)), true, 'no cell breaks its table');
  });
});

describe('what a preview is asked of', () => {
  it('is the agent, the row or the file that a command is handed', () => {
    class Uri {
      readonly scheme: string;
      readonly path: string;
      constructor(scheme: string, path: string) {
        this.scheme = scheme;
        this.path = path;
      }
      get fsPath(): string {
        return this.path;
      }
    }
    assert.deepEqual(targetsOf([{ agent: 'Explore' }]), [{ agentName: 'Explore' }]);
    assert.deepEqual(targetsOf([new Uri('file', '/w/agents/a.md'), { groupId: 0 }]), [{ documentPath: '/w/agents/a.md' }]);
    assert.deepEqual(targetsOf([new Uri('untitled', 'a.md')]), []);
  });

  it('stands in the address of its document, which anybody may have written', () => {
    for (const key of [{ name: 'a "b" & c?' }, { name: 'x', file: '/w/ü.md' }]) assert.deepEqual(previewKey(previewQuery(key)), key);
    for (const query of ['', '{', '{}', '{"name":1}', 'null', '[]']) assert.equal(previewKey(query), undefined, query);
  });
});
