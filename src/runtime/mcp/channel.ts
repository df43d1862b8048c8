import { SSEClientTransport, StreamableHTTPClientTransport, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { abortable } from '../base/abort.ts';
import type { OnProcess } from '../domain/mcp.ts';
import { insteadOfAnswer, STREAM_ENDED } from './answers.ts';
import { carefulFetch } from './carefulFetch.ts';
import type { ServerTarget } from './config.ts';
import { ErrorOutput } from './errorOutput.ts';
import { StdioTransport, type StdioTarget } from './stdioTransport.ts';
import { WindowsStdioTransport } from './windowsStdioTransport.ts';

export type HttpTarget = Exclude<ServerTarget, StdioTarget>;

/** How messages reach a server. */
export interface Channel {
  readonly transport: Transport;
  /** What the server wrote to its error output. */
  readonly said: ErrorOutput;
  /** Says good-bye where the transport itself doesn't. Never rejects; bounded in time. */
  leave(): Promise<void>;
}

/** Milliseconds for a server to take note that a session has ended. */
const GOODBYE = 1_000;

export function stdioChannel(target: StdioTarget, onProcess: OnProcess): Channel {
  const said = new ErrorOutput();
  const events = { onProcess, onErrorOutput: (text: string) => said.add(text) };
  const transport = process.platform === 'win32' ? new WindowsStdioTransport(target, events) : new StdioTransport(target, events);
  return { transport, said, leave: async () => {} };
}

export function httpChannel({ url, headers }: HttpTarget): Channel {
  const transport = new CarefulHttpTransport(new URL(url), { requestInit: { headers }, fetch: carefulFetch('here') });
  const leave = (): Promise<void> => abortable(transport.terminateSession(), AbortSignal.timeout(GOODBYE)).catch(() => undefined);
  return { transport, said: new ErrorOutput(), leave };
}

export function sseChannel({ url, headers }: HttpTarget): Channel {
  // The way of older servers; there is no other for them.
  const transport = new SSEClientTransport(new URL(url), { requestInit: { headers }, fetch: carefulFetch('elsewhere') });
  return { transport, said: new ErrorOutput(), leave: async () => {} };
}

/** Answers a request whose stream ended without an answer, for which it would otherwise be waited for ever. */
class CarefulHttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: Parameters<StreamableHTTPClientTransport['send']>[1]): Promise<void> {
    const id = Array.isArray(message) || !('method' in message) || !('id' in message) ? undefined : message.id;
    if (id === undefined) return super.send(message, options);
    const onRequestStreamEnd = (): void => this.onmessage?.(insteadOfAnswer(id, STREAM_ENDED, 'The answer broke off.'));
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}
