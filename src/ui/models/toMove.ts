import type { Answer } from './dialog.ts';
import type { Move } from './questions.ts';

/** Goes on with what an answer makes of the draft; nothing is made of going back and leaving. */
export function toMove<T, D>(answer: Answer<T>, next: (value: T) => D): Move<D> {
  return answer.kind === 'answer' ? { kind: 'next', draft: next(answer.value) } : answer;
}
