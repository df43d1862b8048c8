/** The whole body as text, or as much of it as the bytes allow and nothing more is read. Rejects with what its reading rejects with. */
export async function readBounded(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return { text: text + decoder.decode(), isWhole: true };
    size += piece.value.length;
    if (size > maxBytes) {
      // Only ever fails because the connection is closed already.
      reader?.cancel().catch(() => undefined);
      return { text, isWhole: false };
    }
    text += decoder.decode(piece.value, { stream: true });
  }
}
