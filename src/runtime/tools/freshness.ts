import { AppError } from '../base/errors.ts';
import type { ToolContext } from '../domain/tools.ts';
import { contentHash } from '../base/textFile.ts';

/**
 * Lets a file be changed only by a run that knows its present content.
 * @param path the real path; `shown` is how the model knows it.
 * @throws `invalid_input` when this run hasn't read it, `conflict` when it changed since.
 */
export function requireFresh(path: string, shown: string, bytes: Uint8Array, { reads }: Pick<ToolContext, 'reads'>): void {
  const known = reads.last(path);
  if (known === undefined) throw new AppError('invalid_input', `${shown} has not been read in this run. Read it first, then change it.`);
  if (known !== contentHash(bytes)) throw staleError(shown);
}

/** What is said of a change whose file isn't the one any more that the run knows. */
export function staleError(shown: string): AppError {
  return new AppError('conflict', `${shown} has changed since it was last read here, perhaps by the user. Read it again, then repeat the change on what stands there now.`);
}
