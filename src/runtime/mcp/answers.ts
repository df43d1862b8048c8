import { isJSONRPCResponse, type JSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { fieldsOf } from './toolList.ts';

/** Codes for what is no answer of the server's, of those that the protocol leaves to its users. */
export const STREAM_ENDED = -32_099;
export const UNREADABLE = -32_098;

/** Ends a request in place of the answer that it should have had. */
export function insteadOfAnswer(id: string | number, code: typeof STREAM_ENDED | typeof UNREADABLE, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * A message as it came; but an answer that the protocol doesn't allow becomes an error for the request that it names.
 * The library drops such an answer, and the request would be waited for for ever.
 */
export function mendAnswer(text: string): string {
  const message = fieldsOf(parse(text));
  const { id } = message;
  if ((typeof id !== 'string' && typeof id !== 'number') || !isAnswer(message) || isJSONRPCResponse(message)) return text;
  return JSON.stringify(insteadOfAnswer(id, UNREADABLE, 'it is no answer that the protocol allows'));
}

/** Whether a body in JSON has an answer to this request, of whatever form: the library rejects the request for one that it can't read, or for a body that is no JSON. */
export function hasAnswer(body: string, request: number): boolean {
  const value = parse(body);
  if (value === undefined) return true;
  return (Array.isArray(value) ? value : [value]).some((each) => {
    const message = fieldsOf(each);
    return isAnswer(message) && Number(message['id']) === request;
  });
}

function isAnswer(message: Readonly<Record<string, unknown>>): boolean {
  return 'result' in message || 'error' in message || message['method'] === undefined;
}

/** Nothing for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
