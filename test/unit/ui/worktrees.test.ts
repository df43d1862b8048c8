import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FileReview } from '../../../src/runtime/domain/reviews.ts';
import { acceptResult } from '../../../src/ui/review/acceptText.ts';
import { fileFacts, fileWords, isUndoable, reviewWords } from '../../../src/ui/review/fileFacts.ts';
import { lossText } from '../../../src/ui/review/lossText.ts';
import { hunkThreads } from '../../../src/ui/review/comments/threads.ts';
import { childRow, childTooltip, type ChildContext } from '../../../src/ui/tree/childItem.ts';
import { affected } from '../../../src/ui/tree/nodes.ts';
import { rowMark, rowQuery } from '../../../src/ui/review/diff/changeUris.ts';
import { fileRow } from '../../../src/ui/tree/fileItem.ts';
import { child, english as l10n } from './fakes.ts';

const review: FileReview = {
  path: '/work/a.txt', place: '/storage/a.txt', kind: 'edited', state: 'open', added: 1, removed: 1, isBinary: false, sharedWith: [],
  hunks: [{ id: 'h', lines: { start: 0, end: 1 }, before: ['a'], now: ['b'], conflict: 'Somebody changed it.' }],
};

describe('a child\'s version of a file in a worktree', () => {
  it('can be discarded in spite of a conflict, which its row shows', () => {
    const facts = fileFacts(review);
    assert.deepEqual([isUndoable(facts), reviewWords(facts, l10n)], [true, 'conflict']);
    const { place: _, ...inPlace } = review;
    assert.equal(isUndoable(fileFacts(inPlace)), false);
    assert.equal(reviewWords(fileFacts({ ...review, hunks: [], unknown: 'It is a link.' }), l10n), 'can’t be merged');
  });

  it('offers no Accept as long as it is in conflict, and is marked so', () => {
    const row = (file: FileReview): string => fileRow(fileFacts(file), { cwd: '/work', isDecidable: true, l10n }).contextValue;
    assert.equal(row(review), 'file+open+decidable+unmergeable+undoable');
    assert.equal(row({ ...review, hunks: review.hunks.map(({ conflict: _, ...hunk }) => hunk) }), 'file+open+decidable+undoable');
    const { place: _, ...inPlace } = review;
    assert.equal(row(inPlace), 'file+open+decidable');
    assert.deepEqual(rowMark(rowQuery('a', { kind: 'edited', isDone: false, isInConflict: true })), { kind: 'edited', isDone: false, isInConflict: true });
  });

  it('says that it went with its worktree, and can then only be undone', () => {
    const { place: _, ...gone } = review;
    const facts = fileFacts({ ...gone, hunks: [], added: 0, removed: 0, unknown: 'It is gone.', isLost: true });
    assert.deepEqual([fileWords(facts, l10n), isUndoable(facts)], ['worktree is gone', true]);
  });

  it('has no threads beside the lines of the workspace\'s file, which are others', () => {
    const settled = child({ status: 'completed', taskStatus: 'review' });
    const { place: _, ...inPlace } = review;
    assert.deepEqual([review, inPlace].map((file) => hunkThreads({ child: settled, name: 'A', file, requests: [] }, l10n).length), [0, 1]);
  });

  it('says what was not merged, and what to do about it', () => {
    const conflicts = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `/work/${name}.txt`, why: 'Changed.' }));
    assert.equal(acceptResult({ conflicts, unsaved: ['/work/f.txt'] }, l10n),
      '5 files were not merged: a.txt, b.txt, c.txt and 2 more. Changed. To finish, edit your file as you want it, then undo the subagent’s version. Changed in the editor, but not saved: f.txt.');
    assert.match(acceptResult({ conflicts: conflicts.slice(0, 1), unsaved: [] }, l10n), /^1 file was not merged: a\.txt\. Changed\. /);
    assert.equal(acceptResult({ conflicts: [], unsaved: [] }, l10n), '');
  });

  it('is named before its worktree is removed', () => {
    assert.equal(lossText({ commits: 2, paths: ['/work/a.txt'] }, l10n), 'These would be lost:\na.txt\n2 commits that no branch holds');
    assert.equal(lossText({ commits: 1, paths: [] }, l10n), 'These would be lost:\n1 commit that no branch holds');
    assert.equal(lossText({ commits: 0, mayHoldMoreCommits: true, paths: [] }, l10n), 'These would be lost:\nPerhaps undone commits: git has no record of them');
    assert.equal(lossText({ commits: 0, paths: [] }, l10n), 'Nothing that is not merged is lost.');
  });
});

describe('the row of a child in a worktree', () => {
  const context: ChildContext = { name: 'A', place: 1, now: 15_000, isElsewhere: false, hasRefused: false, cwd: '/work', locale: 'en', l10n };
  const worktree = { path: '/storage/agent-1', base: '1a2b3c4d5e6f7a8b', branch: 'feature/login', leavesOut: true };

  it('says from where it began, and that uncommitted work is not in it', () => {
    const view = child({ status: 'completed', taskStatus: 'review', settledAt: 2000, worktree });
    assert.equal(childRow(view, context).description, 'review · 1 s · worktree 1a2b3c4');
    assert.equal(childRow(view, { ...context, conflicts: 2 }).description, 'review · 1 s · 2 conflicts · worktree 1a2b3c4');
    assert.match(childRow(view, context).contextValue, /\+worktree$/);
    const lines = Object.fromEntries(childTooltip(view, context).map(({ name, value }) => [name, value]));
    assert.deepEqual([lines['Folder'], lines['Base']], ['a git worktree of work', '1a2b3c4 · feature/login · without uncommitted changes']);
  });

  it('offers no removal once that is gone, and keeps from where it began in its tooltip', () => {
    const view = child({ status: 'completed', taskStatus: 'review', settledAt: 2000, worktree, isWorktreeGone: true });
    assert.doesNotMatch(JSON.stringify(childRow(view, context)), /worktree/);
    const lines = Object.fromEntries(childTooltip(view, context).map(({ name, value }) => [name, value]));
    assert.deepEqual([lines['Folder'], lines['Base']?.slice(0, 7)], ['/work', '1a2b3c4']);
  });

  it('is drawn anew when its worktree comes or goes', () => {
    const key = { at: 1, sessionId: 's', groupId: 'g', agentId: 'a' };
    assert.deepEqual(affected({ type: 'worktree.removed', ...key }), { groupId: 'g', agentId: 'a' });
    assert.deepEqual(affected({ type: 'worktree.created', worktree, ...key }), { groupId: 'g', agentId: 'a' });
  });

  it('of any other says nothing of that', () => {
    assert.doesNotMatch(JSON.stringify([childRow(child({}), context), childTooltip(child({}), context)]), /[Ww]orktree|Base/);
  });
});
