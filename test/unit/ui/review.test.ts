import assert from 'node:assert/strict';
import type { ChildSpec } from '../../../src/runtime/domain/agents.ts';
import type { DecisionRecord } from '../../../src/runtime/domain/approvals.ts';
import { textMessage } from '../../../src/runtime/domain/messages.ts';
import type { TranscriptEntry } from '../../../src/runtime/domain/transcripts.ts';
import { activityOf } from '../../../src/ui/review/activity.ts';
import { fileFacts } from '../../../src/ui/review/fileFacts.ts';
import { escaped, fenced, safeMarkdown } from '../../../src/ui/review/markdown.ts';
import { reviewFacts } from '../../../src/ui/review/reviewItem.ts';
import { resultText } from '../../../src/ui/review/resultText.ts';
import { latestRound } from '../../../src/ui/review/rounds.ts';
import { transcriptText } from '../../../src/ui/review/transcriptText.ts';
import { documentKey, documentPath, fileSegment } from '../../../src/ui/review/uris.ts';
import { child, english as l10n, file, request } from './fakes.ts';

const safe = (text: string): string => safeMarkdown(text, 'image');

describe('a child\'s Markdown', () => {
  it('keeps ordinary text and code as they are', () => {
    for (const text of ['# Title\n\n- *a* **b** [x](https://example.org)', 'a < b && `Array<string>`', '```ts\nconst a: Map<string, T> = 1;\n```', '| a | b |\n|---|---|\n| 1 | 2 |']) assert.equal(safe(text), text);
  });

  it('turns images into links', () => {
    assert.equal(safe('![chart](https://example.org/a.png)'), '[image: chart](https://example.org/a.png)');
    assert.equal(safe('!![a](b) ![c][d]'), '[image: a](b) [image: c][d]');
  });

  it('lets no tag through', () => {
    assert.equal(safe('a <b>x</b> <!-- y --> <img src="https://example.org">'), 'a &lt;b>x&lt;/b> &lt;!-- y --> &lt;img src="https://example.org">');
  });

  it('leaves nothing that loads, also where code is not code after all', () => {
    const payloads = ['<img src=x>', '<IMG\nsrc=x>', '<svg/onload=x>', '<div style="background:url(x)">', '<style>@import "x"</style>', '![a](https://example.org)'];
    const wrappers = [(x: string) => x, (x: string) => `\`${x}\``, (x: string) => `\`\`\`\n${x}\n\`\`\``, (x: string) => `$$\n\`\`\`\n$$\n${x}\n\`\`\``, (x: string) => `- a\n  \`\`\`\n${x}\n  \`\`\``, (x: string) => `~~~\n${x}`, (x: string) => `    ${x}`];
    for (const payload of payloads) for (const wrap of wrappers) {
      const left = safe(wrap(payload)).replaceAll(/<\/?(?:pre|code)>/g, '');
      assert.doesNotMatch(left, /<[a-z]|!\[/i, `${wrap(payload)} → ${left}`);
    }
  });

  it('closes a fence that the child left open', () => {
    assert.equal(safe('```js\nlet a;'), '```js\nlet a;\n```');
  });

  it('can be written as plain text and as code', () => {
    assert.equal(escaped('a*b_[c](d) <e> & |'), 'a\\*b\\_\\[c\\]\\(d\\) &lt;e> &amp; \\|');
    assert.equal(escaped('http://a.b/c: x@y'), 'http\\:\\//a\\.b/c: x\\@y', 'no link is made of it');
    assert.equal(fenced('a\n````\nb', 'x'), '`````x\na\n````\nb\n`````');
  });
});

const entries: readonly TranscriptEntry[] = [
  { type: 'message', at: 1000, message: { role: 'assistant', stop: 'tool_calls', content: [{ type: 'text', text: 'Reading.' }, { type: 'tool_call', id: '1', name: 'Read', arguments: '{"path":"a"}' }, { type: 'tool_call', id: '2', name: 'Bash', arguments: 'not json' }] } },
  { type: 'message', at: 3400, message: { role: 'tool', results: [{ callId: '1', name: 'Read', content: [{ type: 'text', text: 'A' }], isError: false, durationMs: 2400 }] } },
];

describe('the documents of a child', () => {
  const context = { name: 'Docs *review*', files: [], decisions: [], requests: [], cwd: '/w', locale: 'en', now: 5000, l10n };

  it('list tool calls in order, with or without an end', () => {
    assert.deepEqual(activityOf(entries), [
      { at: 1000, callId: '1', tool: 'Read', input: '{"path":"a"}', outcome: 'done', durationMs: 2400 },
      { at: 1000, callId: '2', tool: 'Bash', input: 'not json' },
    ]);
  });

  it('say of each changed file how much, what was decided, and what is not known, and make no link of it', () => {
    const files = [file({ path: '/w/[x](command:y).md' }), file({ path: '/w/new.ts', kind: 'created', state: 'accepted', removed: 0, hunks: [] }), file({ path: '/w/b.ts', unknown: 'It is *too large*.', hunks: [] })];
    const text = resultText(child({ status: 'completed', changedFiles: ['/w/b.ts', '/w/lost.ts'] }), [], { ...context, files: files.map(fileFacts) });
    const start = text.indexOf('## Changed files');
    assert.deepEqual(text.slice(start, text.indexOf('\n\n', start + 20)).split('\n').slice(2), [
      '- \\[x\\]\\(command:y\\)\\.md · \\+2 −1',
      '- new\\.ts · created · \\+2 · accepted',
      '- b\\.ts · \\+2 −1 · can’t be undone',
      '  - It is \\*too large\\*\\.',
      '- lost\\.ts',
    ]);
  });

  it('list the commands that ran, and what was allowed for it', () => {
    const calls = ['npm test', 'rm -rf /', 'npm run *all*'].map((command, index) => ({ type: 'tool_call' as const, id: String(index), name: 'Bash', arguments: JSON.stringify({ command }) }));
    const results = calls.map(({ id, name }, index) => ({ callId: id, name, content: [], isError: index > 0, ...(index === 1 && { isDenied: true as const }) }));
    const run: readonly TranscriptEntry[] = [{ type: 'message', at: 1, message: { role: 'assistant', stop: 'tool_calls', content: calls } }, { type: 'message', at: 2, message: { role: 'tool', results } }];
    const own = request().agent;
    const decision: DecisionRecord = { at: 0, agent: own, callId: 'c', tool: 'Bash', action: 'npm test', verdict: 'allow', by: 'person', lasts: 'once', why: 'No rule allows it.' };
    const decisions = [decision, { ...decision, action: 'rm -rf /', verdict: 'deny' as const }, { ...decision, action: 'other', agent: { kind: 'root' as const, sessionId: 's' } }, { ...decision, action: 'dry', by: 'dry_run' as const }];
    const text = resultText(child({ status: 'completed' }), run, { ...context, decisions });
    assert.match(text, /## Commands\n\n- npm test\n- npm run \\\*all\\\* · failed\n\n/);
    assert.match(text, /## Approvals\n\n- npm test · allowed once · you · No rule allows it\\\.\n\n/);
  });

  it('say of a question that it was not answered, and of no other call', () => {
    const calls = ['1', '2'].map((id) => ({ type: 'tool_call' as const, id, name: 'AskUser', arguments: '{}' }));
    const results = calls.map(({ id, name }) => ({ callId: id, name, content: [], isError: true }));
    const run: readonly TranscriptEntry[] = [{ type: 'message', at: 1, message: { role: 'assistant', stop: 'tool_calls', content: calls } }, { type: 'message', at: 2, message: { role: 'tool', results } }];
    const declined: DecisionRecord = { at: 0, agent: request().agent, callId: '1', tool: 'AskUser', action: 'Which?', verdict: 'deny', by: 'person', why: '', isQuestion: true };
    const outcomes = (decisions: readonly DecisionRecord[]): unknown => [...resultText(child({ status: 'completed' }), run, { ...context, decisions }).matchAll(/AskUser \| \\{\\} \| ([a-z ]+) \|/g)].map(([, outcome]) => outcome);
    assert.deepEqual(outcomes([declined]), ['not answered', 'failed']);
    assert.deepEqual(outcomes([{ ...declined, agent: { kind: 'root', sessionId: 's' } }]), ['failed', 'failed']);
  });

  it('tell what was requested and answered in earlier rounds, and the last answer once', () => {
    const comment = { id: 'c1', path: '/w/src/a.ts', lines: { start: 2, end: 4 }, content: { kind: 'absent' as const }, text: 'Why *two*?' };
    const requests = [
      { id: '1', round: 2, at: 0, text: 'Better\n```\n<b>', comments: [comment], answer: '![x](https://e.org) Done.', replies: { c1: { answer: 'Because.' } } },
      { id: '2', round: 3, at: 0, text: '', comments: [], answer: 'All good.', replies: {} },
    ];
    const text = resultText(child({ status: 'completed', round: 3, outcome: { status: 'completed', text: 'All good.' } }), [], { ...context, requests });
    for (const part of ['### round 2 · ', '````text\nBetter\n```\n<b>\n````', '- src/a\\.ts:3–4: Why \\*two\\*?\n  - Its answer: Because\\.', '> [image: x](https://e.org) Done.', '### round 3 · ']) assert.ok(text.includes(part), `${part} in ${text}`);
    assert.equal(text.split('All good.').length, 2);
    assert.doesNotMatch(resultText(child({ status: 'completed' }), [], context), /Requested changes/);
  });

  it('show a result with what led to it', () => {
    const text = resultText(child({ status: 'completed', taskStatus: 'review', settledAt: 3000, outcome: { status: 'completed', text: 'All good.' }, changedFiles: ['/w/a_b.ts'] }), entries, context);
    for (const part of ['# Docs \\*review\\*', '**completed, waits for review** · 2 s', 'All good.', '- a\\_b\\.ts', '| Read |', 'Do it.']) assert.ok(text.includes(part), `${part} in ${text}`);
  });

  it('say what the child was refused, however it ended, and not while it goes on', () => {
    const refused = ['npm publish (The rule `Bash` denies it.)', 'edit *a*'];
    const outcome = { status: 'completed', text: 'All good.', refused } as const;
    const text = resultText(child({ status: 'completed', outcome }), [], context);
    assert.match(text, /All good\.\n\n## Refused\n\n- npm publish \\\(The rule \\`Bash\\` denies it\\\.\\\)\n- edit \\\*a\\\*\n/);
    assert.match(resultText(child({ status: 'failed', outcome: { status: 'failed', reason: 'max_turns', message: 'm', refused } }), [], context), /## Refused/);
    assert.doesNotMatch(resultText(child({ status: 'running', outcome }), [], context), /Refused/);
    assert.doesNotMatch(resultText(child({ status: 'completed', outcome: { status: 'completed', text: 'x' } }), [], context), /Refused/);
  });

  it('never show partial text as a result', () => {
    const text = resultText(child({ status: 'failed', outcome: { status: 'failed', reason: 'max_turns', message: 'Reached 50 turns.', partialText: 'half' } }), [], context);
    assert.ok(text.indexOf('Partial text') < text.indexOf('half'));
    assert.ok(text.includes('**failed: reached its turn limit**') && text.includes('Reached 50 turns.'));
  });

  it('say where the model sees less of the run from then on, and what it sees instead', () => {
    const at = 4000;
    const tokens = { tokensBefore: 90_000, tokensAfter: 30_000 };
    const summary = textMessage('Found: *nothing*.', 'summary');
    const text = transcriptText('Docs', [...entries, { type: 'compacted', at, how: 'summarised', ...tokens, view: ['0123', summary] }, { type: 'compacted', at, how: 'cleared', ...tokens, view: [summary] }], 'en', l10n);
    for (const part of ['Result of Read', 'Earlier turns summarised for the model', 'Old results cleared for the model', 'about 90,000 tokens became 30,000']) assert.ok(text.includes(part), part);
    assert.equal(text.split('Found: *nothing*.').length, 2, 'the summary stands there once');
  });

  it('show a transcript with everything in order', () => {
    const text = transcriptText('Docs', entries, 'en', l10n);
    const places = ['Reading.', 'Call of Read', 'Call of Bash', 'not json', 'Result of Read'].map((part) => text.indexOf(part));
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
    assert.ok(!places.includes(-1));
  });

  const spec = (round: number, notes: readonly string[] = []): ChildSpec => ({ agentId: 'a', displayName: 'Docs', definition: 'd', model: { provider: 'p', model: 'm' }, prompt: 'Once more.', maxTurns: 5, tools: [], round, notes });
  const prompt: TranscriptEntry = { type: 'message', at: 6000, message: { role: 'user', source: 'user', content: [{ type: 'text', text: 'Once more.' }] } };
  const call = (at: number, name: string): TranscriptEntry => ({ type: 'message', at, message: { role: 'assistant', stop: 'tool_calls', content: [{ type: 'tool_call', id: name, name, arguments: '{}' }] } });
  const rounds: readonly TranscriptEntry[] = [...entries, { type: 'resumed', at: 5000, groupId: 'g2', spec: spec(2, ['Bash is *gone*.']) }, prompt, call(7000, 'Grep'), { type: 'resumed', at: 8000, groupId: 'g2', spec: spec(2) }, call(9000, 'Glob')];

  it('tell in a transcript a new round from going on after an interruption', () => {
    const text = transcriptText('Docs', rounds, 'en', l10n);
    const places = ['Result of Read', ' Round 2', 'Bash is \\*gone\\*\\.', 'Once more.', 'Call of Grep', ' Resumed', 'Call of Glob'].map((part) => text.indexOf(part));
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
    assert.ok(!places.includes(-1), places.join());
    assert.equal(text.match(/Round 2/g)?.length, 1);
  });

  it('show as a result the latest round only', () => {
    const again = child({ status: 'completed', round: 2, notes: ['Bash is *gone*.'], prompt: 'Once more.', settledAt: 3000, outcome: { status: 'completed', text: 'Better.' } });
    const text = resultText(again, rounds, context);
    for (const part of ['**completed** · round 2', '> Bash is \\*gone\\*\\.', 'Better.', '| Grep |', '| Glob |', 'Once more.']) assert.ok(text.includes(part), `${part} in ${text}`);
    assert.ok(!text.includes('| Read |'));
    assert.deepEqual(latestRound(entries), entries);
  });

  it('say why there is no result of a round that has not ended, and show none of an earlier one', () => {
    const left = { round: 2, outcome: { status: 'completed', text: 'Old answer.' }, taskStatus: 'review', settledAt: 500 } as const;
    const interrupted = resultText(child({ ...left, status: 'interrupted' }), rounds, context);
    assert.ok(interrupted.includes('**interrupted** · round 2') && interrupted.includes('It was interrupted before it ended'));
    const running = resultText(child({ ...left, status: 'running' }), rounds, context);
    assert.ok(running.includes('**running** · round 2 · 4 s') && running.includes('It has not ended yet.'));
    for (const text of [interrupted, running]) assert.ok(!text.includes('Old answer.'));
  });

  it('have paths that lead back to the child', () => {
    const key = { kind: 'result', agentId: 'agent-a/b c' } as const;
    assert.deepEqual(documentKey(documentPath(key, 'A/B: "c"')), key);
    assert.equal(documentKey('/other/x/y.md'), undefined);
    assert.equal(fileSegment('../..'), '.. ..');
    assert.equal(fileSegment('..'), 'untitled');
    assert.equal(fileSegment('a\n\u202eb.ts'), 'a b.ts');
  });
});

describe('the list to accept from', () => {
  it('says before one ticks it what was denied and what was changed', () => {
    assert.equal(reviewFacts(child({ definition: 'writer', denials: 1, changedFiles: ['a', 'b'] }), 'Docs', l10n), 'writer · 1 denied · 2 files · Docs');
    assert.equal(reviewFacts(child({ definition: 'writer' }), undefined, l10n), 'writer');
  });
});
