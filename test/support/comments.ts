import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';

/** The comments beside the lines of the visible editor; of a diff, beside those of its right side. */
export class Comments {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Begins a comment on the first line with that text, as somebody who presses the sign beside it. */
  async begin(lineText: string): Promise<void> {
    const line = this.#page.locator('.monaco-editor .view-lines .view-line', { hasText: lineText }).last();
    await waitFor(`a place for a comment beside ${lineText}`, 20_000, async () => {
      await line.hover();
      const box = await line.boundingBox();
      const sign = this.#page.locator('.monaco-editor .comment-range-glyph.line-hover').first();
      const place = await sign.boundingBox().catch(() => null);
      if (box === null || place === null || Math.abs(place.y - box.y) > 3) return undefined;
      await this.#page.mouse.click(place.x + 2, place.y + place.height / 2);
      return this.#widgets().filter({ hasText: 'What should the subagent change here?' }).first().waitFor({ timeout: 3000 }).then(() => true as const, () => undefined);
    });
  }

  /** Writes into the comment that was begun, a line after the other, and adds it. */
  async write(...lines: readonly string[]): Promise<void> {
    for (const [index, line] of lines.entries()) {
      if (index > 0) await this.#page.keyboard.press('Enter');
      await this.#page.keyboard.insertText(line);
    }
    await this.#widgets().getByRole('button', { name: 'Add Comment' }).click();
  }

  /** The title and all text of the thread whose title holds the text, once it is unfolded and says the other. */
  async waitFor(title: string, text: string): Promise<string> {
    return waitFor(`the thread ${title} with ${text}`, 20_000, async () => {
      const said = (await this.#thread(title).first().textContent({ timeout: 2000 }).catch(() => null)) ?? '';
      return said.includes(text) ? said : undefined;
    });
  }

  /** Presses an action in the title of a thread. */
  async press(title: string, action: string): Promise<void> {
    await this.#thread(title).getByRole('button', { name: action }).first().click();
  }

  #thread(title: string): Locator {
    return this.#widgets().filter({ has: this.#page.locator('.review-title', { hasText: title }) });
  }

  #widgets(): Locator {
    return this.#page.locator('.review-widget');
  }
}
