import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';
import type { DomElement } from './dom.ts';

export interface Toast {
  readonly text: string;
  readonly links: readonly string[];
  readonly buttons: readonly string[];
  readonly severity: 'info' | 'warning' | 'error';
}

/** Notification toasts, and the notification centre that keeps hidden ones. */
export class Notifications {
  private readonly page: Page;
  private readonly runCommand: (title: string) => Promise<void>;

  constructor(page: Page, runCommand: (title: string) => Promise<void>) {
    this.page = page;
    this.runCommand = runCommand;
  }

  /** The notifications on screen, newest first. */
  async list(): Promise<Toast[]> {
    return this.items().evaluateAll((items: DomElement[]) => items.map((item) => {
      const texts = (selectors: string): string[] => [...item.querySelectorAll(selectors)].map((element) => element.textContent?.trim() ?? '').filter((text) => text !== '');
      const icon = item.querySelector('.notification-list-item-icon')?.className ?? '';
      const severity = ['error', 'warning'].find((name) => icon.includes(`codicon-${name}`)) ?? 'info';
      return {
        text: texts('.notification-list-item-message').join(' '),
        links: texts('.notification-list-item-message a'),
        buttons: texts('.notification-list-item-buttons-container .monaco-button:not(.monaco-dropdown-button)'),
        severity: severity as Toast['severity'],
      };
    }));
  }

  /** Waits for a notification whose text contains, or matches, the given one. */
  async waitFor(text: string | RegExp, timeoutMs = 15_000): Promise<Toast> {
    return waitFor(`the notification ${String(text)}`, timeoutMs, async () => (await this.list()).find((toast) => matches(toast.text, text)));
  }

  /** Waits for a notification that has the button. */
  async waitForButton(button: string, timeoutMs = 15_000): Promise<Toast> {
    return waitFor(`a notification with the button ${button}`, timeoutMs, async () => (await this.list()).find(({ buttons }) => buttons.includes(button)));
  }

  /** Waits until no such notification is on screen. */
  async waitForGone(text: string | RegExp, timeoutMs = 15_000): Promise<void> {
    await waitFor(`the end of the notification ${String(text)}`, timeoutMs, async () => ((await this.list()).some((toast) => matches(toast.text, text)) ? undefined : true));
  }

  /** Clicks a link in the notification that contains the text. */
  async clickLink(text: string | RegExp, link: string): Promise<void> {
    await this.item(text).locator('.notification-list-item-message a').filter({ hasText: exactly(link) }).first().click();
  }

  /** Presses a button of the notification that contains the text. */
  async clickButton(text: string | RegExp, button: string): Promise<void> {
    await this.item(text).locator('.notification-list-item-buttons-container .monaco-button').filter({ hasText: exactly(button) }).first().click();
  }

  /** Closes the notification that contains the text by its cross; a cancellable progress is cancelled by its button instead. */
  async close(text: string | RegExp): Promise<void> {
    const item = this.item(text);
    await item.hover();
    await item.locator('.notification-list-item-toolbar-container .codicon-notifications-clear').first().click();
  }

  /** Hides the toasts as Esc does; they stay in the notification centre. */
  async hide(): Promise<void> {
    const toast = this.page.locator('.notifications-toasts.visible .notification-toast');
    if ((await toast.count()) === 0) return;
    await toast.first().locator('.monaco-list').first().focus();
    await this.page.keyboard.press('Escape');
    await toast.first().waitFor({ state: 'hidden' });
  }

  /** Opens the notification centre. */
  async openCentre(): Promise<void> {
    if (await this.centre().isVisible()) return;
    await this.runCommand('Notifications: Show Notifications');
    await this.centre().waitFor();
  }

  /** Closes the notification centre. */
  async closeCentre(): Promise<void> {
    if (!(await this.centre().isVisible())) return;
    await this.centre().locator('.codicon-notifications-hide').click();
    await this.centre().waitFor({ state: 'hidden' });
  }

  private centre(): Locator {
    return this.page.locator('.notifications-center.visible');
  }

  private items(): Locator {
    return this.page.locator('.notifications-toasts.visible .notification-list-item, .notifications-center.visible .notification-list-item');
  }

  private item(text: string | RegExp): Locator {
    return this.items().filter({ hasText: text }).first();
  }
}

function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\s*$`);
}
