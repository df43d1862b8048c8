import { oneLine, truncate } from '../../runtime/base/text.ts';
import { toolCallsOf, type ToolResultPart } from '../../runtime/domain/messages.ts';
import type { TranscriptEntry } from '../../runtime/domain/transcripts.ts';

/** A tool call as the transcript tells it. */
export interface ActivityLine {
  readonly at: number;
  readonly callId: string;
  readonly tool: string;
  /** Its arguments in one line. */
  readonly input: string;
  /** The command that it ran, where it is a call of the shell. */
  readonly command?: string;
  /** Absent while it has no result. */
  readonly outcome?: 'done' | 'error' | 'denied';
  /** In milliseconds, from when it was allowed. */
  readonly durationMs?: number;
}

/** The tool calls of a run, in order. */
export function activityOf(entries: readonly TranscriptEntry[]): readonly ActivityLine[] {
  const results = new Map<string, ToolResultPart>();
  for (const entry of entries) {
    if (entry.type !== 'message' || entry.message.role !== 'tool') continue;
    for (const result of entry.message.results) results.set(result.callId, result);
  }
  return entries.flatMap((entry) => {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') return [];
    return toolCallsOf(entry.message).map((call): ActivityLine => {
      const result = results.get(call.id);
      const command = call.name === 'Bash' ? commandIn(call.arguments) : undefined;
      const line = { at: entry.at, callId: call.id, tool: call.name, input: truncate(oneLine(call.arguments), 160), ...(command !== undefined && { command }) };
      if (result === undefined) return line;
      return { ...line, outcome: result.isDenied ? 'denied' : result.isError ? 'error' : 'done', ...(result.durationMs !== undefined && { durationMs: result.durationMs }) };
    });
  });
}

function commandIn(input: string): string | undefined {
  try {
    const value: unknown = JSON.parse(input);
    const command: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'command') : undefined;
    return typeof command === 'string' ? command : undefined;
  } catch {
    // Models write invalid arguments, too; such a call never ran.
    return undefined;
  }
}
