import { MAX_MESSAGE, tooLongMessage } from './messageSize.ts';

/** Cuts what a process writes into lines. */
export class LineBuffer {
  #pieces: Buffer[] = [];
  #size = 0;

  /** The lines that end in this chunk, without their ends. Throws an `AppError` for one that is too long to be kept. */
  take(chunk: Buffer): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(Buffer.concat(this.#pieces).toString());
      this.clear();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  clear(): void {
    this.#pieces = [];
    this.#size = 0;
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > MAX_MESSAGE) throw tooLongMessage();
    this.#pieces.push(piece);
  }
}

const LINE_FEED = 10;
