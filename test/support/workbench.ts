import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';
import { ChatView } from './chatView.ts';
import { Comments } from './comments.ts';
import { Dialog } from './dialog.ts';
import { DiffView } from './diffView.ts';
import { quoted, type PageGlobals } from './dom.ts';
import { linesOf } from './editorLines.ts';
import { Notifications } from './notifications.ts';
import { QuickPick } from './quickPick.ts';
import { TreeView } from './treeView.ts';

const startLimitMs = 60_000;

/** VS Code's window, as a user sees it. */
export class Workbench {
  readonly page: Page;
  readonly chat: ChatView;
  readonly notifications: Notifications;
  readonly quickPick: QuickPick;
  readonly dialog: Dialog;
  readonly diff: DiffView;
  readonly comments: Comments;

  constructor(page: Page) {
    this.page = page;
    this.quickPick = new QuickPick(page);
    this.dialog = new Dialog(page);
    this.diff = new DiffView(page);
    this.comments = new Comments(page);
    this.chat = new ChatView(page, (title) => this.runCommand(title));
    this.notifications = new Notifications(page, (title) => this.runCommand(title));
  }

  /** Opens the address and waits until the workbench is usable: its parts are there and extensions contribute to it. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.waitUntilUsable();
  }

  private async waitUntilUsable(): Promise<void> {
    await this.page.locator('.monaco-workbench .activitybar .action-item').first().waitFor({ timeout: startLimitMs });
    await this.page.locator('.monaco-workbench .statusbar .statusbar-item').first().waitFor({ timeout: startLimitMs });
  }

  /** Reloads the window by its own command, so that it keeps what it keeps, and waits until it is usable again. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: startLimitMs });
    // The palette goes with the old window.
    await Promise.all([loaded, this.runCommand('Developer: Reload Window').catch(() => undefined)]);
    await this.waitUntilUsable();
  }

  /** Waits until an extension's icon is in the activity bar. */
  async waitForContainer(title: string): Promise<void> {
    await this.activityIcon(title).waitFor({ timeout: startLimitMs });
  }

  /** Runs a command by its full title ("Category: Title") through the command palette, waiting until the palette offers it. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickPick.row(title);
    await waitFor(`the command ${title}`, startLimitMs, async () => {
      if (!(await this.openPalette())) return undefined;
      // A late change of focus closes the palette at any moment, which then is opened again.
      const chosen = await this.quickPick.input.fill(`>${title}`, { timeout: 2_000 })
        .then(() => row.waitFor({ timeout: 3_000 }))
        .then(() => row.click({ timeout: 2_000 }))
        .then(() => true, () => false);
      if (!chosen && (await this.quickPick.input.isVisible())) await this.page.keyboard.press('Escape');
      return chosen || undefined;
    });
    await waitFor('the command palette to close', 10_000, async () => {
      const input = this.quickPick.input;
      return (await input.isHidden()) || !(await input.inputValue({ timeout: 500 }).catch(() => '')).startsWith('>') || undefined;
    });
  }

  /** Opens a view container by the title of its activity bar icon. */
  async openContainer(title: string): Promise<void> {
    const icon = this.activityIcon(title);
    await icon.waitFor({ timeout: startLimitMs });
    await waitFor(`the view container ${title}`, 30_000, async () => {
      if (await this.isOpen(title)) return true;
      await icon.click();
      // A window that is just being restored opens it by itself, and then the click has closed it.
      return waitFor('the click to count', 2_000, async () => (await this.isOpen(title)) || undefined).catch(() => undefined);
    });
  }

  /** The tree of a view, by the view's title. */
  tree(viewTitle: string): TreeView {
    return new TreeView(this.page, viewTitle);
  }

  /** The badge on an activity bar icon; undefined when there is none. */
  async badge(title: string): Promise<string | undefined> {
    const content = this.activityItem(title).locator('.badge-content');
    if ((await content.count()) === 0 || !(await content.isVisible())) return undefined;
    return (await content.innerText()).trim();
  }

  /** Texts of the visible status bar items, left to right. */
  async statusBarItems(): Promise<string[]> {
    const texts = await this.page.locator('.statusbar .statusbar-item:visible').allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  /** Clicks the first status bar item that contains the text. */
  async clickStatusBarItem(text: string): Promise<void> {
    await this.page.locator('.statusbar .statusbar-item:visible', { hasText: text }).locator('a').first().click();
  }

  /** Titles of the open editors of all groups. */
  async editorTitles(): Promise<string[]> {
    const names = await this.page.locator('.editor-group-container .tab .label-name').allInnerTexts();
    return names.map((name) => name.trim());
  }

  /** Waits until an editor's title begins with the text. */
  async waitForEditorTitle(title: string): Promise<void> {
    await waitFor(`the editor ${title}`, 15_000, async () => (await this.editorTitles()).some((name) => name.startsWith(title)) || undefined);
  }

  /** Text of the Markdown previews, once one of them contains the given one. */
  async waitForPreview(text: string | RegExp, timeoutMs = 20_000): Promise<string> {
    return waitFor(`a preview with ${String(text)}`, timeoutMs, async () => {
      for (const frame of this.page.frames().slice(1)) {
        const shown = await frame.locator('body.vscode-body').innerText({ timeout: 200 }).catch(() => '');
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return shown;
      }
      return undefined;
    });
  }

  /** Text of the visible text editors, once one of them contains the given one; a diff has two. */
  async waitForEditorText(text: string, timeoutMs = 15_000): Promise<string> {
    return waitFor(`an editor with ${text}`, timeoutMs, async () => {
      const shown = await linesOf(this.page.locator('.editor-instance'));
      return shown.includes(text) ? shown : undefined;
    });
  }

  /** Saves a picture of the window. */
  async screenshot(path: string): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path });
    return path;
  }

  /** False when the key went nowhere or the focus went elsewhere, as a preview that is just opening or closing does; the focus is back in the window then. */
  private async openPalette(): Promise<boolean> {
    await this.page.keyboard.press('F1');
    const { input } = this.quickPick;
    if (await input.and(this.page.locator(':focus')).waitFor({ timeout: 2_000 }).then(() => true, () => false)) return true;
    if (await input.isVisible()) await input.focus();
    else await this.page.evaluate(() => (globalThis as unknown as PageGlobals).document.activeElement?.blur());
    return false;
  }

  private async isOpen(title: string): Promise<boolean> {
    return (await this.activityItem(title).getAttribute('class'))?.split(/\s+/).includes('checked') ?? false;
  }

  private activityItem(title: string): Locator {
    return this.page.locator('.activitybar .action-item').filter({ has: this.page.locator(iconSelector(title)) });
  }

  private activityIcon(title: string): Locator {
    return this.activityItem(title).first();
  }
}

/** The label of an icon goes on with its badge's tooltip or its key. */
function iconSelector(title: string): string {
  return `a.action-label[aria-label=${quoted(title)}], a.action-label[aria-label^=${quoted(`${title} - `)}], a.action-label[aria-label^=${quoted(`${title} (`)}]`;
}
