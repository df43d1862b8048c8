import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FileReview } from '../../../src/runtime/domain/reviews.ts';
import { acceptResult } from '../../../src/ui/review/acceptText.ts';
import { fileFacts, isUndoable, reviewWords } from '../../../src/ui/review/fileFacts.ts';
import { lossText } from '../../../src/ui/review/lossText.ts';
import { hunkThreads } from '../../../src/ui/review/comments/threads.ts';
import { childRow, childTooltip, type ChildContext } from '../../../src/ui/tree/childItem.ts';
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

  it('has no threads beside the lines of the workspace\'s file, which are others', () => {
    const settled = child({ status: 'completed', taskStatus: 'review' });
    const { place: _, ...inPlace } = review;
    assert.deepEqual([review, inPlace].map((file) => hunkThreads({ child: settled, name: 'A', file, requests: [] }, l10n).length), [0, 1]);
  });

  it('says what was not merged, and what to do about it', () => {
    const conflicts = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `/work/${name}.txt`, why: 'Changed.' }));
    assert.equal(acceptResult({ conflicts, unsaved: ['/work/f.txt'] }, l10n),
      'Not merged into a.txt: Changed. Not merged into b.txt: Changed. Not merged into c.txt: Changed. And 2 more files are not merged. Merge by hand what you want of it, then undo the rest. Changed in the editor, but not saved: f.txt.');
    assert.equal(acceptResult({ conflicts: [], unsaved: [] }, l10n), '');
  });

  it('is named before its worktree is removed', () => {
    assert.equal(lossText({ commits: 2, paths: ['/work/a.txt'] }, l10n), 'Nobody has decided on what it changed in:\na.txt\n2 commits that no branch holds are lost.');
    assert.equal(lossText({ commits: 1, paths: [] }, l10n), '1 commit that no branch holds is lost.');
    assert.equal(lossText({ commits: 0, mayHoldMoreCommits: true, paths: [] }, l10n), 'Perhaps undone commits are lost, too: git has no record of them.');
    assert.equal(lossText({ commits: 0, paths: [] }, l10n), 'Nothing that is not merged is lost.');
  });
});

describe('the row of a child in a worktree', () => {
  const context: ChildContext = { name: 'A', place: 1, now: 15_000, isElsewhere: false, hasRefused: false, cwd: '/work', locale: 'en', l10n };
  const worktree = { path: '/storage/agent-1', base: '1a2b3c4d5e6f7a8b', branch: 'feature/login', leavesOut: true };

  it('says from where it began, and that uncommitted work is not in it', () => {
    const view = child({ status: 'completed', taskStatus: 'review', settledAt: 2000, worktree });
    assert.equal(childRow(view, context).description, 'review · 1 s · worktree · base 1a2b3c4 without uncommitted changes');
    assert.match(childRow({ ...view, worktree: { ...worktree, leavesOut: false } }, context).description ?? '', / · worktree · base 1a2b3c4$/);
    assert.match(childRow(view, context).contextValue, /\+worktree$/);
    const lines = Object.fromEntries(childTooltip(view, context).map(({ name, value }) => [name, value]));
    assert.deepEqual([lines['Worktree'], lines['Base']], ['/storage/agent-1', '1a2b3c4d5e6f7a8b · feature/login']);
  });

  it('of any other says nothing of that', () => {
    assert.doesNotMatch(JSON.stringify([childRow(child({}), context), childTooltip(child({}), context)]), /[Ww]orktree|Base/);
  });
});
