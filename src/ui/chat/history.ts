import type { ChatIds } from './chatIds.ts';

/** Which conversation of the runtime a chat turn belongs to. */
export interface SessionTurn {
  readonly sessionId: string;
  readonly turnId: string;
}

/** What is looked at in a turn of the chat's history. Requests have neither field. */
export interface HistoryTurn {
  readonly participant: string;
  readonly result?: { readonly metadata?: Readonly<Record<string, unknown>> };
  readonly response?: readonly { readonly value?: unknown }[];
}

/**
 * Finds the conversation that the chat goes on with: in the result of our latest response, or, since one that was
 * cut can have lost it, in the arguments of the links that we wrote.
 */
export function findSession(history: readonly HistoryTurn[], ids: ChatIds): SessionTurn | undefined {
  for (const turn of history.toReversed()) {
    if (turn.participant !== ids.participant || turn.response === undefined) continue;
    const found = asSessionTurn(turn.result?.metadata) ?? fromLinks(turn.response, ids);
    if (found) return found;
  }
  return undefined;
}

function fromLinks(response: readonly { readonly value?: unknown }[], ids: ChatIds): SessionTurn | undefined {
  for (const part of response.toReversed()) {
    const text = trustedText(part.value, ids);
    const links = text === undefined ? [] : [...text.matchAll(/\(command:([\w.-]+)\?([^\s()]+)\)/g)];
    for (const [, command, args] of links.toReversed()) {
      const found = command === ids.showGroup && args !== undefined ? parseArgs(args) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

/** Only what we wrote ourselves counts: a model could write a link of the same form into its own, untrusted, text. */
function trustedText(value: unknown, ids: ChatIds): string | undefined {
  if (!isRecord(value) || typeof value['value'] !== 'string' || !isRecord(value['isTrusted'])) return undefined;
  const commands: unknown = value['isTrusted']['enabledCommands'];
  return Array.isArray(commands) && commands.includes(ids.showGroup) ? value['value'] : undefined;
}

function parseArgs(args: string): SessionTurn | undefined {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(args));
    return Array.isArray(parsed) ? asSessionTurn(parsed[0]) : undefined;
  } catch {
    return undefined;
  }
}

function asSessionTurn(value: unknown): SessionTurn | undefined {
  if (!isRecord(value)) return undefined;
  const { sessionId, turnId } = value;
  return typeof sessionId === 'string' && sessionId !== '' && typeof turnId === 'string' ? { sessionId, turnId } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
