import assert from 'node:assert/strict';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import { reviewReport } from '../../../src/ui/chat/reviewReport.ts';
import { english as l10n } from '../ui/fakes.ts';
import { IDS, WORDS, child, group } from './support.ts';

const waiting = (name: string, groupId: string, more: Partial<ChildView> = {}): ChildView =>
  child(`agent-${name}`, { displayName: name, groupId, roundGroupId: groupId, status: 'completed', outcome: { status: 'completed', text: 'x' }, taskId: `t-${name}`, taskStatus: 'review', startedAt: 1000, settledAt: 3000, ...more });
const report = (groups: Parameters<typeof reviewReport>[0], sessionId: string | undefined = 's1') => reviewReport(groups, sessionId, { ids: IDS, words: WORDS, l10n });
/** The commands of a part, each with its argument. */
const links = (markdown: string): readonly unknown[] => [...markdown.matchAll(/\(command:([\w.]+)(?:\?([^)]*))?\)/g)].map(([, command, args]) => [command, ...(args === undefined ? [] : (JSON.parse(decodeURIComponent(args)) as unknown[]))]);

describe('/review', () => {
  it('lists what waits in this conversation, newest group first, each group with a link to its list', () => {
    const groups = [
      group([waiting('A', 'bg_1', { changedFiles: ['/a'] }), waiting('Accepted', 'bg_1', { taskStatus: 'completed' }), child('f', { status: 'failed' })], { createdAt: 1, status: 'partial' }),
      group([waiting('B', 'bg_2'), waiting('C', 'bg_2')], { groupId: 'bg_2', createdAt: 2, status: 'completed' }),
    ];
    const parts = report(groups);
    assert.deepEqual(parts.map(({ kind, markdown }) => [kind, markdown.split('  \n').slice(0, -1), links(markdown)]), [
      ['review', ['$(eye) **B** · review · 2 s', '$(eye) **C** · review · 2 s'], [['ext.review', { groupId: 'bg_2' }]]],
      ['review', ['$(eye) **A** · review · 1 file · 2 s'], [['ext.review', { groupId: 'bg_1' }]]],
    ]);
  });

  it('counts what waits in other conversations, and links to the list of all', () => {
    const theirs = group([waiting('A', 'bg_1', { sessionId: 's2' }), waiting('B', 'bg_1', { sessionId: 's2' })], { sessionId: 's2', status: 'completed' });
    for (const sessionId of ['s1', undefined]) {
      const parts = report([theirs], sessionId);
      assert.deepEqual(parts.map(({ kind, markdown }) => `${kind} ${markdown.trim()}`), [
        'text Nothing of this conversation waits for your review.',
        'text Waiting for your review in other conversations: 2.',
        'review [Review All](command:ext.review)',
      ]);
    }
  });

  it('says so where nothing waits, and offers nothing of another window', () => {
    const theirs = group([waiting('A', 'bg_1')], { isElsewhere: true, status: 'completed' });
    for (const groups of [[], [theirs]]) assert.deepEqual(report(groups), [{ kind: 'text', markdown: 'Nothing of this conversation waits for your review.\n\n' }]);
  });

  it('has a child of a later round once, under the group in which people know it', () => {
    const again = waiting('A', 'bg_1', { roundGroupId: 'bg_2', round: 2 });
    const round = group([again], { groupId: 'bg_2', isRound: true, status: 'completed' });
    assert.deepEqual(report([group([again], { status: 'completed' }), round]).map(({ markdown }) => links(markdown)), [[['ext.review', { groupId: 'bg_1' }]]]);
    assert.deepEqual(report([round]).map(({ markdown }) => links(markdown)), [[['ext.review', { groupId: 'bg_2' }]]]);
  });

  it('makes nothing of names that models gave', () => {
    const [part] = report([group([waiting('[x](command:y) $(trash)', 'bg_1')], { status: 'completed' })]);
    assert.deepEqual(links(part?.markdown ?? ''), [['ext.review', { groupId: 'bg_1' }]]);
    assert.equal(part?.markdown.match(/\$\(/g)?.length, 1);
  });
});
