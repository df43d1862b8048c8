import type { Locator, Page } from 'playwright-core';

/** The modal dialog. */
export class Dialog {
  private readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box:visible');
  }

  /** All that it says, once it is open. */
  async text(): Promise<string> {
    await this.box.waitFor();
    return (await this.box.locator('.dialog-message-container').innerText()).trim();
  }

  /** Presses one of its buttons, and waits until it is gone. */
  async press(button: string): Promise<void> {
    await this.box.locator('.dialog-buttons .monaco-button').filter({ hasText: button }).first().click();
    await this.box.waitFor({ state: 'hidden' });
  }
}
