import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';
import type { DomElement } from './dom.ts';

export interface QuickPickItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Undefined where items have no check box. */
  readonly checked: boolean | undefined;
}

/** The box for quick picks, input boxes and the command palette. */
export class QuickPick {
  private readonly page: Page;
  private readonly widget: Locator;
  readonly input: Locator;

  constructor(page: Page) {
    this.page = page;
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('.quick-input-filter input[type="text"], .quick-input-filter input.input').first();
  }

  /** Waits until the box is open and has the focus: before that, a late change of focus may close it again. */
  async waitForOpen(): Promise<void> {
    await waitFor('an open quick pick or input box', 15_000, async () => {
      return (await this.input.isVisible()) && (await this.input.and(this.page.locator(':focus')).count()) > 0 ? true : undefined;
    });
  }

  /** Waits until the box is closed. */
  async waitForClosed(): Promise<void> {
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** Title of the box, empty without one. */
  async title(): Promise<string> {
    await this.waitForOpen();
    return (await this.widget.locator('.quick-input-title').allInnerTexts()).join('').trim();
  }

  /** What the box says about itself under its input: prompts and validation messages. */
  async message(): Promise<string> {
    await this.waitForOpen();
    return (await this.widget.locator('.quick-input-message:visible').allInnerTexts()).join(' ').trim();
  }

  /** The offered items (those on screen). */
  async items(): Promise<QuickPickItem[]> {
    await this.waitForOpen();
    await this.rows().first().waitFor();
    return this.rows().evaluateAll((rows: DomElement[]) => rows.map((row) => {
      const text = (selectors: string): string => row.querySelector(selectors)?.textContent?.trim() ?? '';
      const box = row.querySelector('[role="checkbox"], .quick-input-list-checkbox');
      const checked = box?.getAttribute('aria-checked') ?? row.getAttribute('aria-checked');
      return {
        label: text('.quick-input-list-row .label-name'),
        description: text('.quick-input-list-row .label-description'),
        detail: text('.quick-input-list-label-meta .label-name'),
        checked: checked === null ? undefined : checked === 'true',
      };
    }));
  }

  /** The item with exactly this label. */
  row(label: string): Locator {
    return this.rows().filter({ has: this.page.locator('.quick-input-list-row .label-name').getByText(label, { exact: true }) }).first();
  }

  /** Chooses an item. */
  async pick(label: string): Promise<void> {
    await this.waitForOpen();
    await this.row(label).click();
  }

  /** Sets the check boxes of a multi-select pick so that exactly these labels are checked, and accepts. */
  async pickMany(labels: readonly string[]): Promise<void> {
    for (const item of await this.items()) {
      if (labels.includes(item.label) !== (item.checked ?? false)) await this.row(item.label).click();
    }
    await this.press('Enter');
  }

  /** Presses a button in the title of the box. */
  async pressButton(title: string): Promise<void> {
    await this.widget.locator('.quick-input-titlebar .action-label').and(this.page.getByLabel(title)).first().click();
  }

  /** Replaces the text in the box. */
  async type(text: string): Promise<void> {
    await this.waitForOpen();
    await this.input.fill(text);
  }

  /** Presses a key in the box. */
  async press(key: string): Promise<void> {
    await this.waitForOpen();
    await this.input.press(key);
  }

  /** Closes the box without a choice. */
  async cancel(): Promise<void> {
    await this.input.press('Escape');
    await this.waitForClosed();
  }

  private rows(): Locator {
    return this.widget.locator('.quick-input-list .monaco-list-row');
  }
}
