import { AppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { ChildView } from '../domain/agents.ts';
import type { Hunk, LineRange, ReviewDecision } from '../domain/reviews.ts';
import type { FileState } from '../domain/tools.ts';
import type { Decided } from './records.ts';
import type { ReviewedFile } from './reviewedFile.ts';

/** A decision on some of a file's hunks, or on all of it. `content`: what stands there. */
export function decisionOn({ path, review }: ReviewedFile, verdict: ReviewDecision['verdict'], content: FileState, chosen: readonly Hunk[]): ReviewDecision {
  const lines: 'all' | readonly LineRange[] = chosen.length === review.hunks.length ? 'all' : chosen.map((hunk) => hunk.lines);
  return { id: `decision-${randomId().slice(0, 12)}`, path, verdict, content, lines };
}

/** The decision as it stands in the record of each child whose changes it is on. */
export function decidedEvents(decision: ReviewDecision, own: readonly ChildView[], { authors }: ReviewedFile, at: number): readonly Decided[] {
  return own.filter(({ agentId }) => authors.includes(agentId)).map(({ sessionId, groupId, agentId }) => ({ type: 'review.decided', at, sessionId, groupId, agentId, decision }));
}

/** The hunks of those ids, or all. @throws AppError `conflict` where one isn't there any more */
export function chosenHunks({ path, review }: ReviewedFile, ids: readonly string[] | undefined): readonly Hunk[] {
  if (ids === undefined) return review.hunks;
  const wanted = new Set(ids);
  const chosen = review.hunks.filter(({ id }) => wanted.has(id));
  if (chosen.length < wanted.size) throw new AppError('conflict', `${path} has changed since you looked at it. Look at its changes again.`);
  return chosen;
}
