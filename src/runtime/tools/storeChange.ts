import type { FileChange, ToolContext, ToolResult } from '../domain/tools.ts';
import { contentHash } from '../base/textFile.ts';

export interface Change extends FileChange {
  readonly bytes: Uint8Array;
  /** What to tell the model. */
  readonly done: string;
}

/** Writes a file and remembers what stands there afterwards as known to this run. Rejects as `FilePort.write` does. */
export async function store({ path, kind, bytes, done }: Change, { files, reads }: ToolContext): Promise<ToolResult> {
  const written = await files.write(path, bytes);
  reads.seen(path, contentHash(written.bytes));
  const reshaped = !Buffer.from(written.bytes).equals(bytes);
  const notes = [
    done,
    ...(reshaped ? ['The editor changed the content on saving, for example by formatting: Read it before relying on exact text.'] : []),
    ...(written.note === undefined ? [] : [written.note]),
  ];
  return { content: [{ type: 'text', text: notes.join(' ') }], changes: [{ path, kind }] };
}
