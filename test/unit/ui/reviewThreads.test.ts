import assert from 'node:assert/strict';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import type { ChangeRequestView, FileReview, Hunk } from '../../../src/runtime/domain/reviews.ts';
import { commentCount } from '../../../src/ui/review/comments/requestWords.ts';
import { addressees, isUnderReview, reviewedFiles, type ReviewedFile } from '../../../src/ui/review/comments/reviewedFiles.ts';
import { draftThread, hunkThreads, requestThreads } from '../../../src/ui/review/comments/threads.ts';
import { child, english as l10n, group } from './fakes.ts';

const hunk = (id: string, start: number, end: number, patch: Partial<Hunk> = {}): Hunk => ({ id, lines: { start, end }, before: ['old'], now: Array.from({ length: end - start }, () => 'new'), ...patch });
const file = (patch: Partial<FileReview> = {}): FileReview => ({ path: '/w/a.ts', kind: 'edited', state: 'open', added: 1, removed: 1, isBinary: false, hunks: [hunk('h1', 2, 4), hunk('h2', 8, 8)], sharedWith: [], ...patch });
const finished = (patch: Partial<ChildView> = {}): ChildView => child({ status: 'completed', taskStatus: 'review', changedFiles: ['/w/a.ts'], ...patch });
const reviewed = (patch: Partial<ReviewedFile> = {}): ReviewedFile => ({ child: finished(), name: 'Docs review', file: file(), requests: [], ...patch });
const request = (patch: Partial<ChangeRequestView> = {}): ChangeRequestView => ({
  id: 'q1', round: 2, text: 'Please.', at: 5000, replies: {},
  comments: [{ id: 'c1', path: '/w/a.ts', lines: { start: 3, end: 4 }, content: { kind: 'kept', hash: 'x' }, text: 'Use *names*.' }, { id: 'c2', path: '/w/b.ts', lines: { start: 0, end: 1 }, content: { kind: 'absent' }, text: 'And here.' }],
  ...patch,
});

describe('the threads of what is left to decide', () => {
  it('are one for each change, numbered from the top, with what it added and removed', () => {
    const [first, second] = hunkThreads(reviewed(), l10n);
    assert.deepEqual([first?.label, first?.lines, first?.context, first?.comments[0]?.label], ['Change 1 of 2 by Docs review', { start: 2, end: 4 }, 'hunk', '+2 −1']);
    assert.deepEqual([second?.label, second?.lines, second?.comments[0]?.label], ['Change 2 of 2 by Docs review', { start: 8, end: 8 }, '+0 −1']);
  });

  it('say why one can not be undone, and are of a kind of their own', () => {
    const [only] = hunkThreads(reviewed({ file: file({ hunks: [hunk('h1', 2, 3, { conflict: 'Somebody else changed these lines.' })] }) }), l10n);
    assert.deepEqual([only?.context, only?.comments[0]?.label], ['hunkConflict', '+1 −1 · Somebody else changed these lines.']);
  });

  it('have no text, which would open the list of comments', () => {
    assert.ok(hunkThreads(reviewed(), l10n).every(({ comments }) => comments.every(({ text }) => text === '')));
  });

  it('are the same threads while their changes stay the same, and are told apart by child and file', () => {
    const keys = (of: ReviewedFile): readonly string[] => hunkThreads(of, l10n).map(({ key }) => key);
    assert.deepEqual(keys(reviewed({ file: file({ hunks: [hunk('h2', 9, 9)] }) })), keys(reviewed()).slice(1));
    const all = [...keys(reviewed()), ...keys(reviewed({ child: finished({ agentId: 'agent-2' }) })), ...keys(reviewed({ file: file({ path: '/w/b.ts' }) }))];
    assert.equal(new Set(all).size, 6);
  });

  it('are none while the child works, when nothing can be decided', () => {
    for (const status of ['queued', 'running'] as const) assert.deepEqual(hunkThreads(reviewed({ child: finished({ status }) }), l10n), []);
  });
});

