import type { TranscriptEntry } from '../../runtime/domain/transcripts.ts';

/** The entries of a run's latest round: what follows the line with which it began. An interruption begins none. */
export function latestRound(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const rounds = roundsOf(entries);
  const start = rounds.findLastIndex((round, index) => index > 0 && round !== rounds[index - 1]);
  return start < 0 ? entries : entries.slice(start);
}

/** The round in which each entry was written, from 1. */
export function roundsOf(entries: readonly TranscriptEntry[]): readonly number[] {
  let round = 1;
  return entries.map((entry) => (round = entry.type === 'resumed' ? entry.spec.round : round));
}
