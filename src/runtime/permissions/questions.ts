import { AppError } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { ApprovalDecision, ApprovalRequest } from '../domain/approvals.ts';
import type { AskUser, UserAnswer, UserQuestion } from '../domain/services.ts';

/** What stands in the queue for a question. */
export function questionRequest(question: UserQuestion, { agent, callId }: Parameters<AskUser>[1]): Omit<ApprovalRequest, 'id' | 'requestedAt'> {
  return {
    agent,
    callId,
    tool: 'AskUser',
    action: oneLine(question.question),
    input: question,
    preview: { kind: 'text', text: question.question },
    why: 'It asks the user.',
    canAlways: false,
    question,
  };
}

/** Throws `invalid_input` for a decision that says nothing on this request: a permission for a question, an answer to a call, and no answer at all. */
export function assertAnswers(decision: ApprovalDecision, { question }: Pick<ApprovalRequest, 'question'>): void {
  if (!question && decision.kind === 'answer') throw new AppError('invalid_input', 'This waits for a permission, not for an answer.');
  if (!question || decision.kind === 'deny') return;
  if (decision.kind !== 'answer') throw new AppError('invalid_input', 'This waits for an answer, not for a permission. Answer it, or deny it to give none.');
  const text: unknown = decision.text;
  if (typeof text !== 'string' || oneLine(text) === '') throw new AppError('invalid_input', 'An answer needs some text. Deny the question to give none.');
}

/** A decision on a question, for whoever asked. */
export function answerOf(decision: ApprovalDecision): UserAnswer {
  if (decision.kind === 'answer') return { kind: 'answered', text: decision.text };
  return { kind: 'declined', ...(decision.kind === 'deny' && decision.message !== undefined && { message: decision.message }) };
}
