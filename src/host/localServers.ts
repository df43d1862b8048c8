import { isAbort } from '../runtime/base/abort.ts';
import type { Clock } from '../runtime/base/clock.ts';
import { isAppError } from '../runtime/base/errors.ts';
import { withTimeLimit } from '../runtime/base/timeLimit.ts';
import { listModels, type ListedModel } from '../runtime/providers/modelList.ts';

/** A program that serves models on this computer, and the port that it usually does it on. */
export interface KnownServer {
  readonly name: string;
  readonly port: number;
}

/** A server that was found. It speaks OpenAI's Chat Completions. */
export interface LocalServer extends KnownServer {
  readonly baseUrl: string;
  readonly models: readonly ListedModel[];
  /** It tells nothing without a key. */
  readonly wantsKey: boolean;
}

export const KNOWN_SERVERS: readonly KnownServer[] = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vLLM', port: 8000 },
  { name: 'Jan', port: 1337 },
];

/** What isn't there answers at once, and what is there needs little: this is for what hangs. */
const LIMIT_MS = 1500;

/** Looks on the loopback address alone, at all ports at once. What answers with anything but a list of models isn't one. Rejects on abort alone. */
export async function findLocalServers(known: readonly KnownServer[], clock: Clock, signal: AbortSignal): Promise<readonly LocalServer[]> {
  const found = await Promise.all(known.map((server) => probe(server, clock, signal)));
  return found.filter((server) => server !== undefined);
}

async function probe(server: KnownServer, clock: Clock, signal: AbortSignal): Promise<LocalServer | undefined> {
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  try {
    const list = await withTimeLimit(clock, LIMIT_MS, signal, (limited) => listModels({ provider: 'openai', baseUrl }, limited));
    if (list.ok) return { ...server, baseUrl, models: list.models, wantsKey: false };
    return list.error.failure === 'auth' ? { ...server, baseUrl, models: [], wantsKey: true } : undefined;
  } catch (error) {
    if (isAbort(error) || !isAppError(error, 'timeout')) throw error;
    return undefined;
  }
}
