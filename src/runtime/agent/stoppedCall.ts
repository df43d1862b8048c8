import { isInterruption, isRetry } from '../base/abort.ts';
import type { ToolCallPart, ToolResultPart } from '../domain/messages.ts';
import { timeoutOf } from './runClock.ts';

/** How far a call came before the run was stopped. `unknown`: a crash leaves no trace. */
export type Reached = 'nothing' | 'running' | 'unknown';

/** What the model hears of a call that the run's end cut short; the words tell a cancel, a person's wish for another try, a time limit and the end of the host apart. */
export function stoppedText(signal: AbortSignal, reached: Exclude<Reached, 'unknown'>): string {
  if (isInterruption(signal)) return interruptedText(reached);
  if (isRetry(signal)) return reached === 'nothing' ? NOT_RUN : STOPPED;
  const timeout = timeoutOf(signal);
  if (timeout !== undefined) return `${reached === 'nothing' ? 'Not run.' : 'Stopped.'} ${timeout}`;
  return reached === 'nothing' ? 'Cancelled before it ran.' : 'Cancelled.';
}

/** The result of a call that the end of the host cut short. */
export function interruptedResult({ id, name }: ToolCallPart, reached: Reached): ToolResultPart {
  return { callId: id, name, isError: true, wasInterrupted: true, content: [{ type: 'text', text: interruptedText(reached) }] };
}

function interruptedText(reached: Reached): string {
  switch (reached) {
    case 'nothing':
      return 'Interrupted before it ran. Call it again if it is still needed.';
    case 'running':
      return 'Interrupted while it ran: it is not known how far it came. Look before you call it again.';
    case 'unknown':
      return 'Interrupted: it is not known whether it ran. Look before you call it again.';
  }
}

const NOT_RUN = 'Not run: the user stopped you before it began. Try another way, or call it again if it is still needed.';
const STOPPED = 'Stopped by the user, since it seemed stuck: what it did until then stands. Try another way, or call it again.';
