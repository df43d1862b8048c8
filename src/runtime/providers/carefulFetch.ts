import { ProviderFailure, type FailureSigns } from './failure.ts';
import { parseJson } from './json.ts';
import { signsOfBody } from './wireError.ts';

/** More of a failure's body isn't read, in bytes. */
const MAX_ERROR_BODY = 64 * 1024;

/**
 * What the vendors' clients send with. Follows no redirect, since the conversation and some headers would go along to
 * an address that nobody set, and reads of a failure's body only its beginning. Rejects with a `ProviderFailure` for an
 * answer that isn't a success, or what `fetch` rejects with.
 */
export async function carefulFetch(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await globalThis.fetch(address, { ...init, redirect: 'manual' });
  if (response.ok) return response;
  if (isRedirect(response)) {
    cancel(response.body?.getReader());
    throw new ProviderFailure(redirectSigns(response, new URL(address instanceof Request ? address.url : address)));
  }
  const text = await beginningOf(response.body?.getReader());
  const signs = signsOfBody(parseJson(text)?.value ?? text);
  throw new ProviderFailure({ ...signs, words: signs.words || text, status: response.status, headers: response.headers });
}

/** A `fetch` may hide where a redirect leads: its status is then 0. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Only the origin is named where it is another one: the rest of an address may hold anything. */
function redirectSigns({ status, headers }: Response, from: URL): FailureSigns {
  const location = headers.get('location');
  const to = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const place = to === undefined || to.origin === 'null' ? 'somewhere else' : to.origin === from.origin ? `another path, ${to.pathname}` : to.origin;
  const words = `The address redirects to ${place}, and redirects aren't followed. If you trust it, set that as the base URL.`;
  return { failure: 'bad_request', words, ...(status > 0 && { status }) };
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** The first bytes of a body as text; what came of it where it breaks, since the status says more than the break. */
async function beginningOf(body: BodyReader | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    while (body && size < MAX_ERROR_BODY) {
      const { done, value } = await body.read();
      if (done) break;
      const piece = value.subarray(0, MAX_ERROR_BODY - size);
      size += piece.length;
      text += decoder.decode(piece, { stream: true });
    }
  } catch {
    return text;
  }
  cancel(body);
  return text;
}

/** Closes the connection. Only ever fails because it is closed already. */
function cancel(body: BodyReader | undefined): void {
  body?.cancel().catch(() => undefined);
}
