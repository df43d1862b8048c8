import { compactionLine } from './agent/context/compactionLine.ts';
import { retryLine } from './agent/retryLine.ts';
import type { GroupSpec } from './domain/agents.ts';
import type { RuntimeEvent } from './domain/events.ts';
import type { Log } from './domain/ports.ts';

/** Writes what the log tells of an event; of most it is nothing. */
export function logEvent(event: RuntimeEvent, log: Log): void {
  if (event.type === 'problem') log.error(event.message);
  const line = retryLine(event);
  if (line !== undefined) log.warn(line);
  const compaction = compactionLine(event);
  if (compaction !== undefined) log.info(compaction);
  if (event.type === 'group.accepted') for (const note of noteLines(event.group)) log.warn(note);
}

/** What the log says of children that run with something else than they were to. */
function noteLines({ children }: GroupSpec): readonly string[] {
  return children.flatMap(({ agentId, notes = [] }) => notes.map((note) => `delegation: ${agentId}: ${note}`));
}
