import { truncate } from '../../../runtime/base/text.ts';
import type { ChildView } from '../../../runtime/domain/agents.ts';
import type { ChangeRequestView, FileReview, LineRange } from '../../../runtime/domain/reviews.ts';
import type { L10n } from '../../l10n.ts';
import { joined } from '../../tree/presentation.ts';
import { isBusy } from '../../children.ts';
import type { ReviewedFile } from './reviewedFiles.ts';

/** Characters of a child's answer that a thread shows; the result document has all of it. */
const MAX_ANSWER = 2000;

/** What menus match on a thread. */
export const THREAD_CONTEXTS = { hunk: 'hunk', conflict: 'hunkConflict', draft: 'draft', request: 'request' } as const;
export type ThreadContext = (typeof THREAD_CONTEXTS)[keyof typeof THREAD_CONTEXTS];

/** A thread of comments beside a file, as data. All words are shown as plain text. */
export interface ThreadSpec {
  /** The same for as long as it is the same thread. */
  readonly key: string;
  readonly lines: LineRange;
  readonly label: string;
  readonly context: ThreadContext;
  /** Absent where it is no question of being resolved. */
  readonly isResolved?: boolean;
  /** Whether it shows its comments from the first, as the talk that goes on does. Absent: no. */
  readonly isUnfolded?: boolean;
  /** Whether a comment can be written into it. Absent: no. */
  readonly canReply?: boolean;
  readonly comments: readonly CommentSpec[];
}

export interface CommentSpec {
  readonly author: string;
  readonly text: string;
  /** Stands beside the author. */
  readonly label?: string;
  /** What menus match on the comment. */
  readonly context?: 'draft';
  /** Milliseconds since the epoch. */
  readonly at?: number;
}

/** A comment that wasn't sent yet, as far as its thread shows it. */
export interface ShownDraft {
  readonly id: string;
  readonly lines: LineRange;
  readonly text: string;
}

/**
 * A thread for each change of a file that is left to decide; none while the child works, since nothing can be decided
 * then. What it is stands in the label: VS Code opens its list of comments for whatever has a text.
 */
export function hunkThreads({ child, name, file }: ReviewedFile, l10n: L10n): readonly ThreadSpec[] {
  // Of a version that stands elsewhere the lines aren't those of the file itself.
  if (isBusy(child) || file.place !== undefined) return [];
  return file.hunks.map((hunk, index) => ({
    key: hunkKey(child, file, hunk.id),
    lines: hunk.lines,
    label: l10n.t('Change {0} of {1} by {2}', index + 1, file.hunks.length, name),
    context: hunk.conflict === undefined ? THREAD_CONTEXTS.hunk : THREAD_CONTEXTS.conflict,
    canReply: true,
    comments: [{ author: name, text: '', label: joined(`+${hunk.now.length} −${hunk.before.length}`, hunk.conflict) }],
  }));
}

export function draftThread(draft: ShownDraft, name: string | undefined, l10n: L10n): ThreadSpec {
  return {
    key: draftKey(draft.id),
    lines: draft.lines,
    label: name === undefined ? l10n.t('Comment, not sent yet') : l10n.t('Comment for {0}, not sent yet', name),
    context: THREAD_CONTEXTS.draft,
    isUnfolded: true,
    comments: [{ author: l10n.t('You'), text: draft.text, label: l10n.t('Draft'), context: 'draft' }],
  };
}

/** The threads of what was requested on a file: each comment, with the child's answer once it has given one. */
export function requestThreads({ child, name, file, requests }: ReviewedFile, l10n: L10n): readonly ThreadSpec[] {
  return requests.flatMap((request) => request.comments.filter((comment) => comment.path === file.path).map((comment): ThreadSpec => {
    const reply = request.replies[comment.id];
    const answer = reply?.answer ?? request.answer;
    const isResolved = !isBusy(child) && file.hunks.length === 0;
    const waits = answer === undefined && isBusy(child) && child.round === request.round;
    return {
      key: requestKey(comment.id),
      lines: reply?.lines ?? comment.lines,
      label: waits ? l10n.t('Sent to {0}, which works on it', name) : l10n.t('Sent to {0}', name),
      context: THREAD_CONTEXTS.request,
      isResolved,
      isUnfolded: !isResolved && child.round === request.round,
      comments: [
        { author: l10n.t('You'), text: comment.text, at: request.at, ...(reply !== undefined && reply.lines === undefined && { label: l10n.t('its lines are gone') }) },
        ...(answer === undefined ? [] : [{ author: name, text: truncate(answer.trim(), MAX_ANSWER) }]),
      ],
    };
  }));
}

export function hunkKey(child: Pick<ChildView, 'agentId'>, file: Pick<FileReview, 'path'>, hunkId: string): string {
  return JSON.stringify(['hunk', child.agentId, file.path, hunkId]);
}

export function draftKey(id: string): string {
  return JSON.stringify(['draft', id]);
}

export function requestKey(commentId: ChangeRequestView['comments'][number]['id']): string {
  return JSON.stringify(['request', commentId]);
}
