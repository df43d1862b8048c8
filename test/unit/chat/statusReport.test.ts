import assert from 'node:assert/strict';
import type { ChildView, GroupView } from '../../../src/runtime/domain/agents.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { statusReport, type StatusFacts } from '../../../src/ui/chat/statusReport.ts';
import { english as l10n, question, request } from '../ui/fakes.ts';
import { IDS, WORDS, child, group } from './support.ts';

let made = 0;
/** A group with one child of that name, later than those made before. */
function one(name: string, status: 'running' | 'completed' | 'interrupted', sessionId = 's1', more: Partial<ChildView> = {}): GroupView {
  const groupId = `bg_${name}`;
  return group([child(`agent-${name}`, { displayName: name, groupId, roundGroupId: groupId, sessionId, status, ...more })], { groupId, sessionId, status, createdAt: ++made });
}

/** Texts as they are, and of each block the name in its first line. */
function report(facts: Partial<StatusFacts>): readonly string[] {
  const parts = statusReport({ groups: [], pending: [], tasks: [], ...facts }, { ids: IDS, words: WORDS, locale: 'en', l10n });
  return parts.map(({ kind, markdown }) => (kind === 'text' ? markdown.trim() : `${kind} ${/\*\*(.*?)\*\*/.exec(markdown)?.[1]}`));
}

describe('/status', () => {
  it("shows this conversation's groups first, what is open before what is over, then what others have left to do", () => {
    const groups = [one('Old', 'completed'), one('Theirs', 'running', 's2'), one('Mine', 'running'), one('Left', 'interrupted', 's3'), one('Done', 'completed'), one('Theirs too', 'completed', 's2')];
    assert.deepEqual(report({ groups, sessionId: 's1' }), [
      'Subagents running: 2, queued: 0. Interrupted groups: 1.',
      'block Mine',
      'block Done',
      'block Old',
      'In other conversations:',
      'block Left',
      'block Theirs',
      'Finished groups of other conversations, in the panel: 1.',
    ]);
  });

  it('says nothing of others where there are none, and counts what is no longer shown', () => {
    const groups = ['A', 'B', 'C', 'D', 'E'].map((name) => one(name, 'completed'));
    assert.deepEqual(report({ groups, sessionId: 's1' }), ['No subagents are running.', 'block E', 'block D', 'block C', 'Earlier groups, in the panel: 2.']);
    assert.deepEqual(report({}), ['No subagents are running.']);
  });

  it('says in a new conversation that only others have subagents', () => {
    assert.deepEqual(report({ groups: [one('Theirs', 'running', 's2')] }), ['Subagents running: 1, queued: 0.', 'This conversation has no subagents.', 'In other conversations:', 'block Theirs']);
  });

  it('says of each child that waits for a person what for, unless it is another window’s', () => {
    const lines = (more: Partial<ChildView>, change: Partial<GroupView> = {}): string => {
      const waits = { ...one('Waits', 'running', 's1', more), ...change };
      const parts = statusReport({ groups: [waits], pending: [], tasks: [], sessionId: 's1' }, { ids: IDS, words: WORDS, locale: 'en', l10n });
      return parts.find(({ kind }) => kind === 'block')?.markdown.split('  \n')[0] ?? '';
    };
    assert.equal(lines({ approvals: ['q'], questions: ['q'] }), '$(question) **Waits** · waiting for an answer');
    assert.equal(lines({ approvals: ['r'] }), '$(bell-dot) **Waits** · waiting for approval');
    assert.equal(lines({}), '$(play-circle) **Waits** · running');
    assert.match(lines({ approvals: ['q'], questions: ['q'] }, { isElsewhere: true }), /another window/);
  });

  it('counts what waits as the badge does, and has no block for a later round', () => {
    const waits = one('Waits', 'completed', 's2', { taskId: 't', taskStatus: 'review' });
    const round = { ...one('Again', 'running'), isRound: true };
    assert.deepEqual(report({ groups: [waits, round], pending: [request(), question()], sessionId: 's1' }).slice(0, 1), ['Subagents running: 1, queued: 0. Waiting for your approval: 1. Waiting for your answer: 1. Waiting for your review: 1.']);
    assert.ok(!report({ groups: [waits, round], sessionId: 's1' }).includes('block Again'));
  });

  it('says how many prompts are scheduled, and when the next one is sent', () => {
    const at = new Date(2026, 4, 4, 9, 30).getTime();
    const prompt = { id: 'cron-1', sessionId: 's2', schedule: '30 9 * * *', prompt: 'Look', createdAt: 0 };
    assert.deepEqual(report({ prompts: [{ ...prompt, nextAt: at + 60_000 }, { ...prompt, nextAt: at }, prompt] }), ['No subagents are running. Scheduled prompts: 2, the next one at Mon, May 4, 2026, 09:30 AM.']);
    assert.deepEqual(report({ prompts: [prompt] }), ['No subagents are running.']);
  });

  it('says what the conversation used, and each group', () => {
    const usage = { ...NO_USAGE, input: 900, output: 50 };
    const groups = [one('Mine', 'completed', 's1', { usage })];
    const parts = statusReport({ groups, pending: [], tasks: [], sessionId: 's1', used: { root: NO_USAGE, groups: usage } }, { ids: IDS, words: WORDS, locale: 'en', l10n });
    assert.match(parts[1]?.markdown ?? '', /^Used in this conversation: 950 tokens/);
    assert.match(parts[2]?.markdown ?? '', / {2}\nUsed: 950 tokens\n\n$/);
  });

  it('links to groups without speaking for their conversation', () => {
    const [, block] = statusReport({ groups: [one('Mine', 'running')], pending: [], tasks: [], sessionId: 's1' }, { ids: IDS, words: WORDS, locale: 'en', l10n });
    assert.deepEqual(JSON.parse(decodeURIComponent(/ext\.show\?([^)]*)/.exec(block?.markdown ?? '')?.[1] ?? '')), [{ sessionId: '', turnId: '', groupId: 'bg_Mine' }]);
  });
});
