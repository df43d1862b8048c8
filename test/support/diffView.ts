import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';
import { linesOf } from './editorLines.ts';

/** The editors for differences: of one file, and of several together. */
export class DiffView {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Waits for a diff that shows both texts: what went and what came, side by side or below one another, as there is room. */
  async waitFor(before: string, after: string, timeoutMs = 20_000): Promise<void> {
    await waitFor(`a diff from “${before}” to “${after}”`, timeoutMs, async () => {
      const shown = await linesOf(this.page.locator('.monaco-diff-editor:visible'));
      return shown.includes(before) && shown.includes(after) ? true : undefined;
    });
  }

  /** Names of the files in the editor for several, as far as they are on screen, once there are so many. */
  async waitForFiles(count: number): Promise<readonly string[]> {
    return waitFor(`an editor for the changes of ${count} files`, 20_000, async () => {
      const names = (await this.page.locator('.multiDiffEntry:visible .file-path .title .label-name').allInnerTexts()).map((name) => name.trim()).filter((name) => name !== '');
      const unique = [...new Set(names)];
      return unique.length === count ? unique : undefined;
    });
  }
}