describe('the threads of what was requested', () => {
  const working = finished({ status: 'running', round: 2 });

  it('hold the comments on that file, and say that the child works on them', () => {
    const threads = requestThreads(reviewed({ child: working, requests: [request()] }), l10n);
    assert.deepEqual(threads.map(({ label, lines, isResolved, comments }) => ({ label, lines, isResolved, comments })), [
      { label: 'Sent to Docs review, which works on it', lines: { start: 3, end: 4 }, isResolved: false, comments: [{ author: 'You', text: 'Use *names*.', at: 5000 }] },
    ]);
  });

  it('add what the child answered to the comment, else what it said in all, where the lines are now', () => {
    const answered = (patch: Partial<ChangeRequestView>) => requestThreads(reviewed({ child: finished({ round: 2 }), requests: [request(patch)] }), l10n)[0];
    const own = answered({ answer: 'All done.', replies: { c1: { answer: 'Renamed.', lines: { start: 6, end: 7 } } } });
    assert.deepEqual([own?.label, own?.lines, own?.comments[1]], ['Sent to Docs review', { start: 6, end: 7 }, { author: 'Docs review', text: 'Renamed.' }]);
    const whole = answered({ answer: 'All done.', replies: { c1: {} } });
    assert.deepEqual([whole?.lines, whole?.comments[0]?.label, whole?.comments[1]?.text], [{ start: 3, end: 4 }, 'its lines are gone', 'All done.']);
  });

  it('cut a long answer', () => {
    const [thread] = requestThreads(reviewed({ child: finished({ round: 2 }), requests: [request({ answer: 'x'.repeat(5000) })] }), l10n);
    assert.equal(thread?.comments[1]?.text.length, 2000);
  });

  it('tell an earlier request, to which nothing was said, from the one that is worked on', () => {
    const threads = requestThreads(reviewed({ child: finished({ status: 'running', round: 3 }), requests: [request(), request({ id: 'q2', round: 3, comments: request().comments.slice(0, 1).map((comment) => ({ ...comment, id: 'c9' })) })] }), l10n);
    assert.deepEqual(threads.map(({ label }) => label), ['Sent to Docs review', 'Sent to Docs review, which works on it']);
    assert.deepEqual(threads.map(({ isUnfolded }) => isUnfolded), [false, true], 'only the talk that goes on is shown at once');
  });

  it('are resolved once nothing of the file is left to decide', () => {
    const resolved = (of: Partial<ReviewedFile>) => requestThreads(reviewed({ requests: [request()], ...of }), l10n)[0]?.isResolved;
    assert.equal(resolved({ child: finished({ round: 2 }) }), false);
    assert.equal(resolved({ child: finished({ round: 2 }), file: file({ hunks: [], state: 'accepted' }) }), true);
    assert.equal(resolved({ child: working, file: file({ hunks: [], state: 'accepted' }) }), false);
  });
});

describe('the thread of a comment that was not sent', () => {
  it('says whom it is for, and that it is a draft', () => {
    const draft = { id: 'd1', lines: { start: 1, end: 2 }, text: 'Why?' };
    const thread = draftThread(draft, 'Docs review', l10n);
    assert.deepEqual([thread.label, thread.context, thread.comments], ['Comment for Docs review, not sent yet', 'draft', [{ author: 'You', text: 'Why?', label: 'Draft', context: 'draft' }]]);
    assert.equal(draftThread(draft, undefined, l10n).label, 'Comment, not sent yet');
  });

  it('is counted in what is sent', () => {
    assert.deepEqual([0, 1, 2].map((count) => commentCount(count, l10n)), [undefined, '1 comment', '2 comments']);
  });
});

describe('a file under review', () => {
  it('is one whose task is in review, or of which something is left to decide, of a child that has stopped', () => {
    const decided = file({ hunks: [], state: 'accepted' });
    assert.ok(isUnderReview(reviewed()));
    assert.ok(isUnderReview(reviewed({ file: decided })));
    assert.ok(!isUnderReview(reviewed({ file: decided, child: finished({ taskStatus: 'completed' }) })));
    assert.ok(isUnderReview(reviewed({ child: child({ status: 'failed', taskStatus: 'failed' }) })));
    for (const status of ['queued', 'running'] as const) assert.ok(!isUnderReview(reviewed({ child: finished({ status }) })));
  });

  it('has comments for whom the lines were changed by, else for all who changed the file', () => {
    const other = reviewed({ child: finished({ agentId: 'agent-2' }), file: file({ hunks: [hunk('h9', 20, 22), hunk('h8', 3, 4)] }) });
    const done = reviewed({ child: finished({ agentId: 'agent-3', taskStatus: 'completed' }), file: file({ hunks: [] }) });
    const whom = (start: number): readonly string[] => addressees([reviewed(), other, done], { start, end: start + 1 }).map((found) => found.child.agentId);
    assert.deepEqual(whom(2), ['agent-1']);
    assert.deepEqual(whom(21), ['agent-2']);
    assert.deepEqual(whom(3), ['agent-1', 'agent-2']);
    assert.deepEqual(whom(30), ['agent-1', 'agent-2']);
  });

  it('is asked about only of children of this window that changed it, and what fails costs the others nothing', async () => {
    const asked: string[] = [];
    const failed: string[] = [];
    const mine = finished({ round: 2, changedFiles: ['/w/a.ts', '/w/other.ts'] });
    const broken = finished({ agentId: 'broken' });
    const groups = [group([mine, finished({ agentId: 'stranger', changedFiles: ['/w/z.ts'] }), broken]), group([finished({ agentId: 'away', groupId: 'g2', roundGroupId: 'g2' })], { groupId: 'g2', isElsewhere: true })];
    const found = await reviewedFiles({
      groups: () => groups,
      group: (id) => groups.find(({ groupId }) => groupId === id),
      reviews: {
        ...refusing,
        file: async (agentId, path) => {
          asked.push(`${agentId} ${path}`);
          if (agentId === 'broken') throw new Error('damaged');
          return file({ path });
        },
        requests: async () => [request()],
      },
    }, new Set(['/w/a.ts']), ({ agentId }) => failed.push(agentId));
    assert.deepEqual([asked, failed], [['agent-1 /w/a.ts', 'broken /w/a.ts'], ['broken']], 'and of their files only about those in sight');
    assert.deepEqual(found.map((one) => [one.name, one.file.path, one.requests.length]), [['Docs review #1', '/w/a.ts', 1]]);
  });
});

const refuse = async (): Promise<never> => assert.fail('nothing else is asked');
const refusing = { changes: refuse, file: refuse, groupChanges: refuse, diff: refuse, groupDiff: refuse, accept: refuse, undo: refuse, undoGroup: refuse, requestChanges: refuse, requests: refuse, stateOf: refuse };
