/** Characters kept of one output: half at its start, half at its end. */
const CAPACITY = 8_000_000;

/** Collects output of any length in bounded memory: the beginning and the end stay, the middle goes. */
export class OutputBuffer {
  readonly #half: number;
  readonly #gap: (dropped: number) => string;
  #head = '';
  readonly #tail: string[] = [];
  #tailLength = 0;
  #dropped = 0;

  /**
   * @param capacity in characters.
   * @param gap what to say of that many characters that were dropped.
   */
  constructor(capacity = CAPACITY, gap = (dropped: number): string => `${dropped} characters were not kept`) {
    this.#half = Math.floor(capacity / 2);
    this.#gap = gap;
  }

  append(text: string): void {
    const room = Math.max(this.#half - this.#head.length, 0);
    this.#head += text.slice(0, room);
    const rest = text.slice(room);
    if (rest === '') return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    // The oldest piece goes once all after it suffice.
    for (let first = this.#tail[0]; first !== undefined && this.#tailLength - first.length >= this.#half; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailLength -= first.length;
      this.#dropped += first.length;
    }
  }

  /** All of it, or both ends with a line that says how much is missing between them. */
  toString(): string {
    const gap = this.#dropped === 0 ? '' : `\n[… ${this.#gap(this.#dropped)} …]\n`;
    return `${this.#head}${gap}${this.#tail.join('')}`;
  }
}
