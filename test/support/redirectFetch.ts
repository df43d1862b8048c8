/** Sends what goes to an origin to another one instead, so that a vendor's own address can be tested. Undo with the result. */
export function redirectFetch(from: string, to: () => string): () => void {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== from) throw new Error(`A test must not reach ${url.origin}.`);
    return original(`${to()}${url.pathname}${url.search}`, init);
  };
  return () => {
    globalThis.fetch = original;
  };
}
