import type { Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';
import { linesOf } from './editorLines.ts';

/** The editors for differences: of one file, and of several together. */
export class DiffView {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Both sides of the diff that shows, once each holds its text. */
  async waitFor(before: string, after: string): Promise<void> {
    const sides = { original: before, modified: after };
    await waitFor(`a diff from “${before}” to “${after}”`, 20_000, async () => {
      for (const [side, text] of Object.entries(sides)) {
        if (!(await linesOf(this.page.locator(`.monaco-diff-editor:visible .editor.${side}`))).includes(text)) return undefined;
      }
      return true;
    });
  }

  /** Names of the files in the editor for several, as far as they are on screen, once there are so many. */
  async waitForFiles(count: number): Promise<readonly string[]> {
    return waitFor(`an editor for the changes of ${count} files`, 20_000, async () => {
      const names = (await this.page.locator('.multiDiffEntry:visible .file-path .title.modified, .multiDiffEntry:visible .file-path .title.original').allInnerTexts()).map((name) => name.trim()).filter((name) => name !== '');
      const unique = [...new Set(names)];
      return unique.length === count ? unique : undefined;
    });
  }
}
