import { errorText } from '../base/errors.ts';
import type { ModelError, ModelEvent } from '../domain/models.ts';
import { NO_USAGE, type Usage } from '../domain/usage.ts';

const ALIVE: ModelEvent = { type: 'alive' };
const COUNTS = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const;

/**
 * The event with what its type promises. A provider in code, or another extension's model, may yield anything, and what
 * is once in a conversation goes out with each of its requests.
 */
export function cleanEvent(event: ModelEvent): ModelEvent {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return isText(event.text) && event.text !== '' ? event : ALIVE;
    case 'tool_call':
      return { type: 'tool_call', id: isText(event.id) ? event.id : '', name: isText(event.name) ? event.name : '', arguments: argumentsOf(event.arguments) };
    case 'usage':
      return { type: 'usage', usage: cleanUsage(event.usage) };
    case 'end':
      return event.error ? { ...event, error: cleanError(event.error) } : event;
    case 'alive':
      return event;
  }
  // Of a kind that nobody knows.
  return ALIVE;
}

/** A call's arguments as text, whatever they are: an object as JSON. What can't be written down is no JSON, so that its tool refuses it. */
export function argumentsOf(input: unknown): string {
  if (isText(input)) return input;
  try {
    return JSON.stringify(input ?? {}) ?? errorText(input);
  } catch (error) {
    return `(arguments that can't be read: ${errorText(error)})`;
  }
}

/** A count that is no number would make every sum none, and what no sum exceeds is no limit. */
function cleanUsage(usage: unknown): Usage {
  const given: Partial<Record<keyof Usage, unknown>> = typeof usage === 'object' && usage !== null ? usage : {};
  const counted = Object.fromEntries(COUNTS.flatMap((name) => (isCount(given[name]) ? [[name, given[name]]] : [])));
  const isWhole = COUNTS.every((name) => name === 'reasoning' || name in counted);
  return { ...NO_USAGE, ...counted, ...((!isWhole || given.isPartial === true) && { isPartial: true }) };
}

function cleanError(error: ModelError): ModelError {
  return isText(error.message) ? error : { ...error, message: errorText(error.message) };
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
