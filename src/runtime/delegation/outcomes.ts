import { errorText } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { FailureReason, GroupStatus, RunOutcome } from '../domain/agents.ts';

type Failure = Extract<RunOutcome, { status: 'failed' }>;

const MESSAGE_LENGTH = 500;

/** What a run's own words about its end become: success without visible text is none. */
export function checkedOutcome(outcome: RunOutcome): RunOutcome {
  if (outcome.status !== 'completed' || outcome.text.trim() !== '') return outcome;
  const { refused } = outcome;
  return { status: 'failed', reason: 'no_text', message: 'It stopped without final text.', ...(refused && { refused }) };
}

/** The outcome of a run that threw. Only an abort of our own makes it a cancelled one: else nobody cancelled it. */
export function thrownOutcome(error: unknown, aborted: boolean): RunOutcome {
  return aborted ? { status: 'cancelled' } : { status: 'failed', reason: 'error', message: errorText(error) };
}

/** True for a failure that every other run on the same provider would meet as well. */
export function isFatalForProvider(outcome: RunOutcome): outcome is Failure {
  return outcome.status === 'failed' && (outcome.reason === 'auth' || outcome.reason === 'quota');
}

/** The one word for a group whose children have all settled: theirs where they agree, else `partial`. */
export function groupStatus(outcomes: readonly RunOutcome[]): Exclude<GroupStatus, 'running' | 'interrupted'> {
  const [first, ...others] = new Set(outcomes.map(({ status }) => status));
  return first === undefined || others.length > 0 ? 'partial' : first;
}

/** Why a run failed, for the model, on one line. The provider's or tool's own words follow where they matter. */
export function failureText({ reason, message }: Failure): string {
  const words = truncate(oneLine(message), MESSAGE_LENGTH);
  const { text, showsMessage } = REASONS[reason];
  return showsMessage && words !== '' ? `${text}: ${words}` : text;
}

const REASONS: Readonly<Record<FailureReason, { readonly text: string; readonly showsMessage: boolean }>> = {
  error: { text: 'Subagent failed', showsMessage: true },
  max_turns: { text: 'Subagent reached max turns', showsMessage: false },
  max_tokens: { text: "Subagent was cut off at the model's output limit", showsMessage: false },
  refusal: { text: 'The model refused the task', showsMessage: false },
  filtered: { text: "Subagent's output was filtered by the provider", showsMessage: false },
  no_text: { text: 'Subagent stopped without final text', showsMessage: false },
  context: { text: "Subagent ran out of the model's context window", showsMessage: false },
  timeout: { text: 'Subagent ran out of time', showsMessage: true },
  rate_limited: { text: 'Rate limit of the provider reached', showsMessage: true },
  quota: { text: 'Quota of the provider used up', showsMessage: true },
  schema: { text: "Subagent gave no result that matches its schema", showsMessage: true },
  budget: { text: 'The budget of the group is used up', showsMessage: true },
  auth: { text: 'The provider refused the credentials', showsMessage: true },
};
