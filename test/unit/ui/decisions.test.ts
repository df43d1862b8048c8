import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DecisionRecord } from '../../../src/runtime/domain/approvals.ts';
import { decisionsText } from '../../../src/ui/approvals/decisionsText.ts';
import { english as l10n, request } from './fakes.ts';

const context = { name: ({ agent }: DecisionRecord) => (agent.kind === 'child' ? agent.displayName : 'Chat'), isDryRun: false, locale: 'en', l10n };

function record(patch: Partial<DecisionRecord> = {}): DecisionRecord {
  return { at: 0, agent: request().agent, callId: 'c', tool: 'Bash', action: 'npm test', verdict: 'allow', by: 'person', lasts: 'once', why: 'No rule allows it.', ...patch };
}

/** The rows' cells, without the time. */
function rows(records: readonly DecisionRecord[]): readonly (readonly string[])[] {
  const lines = decisionsText(records, context).split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | ').slice(1));
}

describe('the document of decisions', () => {
  it('says who was told what about which call, and by whom, newest first', () => {
    const { lasts: _, ...without } = record();
    assert.deepEqual(rows([
      record(),
      record({ lasts: 'group', rule: 'Bash(npm test:*)' }),
      { ...without, verdict: 'deny', message: 'Not now' },
      { ...without, verdict: 'deny', by: 'rule', rule: 'Bash' },
      { ...without, verdict: 'deny', by: 'no_handler' },
      record({ by: 'group_rule', lasts: 'always', agent: { kind: 'root', sessionId: 's' } }),
    ]).map(([who, verdict, , , by]) => [who, verdict, by]), [
      ['Chat', 'allowed always', 'your answer to another call · No rule allows it\\.'],
      ['Docs review', 'denied', 'nobody was there to ask · No rule allows it\\.'],
      ['Docs review', 'denied', 'rule Bash'],
      ['Docs review', 'denied', 'you · No rule allows it\\. · with the message “Not now”'],
      ['Docs review', 'allowed for the group', 'you · rule Bash\\(npm test:\\*\\)'],
      ['Docs review', 'allowed once', 'you · No rule allows it\\.'],
    ]);
  });

  it('tells questions by what came of them', () => {
    const { lasts: _, ...asked } = record({ tool: 'AskUser', action: 'Which?', why: 'It asks the user.', isQuestion: true });
    assert.deepEqual(rows([{ ...asked, message: 'this one' }, { ...asked, verdict: 'deny', message: 'not now' }, { ...asked, verdict: 'deny', by: 'no_handler' }]).map(([, verdict, , action, by]) => [verdict, action, by]), [
      ['not answered', 'Which?', 'nobody was there to ask'],
      ['not answered', 'Which?', 'you · with the message “not now”'],
      ['answered', 'Which?', 'you · with the answer “this one”'],
    ]);
  });

  it('tells a dry run from what really was', () => {
    const { lasts: _, ...ran } = record({ by: 'dry_run', verdict: 'deny' });
    assert.deepEqual(rows([ran, { ...ran, verdict: 'ask' }]).map(([, verdict]) => verdict), ['dry run: would have asked', 'dry run: would have been denied']);
    assert.match(decisionsText([], { ...context, isDryRun: true }), /^> Dry run: rules are recorded, but stop nothing\.$/m);
    assert.doesNotMatch(decisionsText([], context), /Dry run/);
  });

  it('cuts what is long, and reads nothing of a call as Markdown', () => {
    const [cells = []] = rows([record({ action: `${'x'.repeat(5000)}` })]);
    assert.ok((cells[3] ?? '').length < 220);
    const text = decisionsText([record({ action: 'a | b\n![x](https://example.org) <img src=x>', tool: '`t`' })], context);
    assert.doesNotMatch(text, /<img|!\[/);
    assert.equal(text.split('\n').filter((line) => line.startsWith('| ')).length, 3);
  });

  it('shows the latest of very many, and says so where there is none', () => {
    const text = decisionsText(Array.from({ length: 620 }, (_, index) => record({ action: `call ${index}` })), context);
    assert.match(text, /call 619 /);
    assert.doesNotMatch(text, /call 119 /);
    assert.match(text, /… and 120 earlier ones/);
    assert.match(decisionsText([], context), /Nothing has been asked/);
  });
});
