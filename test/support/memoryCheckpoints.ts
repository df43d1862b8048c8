import { AppError } from '../../src/runtime/base/errors.ts';
import { contentHash } from '../../src/runtime/base/textFile.ts';
import type { Checkpoints } from '../../src/runtime/domain/ports.ts';
import type { FileState } from '../../src/runtime/domain/tools.ts';

/** Contents that are kept as long as the test runs. */
export class MemoryCheckpoints implements Checkpoints {
  readonly #contents = new Map<string, Uint8Array>();

  async keep(content: Uint8Array | undefined, mode?: number): Promise<FileState> {
    if (content === undefined) return { kind: 'absent' };
    const hash = contentHash(content);
    this.#contents.set(hash, Buffer.from(content));
    return { kind: 'kept', hash, ...(mode !== undefined && { mode }) };
  }

  async read(hash: string): Promise<Uint8Array> {
    const content = this.#contents.get(hash);
    if (!content) throw new AppError('not_found', 'It is not kept.');
    return content;
  }

  /** A state in words: `-` for no file, `?` for an unknown one, else the content, with each byte a character. */
  shown(state: FileState | undefined): string {
    switch (state?.kind) {
      case 'kept':
        return Buffer.from(this.#contents.get(state.hash) ?? '').toString('latin1');
      case 'absent':
        return '-';
      case 'unknown':
        return '?';
      case undefined:
        return 'not told';
    }
  }
}
