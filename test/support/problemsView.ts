import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';

/** The Problems view. */
export class ProblemsView {
  readonly #page: Page;
  readonly #runCommand: (title: string) => Promise<void>;

  constructor(page: Page, runCommand: (title: string) => Promise<void>) {
    this.#page = page;
    this.#runCommand = runCommand;
  }

  /** Opens the view, and puts the cursor into it. */
  async open(): Promise<void> {
    await this.#runCommand('Problems: Focus on Problems View');
    await this.#view().waitFor();
  }

  /** Its rows as they read, files and problems. */
  async rows(): Promise<string[]> {
    const texts = await this.#view().locator('.monaco-list-row').allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, ' ').trim());
  }

  /** Waits for a row that matches. */
  async waitForRow(text: RegExp): Promise<string> {
    return waitFor(`the problem ${String(text)}`, 15_000, async () => (await this.rows()).find((row) => text.test(row)));
  }

  #view(): ReturnType<Page['locator']> {
    return this.#page.locator('.markers-panel:visible');
  }
}
