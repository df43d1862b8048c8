import { oneLine, truncate } from '../base/text.ts';

/** Characters that are kept of what a process writes. */
const KEPT = 8_000;
const LINES = 2;
const MAX_LINE = 300;

/** The end of what a server writes to its error output, which must be read in any case: a full pipe would stop it. */
export class ErrorOutput {
  #text = '';
  #isCut = false;

  add(text: string): void {
    this.#text += text;
    if (this.#text.length <= 2 * KEPT) return;
    this.#text = this.#text.slice(-KEPT);
    this.#isCut = true;
  }

  /** The last lines as a sentence; nothing where it said nothing. `mask` sees all as it came, since a part of a secret may not be known as one, and then each line. */
  sentence(mask: (text: string) => string): string {
    const whole = this.#isCut ? this.#text.slice(this.#text.indexOf('\n') + 1 || this.#text.length) : this.#text;
    const said = mask(whole).split('\n').map((line) => mask(oneLine(line))).filter((line) => line !== '').slice(-LINES);
    return said.length === 0 ? '' : ` It said: ${said.map((line) => truncate(line, MAX_LINE)).join(' / ')}`;
  }
}
