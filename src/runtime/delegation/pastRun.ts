import { openResults, viewOf, wellFormed } from '../agent/conversation.ts';
import type { ChildSpec, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { Message } from '../domain/messages.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';

/** What a child's transcript keeps of it. */
export interface PastRun {
  /** As it first started. */
  readonly first: ChildSpec;
  /** As it last started or went on. */
  readonly latest: ChildSpec;
  /** The group of its latest round. */
  readonly groupId: string;
  readonly definition: AgentDefinition;
  readonly system: string;
  /** Its conversation; only calls of the last message may be without results. */
  readonly messages: readonly Message[];
  /** What its model sees of that. */
  readonly view: readonly Message[];
  /** What was said and done in its latest round. */
  readonly round: { readonly messages: readonly Message[]; readonly outcome?: RunOutcome };
}

/** Reads a child's transcript; nothing where it doesn't say what the child is. */
export function pastRun(entries: readonly TranscriptEntry[]): PastRun | undefined {
  const begin = entries.find((entry) => entry.type === 'started');
  if (begin?.type !== 'started' || begin.run.kind !== 'child') return undefined;
  const { spec: first, definition, system, groupId } = begin.run;
  let latest = { spec: first, groupId };
  let round: Message[] = [];
  const messages: Message[] = [];
  let outcome: RunOutcome | undefined;
  for (const entry of entries) {
    if (entry.type === 'message') {
      messages.push(entry.message);
      round.push(entry.message);
    } else if (entry.type === 'ended') {
      outcome = entry.outcome;
    } else if (entry.type === 'resumed') {
      if (entry.spec.round > latest.spec.round) round = [];
      latest = entry;
      outcome = undefined;
    }
  }
  // Calls of the last message get their results when it goes on.
  const isOpen = openResults(messages.at(-1)) !== undefined;
  const closed = (all: readonly Message[]): readonly Message[] => (isOpen ? all.slice(0, -1) : all);
  return { first, latest: latest.spec, groupId: latest.groupId, definition, system, messages: closed(wellFormed(messages)), view: closed(viewOf(entries)), round: { messages: round, ...(outcome && { outcome }) } };
}
