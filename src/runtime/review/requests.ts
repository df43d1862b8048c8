import { AppError, isAppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { ChildView } from '../domain/agents.ts';
import type { EventOf } from '../domain/events.ts';
import type { ChangeRequest, ChangeRequestView, ReviewComment } from '../domain/reviews.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';
import { placeComment, type CommentFiles } from './commentPlace.ts';
import { parseReplies } from './replies.ts';
import { requestPrompt } from './requestPrompt.ts';
import { roundAnswers } from './roundAnswers.ts';

type Requested = EventOf<'review.requested'>;

/** What a reviewer wants changed, before it is sent. */
export interface RequestDraft {
  readonly text: string;
  readonly comments?: readonly ReviewComment[];
}

/** The words that a child goes on with. Rejects with `invalid_input` where nothing is said. */
export async function promptFor({ text, comments = [] }: RequestDraft, cwd: string | undefined, files: CommentFiles): Promise<string> {
  if (text.trim() === '' && comments.length === 0) throw new AppError('invalid_input', 'Say what is to be changed, in a few words or in comments on lines.');
  if (comments.some((comment) => comment.text.trim() === '')) throw new AppError('invalid_input', 'A comment is empty. Write something in it, or delete it.');
  const placed = await Promise.all(comments.map(async (comment) => ({ path: comment.path, text: comment.text, ...(await placeComment(comment, files)) })));
  return requestPrompt(text, placed, cwd);
}

/** A request as it is kept. `groupId`: of the round that takes it up. */
export function requestedEvent({ sessionId, agentId }: ChildView, { text, comments = [] }: RequestDraft, round: { readonly groupId: string; readonly number: number }, at: number): Requested {
  const asks: ChangeRequest = { id: `request-${randomId().slice(0, 10)}`, round: round.number, text, comments };
  return { type: 'review.requested', at, sessionId, groupId: round.groupId, agentId, asks };
}

/** The requests with what became of them, in their order. */
export async function requestViews(events: readonly Requested[], transcript: () => Promise<readonly TranscriptEntry[]>, files: CommentFiles): Promise<readonly ChangeRequestView[]> {
  if (events.length === 0) return [];
  const answers = roundAnswers(await readTranscript(transcript));
  return Promise.all(
    events.map(async ({ at, asks }): Promise<ChangeRequestView> => {
      const answer = answers.get(asks.round);
      const said = parseReplies(answer ?? '', asks.comments.length);
      const replies = await Promise.all(
        asks.comments.map(async (comment, index) => {
          const { lines } = await placeComment(comment, files);
          const own = said.get(index + 1);
          return [comment.id, { ...(own !== undefined && { answer: own }), ...(lines && { lines }) }] as const;
        }),
      );
      return { ...asks, at, ...(answer !== undefined && { answer }), replies: Object.fromEntries(replies) };
    }),
  );
}

/** A run whose transcript is lost has said nothing that can be shown. */
async function readTranscript(transcript: () => Promise<readonly TranscriptEntry[]>): Promise<readonly TranscriptEntry[]> {
  try {
    return await transcript();
  } catch (error) {
    if (isAppError(error, 'not_found')) return [];
    throw error;
  }
}
