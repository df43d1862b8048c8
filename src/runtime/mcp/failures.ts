import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { abortError } from '../base/abort.ts';
import { AppError, errorText, isAppError, systemCode } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import { STREAM_ENDED, UNREADABLE } from './answers.ts';
import type { ServerTarget } from './config.ts';

/** Characters of what a server or a library says. */
const MAX_WORDS = 500;
/** Errors with which nothing was sent. */
const UNREACHED: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** The HTTP status with which a server refused; nothing where it wasn't that. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof SseError ? error.code : undefined;
}

/** Why a session could not be opened, and what to do, in sentences that go on after the server's name. */
export function connectFailure(error: unknown, target: ServerTarget, mask: (text: string) => string): string {
  const status = statusOf(error);
  const words = wordsOf(error, mask);
  if (target.kind === 'stdio') return stdioFailure(error, target, words);
  if (status === 401 || status === 403) return `It refused the access (HTTP ${status}). Set the key that it wants in its \`headers\`; signing in by OAuth isn't supported.`;
  if (isRedirect(status)) return 'It redirects to another address, which isn\'t followed, because its `headers` would go along. If you trust that address, set it as its `url`.';
  if (status !== undefined) return `It answered with HTTP ${status}${words === '' ? '' : ` (${words})`}. Check its \`url\`.`;
  return `It could not be reached${words === '' ? '' : ` (${words})`}. Check its \`url\` and whether it runs.`;
}

function stdioFailure(error: unknown, { command }: Extract<ServerTarget, { kind: 'stdio' }>, words: string): string {
  const code = systemCode(error);
  // Of a name without a path the system also says so where a folder of the PATH can't be read, and the command is in none.
  if (code === 'EACCES' && !/[/\\]/.test(command)) return `Its command ${command} was not found on the PATH, or may not be run. Write it with its whole path, and check the rights of the file.`;
  if (code === 'ENOENT') return `Its command ${command} was not found, or its \`cwd\` isn't there. Check both, and write the command with its whole path if it isn't on the PATH.`;
  if (code === 'EACCES') return `Its command ${command} may not be run. Check \`command\` and the rights of the file.`;
  if (isOver(error)) return 'It ended before it was ready. Check that it works when started by hand.';
  return `It could not be started${words === '' ? '' : ` (${words})`}. Check \`command\`, \`args\` and \`env\`.`;
}

/** What a model hears of a call that gave no result; see `ServerLink.call`. */
export function callFailure(error: unknown, signal: AbortSignal, mask: (text: string) => string): AppError {
  if (signal.aborted) return abortError();
  if (isAppError(error, 'closed')) return error;
  const options = { cause: error };
  const status = statusOf(error);
  const words = wordsOf(error, mask);
  if (status === 404) return new AppError('closed', 'The server doesn\'t know this session any more.', options);
  if (status === 400) return new AppError('invalid_input', `The server refused the call: ${words || 'HTTP 400'}`, options);
  if (status !== undefined) return new AppError('unavailable', `The server answered with HTTP ${status}${words === '' ? '' : ` (${words})`}. Go on without it.`, options);
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return new AppError('closed', 'The server has ended.', options);
  if (causesOf(error).some((cause) => UNREACHED.has(systemCode(cause)))) return new AppError('closed', 'The server can\'t be reached.', options);
  if (isOver(error)) return new AppError('unavailable', 'The server ended while it worked on this call: it is not known how far it came. Look before you call it again; the next call starts the server anew.', options);
  if (error instanceof ProtocolError && error.code !== UNREADABLE) return new AppError('invalid_input', `The server refused the call: ${words || `error ${error.code}`}`, options);
  return new AppError('unavailable', `The call got no answer that can be read${words === '' ? '' : ` (${words})`}: it is not known whether it ran. Look before you call it again.`, options);
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 400;
}

function isOver(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === STREAM_ENDED;
  return isAppError(error, 'closed') || (error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected));
}

/** What lies deepest says most: `fetch failed` and the like say nothing. */
function wordsOf(error: unknown, mask: (text: string) => string): string {
  const body: unknown = error instanceof SdkHttpError ? error.data['text'] : undefined;
  const words = typeof body === 'string' ? body : causesOf(error).map(errorText).findLast((text) => text !== '');
  return truncate(mask(oneLine(mask(words ?? ''))), MAX_WORDS);
}

const MAX_DEPTH = 5;

function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && chain.length < MAX_DEPTH; next = next instanceof AggregateError ? (next.errors[0] as unknown) : next instanceof Error ? next.cause : undefined) chain.push(next);
  return chain;
}
