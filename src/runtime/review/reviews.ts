import { AppError } from '../base/errors.ts';
import type { ReviewAccess } from '../domain/reviews.ts';

/** See `ReviewAccess`. */
export function createReviews(): ReviewAccess {
  const refuse = (): Promise<never> => Promise.reject(new AppError('unavailable', 'Changes are not kept.'));
  return { changes: async () => [], groupChanges: async () => [], diff: refuse, groupDiff: refuse, accept: refuse, undo: refuse, undoGroup: refuse, requestChanges: refuse, requests: async () => [], stateOf: refuse };
}
