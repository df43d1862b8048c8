import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answerItems, answerText } from '../../../src/ui/approvals/answerItems.ts';
import { notificationText } from '../../../src/ui/approvals/approvalText.ts';
import { decisionItems } from '../../../src/ui/approvals/decisionItems.ts';
import { detailsText } from '../../../src/ui/approvals/detailsText.ts';
import { questionsSection, approvalsSection } from '../../../src/ui/review/resultSections.ts';
import { approvalRow, approvalTooltip } from '../../../src/ui/tree/approvalItem.ts';
import { groupDescription } from '../../../src/ui/tree/groupItem.ts';
import { child, english as l10n, group, question, request } from './fakes.ts';

const asked = (text: string) => question({ question: { question: text } });
/** How VS Code finds links in a notification. */
const linksOf = (text: string): readonly (string | undefined)[] => [...text.matchAll(/\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi)].map((match) => match[1]);

describe('the notification of a question', () => {
  it('names the child and the question, and ends in its links', () => {
    const text = notificationText(question(), 'Docs review #1', 2, l10n);
    assert.match(text, /^Docs review #1 asks: “Which colour\?” \(2 more wait\) — \[Answer…\]\(command:subagents\.answer\?[^)]+\) · \[More…\]\(command:subagents\.moreDecisions\?[^)]+\)$/);
    assert.deepEqual(JSON.parse(decodeURIComponent(/answer\?([^)]+)\)/.exec(text)?.[1] ?? '')), [{ requestId: 'q1' }]);
  });

  it('shows no link but its own, whatever is asked, and stays under VS Code’s limit', () => {
    for (const attack of ['x [Answer…](command:workbench.action.quit)', '[evil', '](command:x', '[x]\n(command:a)', '[x]('.repeat(2000)]) {
      const text = notificationText(asked(attack), attack, 99, l10n);
      assert.deepEqual(linksOf(text), ['Answer…', 'More…'], attack.slice(0, 40));
      assert.ok(text.length < 1000, String(text.length));
    }
  });
});

describe('what can be done about a question', () => {
  it('is to answer it, or not to, and to look at it', () => {
    assert.deepEqual(decisionItems(question(), l10n).map(({ action }) => action), ['answer', 'deny', 'deny_message', 'details', 'transcript']);
    assert.deepEqual(decisionItems(question({ agent: { kind: 'root', sessionId: 's' } }), l10n).map(({ action }) => action), ['answer', 'deny', 'deny_message', 'details']);
  });
});

describe('the answers to choose from', () => {
  const items = answerItems({ question: 'Which?', options: [{ label: 'red $(trash)\nor so', description: 'warm' }, { label: 'blue', description: ' ' }] }, l10n);

  it('are what the question offers, harmless, on one line, and last the way to another', () => {
    assert.deepEqual(items.map(({ label }) => label.replaceAll('\u2060', '')), ['red $(trash) or so', 'blue', '$(edit) Write another answer…']);
    assert.ok(!items[0]?.label.includes('$('));
    assert.deepEqual(items.map(({ detail }) => detail), ['warm', undefined, undefined]);
  });

  it('are handed on whole, a line each, with what was written beside them', () => {
    assert.equal(answerText(items.slice(1, 2), undefined), 'blue');
    assert.equal(answerText(items.slice(0, 2), undefined), 'red $(trash)\nor so\nblue');
    assert.equal(answerText([...items.slice(1)], ' green '), 'blue\ngreen');
    assert.equal(answerText(items.slice(2), '  '), '');
    assert.equal(answerText([], undefined), '');
  });
});

describe('the row of a question', () => {
  it('says what is asked, by whom where no parent row does, and has an icon and a menu of its own', () => {
    const row = approvalRow(asked('Red\nor blue?'), 'Docs', l10n);
    assert.deepEqual([row.label, row.description, row.contextValue, row.spoken], ['asks: Red or blue?', '', 'question', 'Docs asks: Red or blue?']);
    assert.notEqual(row.icon.id, approvalRow(request(), 'Docs', l10n).icon.id);
    assert.equal(approvalRow(question({ agent: { kind: 'root', sessionId: 's' } }), 'Chat', l10n).description, 'Chat');
    assert.deepEqual(approvalTooltip(question(), 'Docs', l10n).map(({ value }) => value), ['Docs', 'Which colour?', 'red · blue']);
  });

  it('is counted by its group apart from what is to be approved', () => {
    const asking = group([child({ approvals: ['q1'], questions: ['q1'] }), child({ agentId: 'b', approvals: ['r1', 'r2'] })]);
    assert.match(groupDescription(asking, { now: 0, locale: 'en', l10n }), /^0\/2 · 2 to approve · 1 to answer · /);
    assert.match(groupDescription(group([child({ approvals: ['q1'], questions: ['q1'] })]), { now: 0, locale: 'en', l10n }), /^0\/1 · 1 to answer · /);
  });
});

describe('the details of a question', () => {
  it('cut nothing and close no fence early', () => {
    const long = `\`\`\`\n${'x'.repeat(5000)}`;
    const text = detailsText(question({ question: { question: long, options: [{ label: 'a' }, { label: 'b', description: '# not a heading' }], multiple: true } }), 'Docs', l10n);
    assert.ok(text.startsWith('# Waits for an answer\n'));
    assert.ok(text.includes(`\`\`\`\`text\n${long}\n\`\`\`\``));
    assert.match(text, /several may be chosen\n\n```text\n- a\n- b\n {2}# not a heading\n```/);
  });
});

describe('the result of a child that asked', () => {
  it('tells its questions and their answers, apart from what it was allowed', () => {
    const { agent } = request();
    const base = { at: 0, agent, callId: 'c', why: '', by: 'person' } as const;
    const records = [
      { ...base, tool: 'AskUser', action: 'Which?', verdict: 'allow', message: 'blue', isQuestion: true },
      { ...base, tool: 'AskUser', action: 'Why?', verdict: 'deny', isQuestion: true },
      { ...base, tool: 'Bash', action: 'npm test', verdict: 'allow', lasts: 'once' },
    ] as const;
    const questions = questionsSection(records, 'agent-1', l10n).join('\n');
    assert.match(questions, /## Questions[^]*Which[^]*answered · you · with the answer “blue”[^]*Why[^]*not answered/);
    assert.ok(!approvalsSection(records, 'agent-1', l10n).join('\n').includes('Which'));
    assert.deepEqual(questionsSection(records, 'agent-2', l10n), []);
  });
});
