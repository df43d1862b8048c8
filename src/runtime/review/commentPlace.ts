import { isAppError } from '../base/errors.ts';
import { decodeText, splitLines } from '../base/textFile.ts';
import type { Checkpoints, FilePort } from '../domain/ports.ts';
import type { LineRange, ReviewComment } from '../domain/reviews.ts';
import type { FileState } from '../domain/tools.ts';
import { moveRange } from './moveRange.ts';
import { lookAt } from './present.ts';

export interface CommentFiles {
  readonly files: FilePort;
  readonly checkpoints: Pick<Checkpoints, 'read'>;
}

/** Where a comment is in the file as it stands; `lines` is absent where they are gone. */
export interface CommentPlace {
  readonly lines?: LineRange;
  /** Without their ends: as they stand or, where they are gone, stood. */
  readonly quoted: readonly string[];
}

/** Finds the lines of a comment again. Rejects with system errors of the stored contents. */
export async function placeComment({ path, content, lines }: Pick<ReviewComment, 'path' | 'content' | 'lines'>, { files, checkpoints }: CommentFiles): Promise<CommentPlace> {
  const then = await linesOf(content, checkpoints);
  const present = await lookAt(path, files);
  const now = present.kind === 'content' ? textLines(present.bytes) : undefined;
  if (!now) return { quoted: then ? slice(then, lines) : [] };
  // Where nobody knows what it was said of, its numbers still say something.
  const moved = then ? moveRange(lines, then, now) : within(lines, now);
  return moved ? { lines: moved, quoted: slice(now, moved) } : { quoted: then ? slice(then, lines) : [] };
}

async function linesOf(state: FileState, checkpoints: Pick<Checkpoints, 'read'>): Promise<readonly string[] | undefined> {
  switch (state.kind) {
    case 'absent':
      return [];
    case 'unknown':
      return undefined;
    case 'kept':
      try {
        return textLines(await checkpoints.read(state.hash));
      } catch (error) {
        if (isAppError(error, 'not_found')) return undefined;
        throw error;
      }
  }
}

/** Nothing for a binary file. */
function textLines(bytes: Uint8Array | undefined): readonly string[] | undefined {
  if (bytes === undefined) return [];
  const text = decodeText(bytes)?.text;
  return text === undefined ? undefined : splitLines(text);
}

function within({ start, end }: LineRange, lines: readonly string[]): LineRange | undefined {
  return start < lines.length ? { start, end: Math.min(end, lines.length) } : undefined;
}

function slice(lines: readonly string[], { start, end }: LineRange): readonly string[] {
  return lines.slice(start, end);
}
