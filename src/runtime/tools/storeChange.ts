import { throwIfAborted } from '../base/abort.ts';
import { isAppError } from '../base/errors.ts';
import { contentHash } from '../base/textFile.ts';
import type { FilePort } from '../domain/ports.ts';
import type { ToolContext, ToolResult } from '../domain/tools.ts';
import { staleError } from './freshness.ts';

export interface Change {
  /** The real path; `shown` is how the model knows it. */
  readonly path: string;
  readonly shown: string;
  /** What was read there; absent: no file was there. */
  readonly old: Uint8Array | undefined;
  readonly bytes: Uint8Array;
  /** What to tell the model. */
  readonly done: string;
}

/**
 * Writes a file and remembers what stands there afterwards as known to this run. What is overwritten is kept before,
 * so that nothing is lost if the host dies in between. What can't be kept stops no agent: the change then can't be
 * undone, and is told with why. Rejects as `FilePort.write` does; with `conflict`, as an old read, where something else
 * stands there by now.
 */
export async function store(change: Change, context: ToolContext): Promise<ToolResult> {
  const { path, old, bytes, done } = change;
  // What is written is kept before as well: then nothing slow is left between the change and its being told.
  const [before, wanted] = await Promise.all([context.keep(old), context.keep(bytes)]);
  throwIfAborted(context.signal);
  const written = await write(change, context);
  const isReshaped = !Buffer.from(written.bytes).equals(bytes);
  const after = isReshaped ? await context.keep(written.bytes) : wanted;
  context.changed({ path, kind: old === undefined ? 'created' : 'edited', before, after });
  context.reads.seen(path, contentHash(written.bytes));
  const notes = [
    done,
    ...(isReshaped ? ['The editor changed the content on saving, for example by formatting: Read it before relying on exact text.'] : []),
    ...(written.note === undefined ? [] : [written.note]),
  ];
  return { content: [{ type: 'text', text: notes.join(' ') }] };
}

async function write({ path, shown, old, bytes }: Change, { files }: ToolContext): ReturnType<FilePort['write']> {
  try {
    return await files.write(path, bytes, { expected: { bytes: old } });
  } catch (error) {
    if (isAppError(error, 'conflict') && (await hasChanged(path, old, files))) throw staleError(shown);
    throw error;
  }
}

/** Whether what stands there is something else than was read. */
async function hasChanged(path: string, old: Uint8Array | undefined, files: FilePort): Promise<boolean> {
  const isThere = (await files.stat(path)) !== undefined;
  const now = isThere ? (await files.read(path)).bytes : undefined;
  return now === undefined || old === undefined ? now !== old : !Buffer.from(now).equals(old);
}
