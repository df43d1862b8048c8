import { aggregateText, type CompletionOptions } from '../delegation/completionText.ts';
import type { SettledGroup } from '../delegation/groupRun.ts';
import type { GroupResults } from '../domain/agents.ts';

/** What a group came to, for whoever waited for it. */
export function resultsOf({ groupId, status, children }: SettledGroup, options: CompletionOptions): GroupResults {
  return {
    groupId,
    status,
    children,
    text: (maxChildText) => aggregateText(children, { ...options, ...(maxChildText !== undefined && { maxChildText }) }),
  };
}
