import type { RunOutcome } from '../domain/agents.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';

/** What a child said at the end of each of its rounds, by number; nothing for a round that goes on or ended without a word. */
export function roundAnswers(entries: readonly TranscriptEntry[]): ReadonlyMap<number, string> {
  const answers = new Map<number, string>();
  let round = 1;
  for (const entry of entries) {
    if (entry.type === 'resumed') round = entry.spec.round;
    // A round that goes on after an interruption hasn't ended yet.
    if (entry.type === 'resumed') answers.delete(round);
    if (entry.type !== 'ended') continue;
    const text = lastWords(entry.outcome);
    if (text !== undefined) answers.set(round, text);
  }
  return answers;
}

function lastWords(outcome: RunOutcome): string | undefined {
  switch (outcome.status) {
    case 'completed':
      return outcome.text;
    case 'failed':
    case 'cancelled':
      return outcome.partialText;
  }
}
