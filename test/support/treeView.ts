import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';
import { quoted, type DomElement, type PressableElement } from './dom.ts';

export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** 1 for the roots. */
  readonly level: number;
  /** Classes of the row's icon, such as `codicon-check`; empty without one. */
  readonly icon: readonly string[];
  /** Undefined where the row has no children. */
  readonly expanded: boolean | undefined;
  readonly ariaLabel: string;
}

/** A tree view in the side bar. Knows the rows that are on screen. */
export class TreeView {
  private readonly page: Page;
  private readonly title: string;
  private readonly pane: Locator;

  constructor(page: Page, title: string) {
    this.page = page;
    this.title = title;
    this.pane = page.locator('.pane').filter({ has: page.locator(`.pane-header[aria-label=${quoted(`${title} Section`)}], .pane-header[aria-label^=${quoted(`${title} Section`)}]`) });
  }

  /** Opens the view if only its header shows. */
  async open(): Promise<void> {
    const header = this.pane.locator('.pane-header');
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
    await this.pane.locator('.pane-body').waitFor();
  }

  /** The rows, top to bottom. */
  async rows(): Promise<TreeRow[]> {
    const rows = await this.pane.locator('.monaco-list-row').evaluateAll((elements: DomElement[]) => elements.map((row) => {
      const text = (selectors: string): string => row.querySelector(selectors)?.textContent?.trim() ?? '';
      const expanded = row.getAttribute('aria-expanded');
      return {
        index: Number(row.getAttribute('data-index')),
        label: text('.label-name'),
        description: text('.label-description'),
        level: Number(row.getAttribute('aria-level')),
        icon: (row.querySelector('.custom-view-tree-node-item-icon')?.className ?? '').split(/\s+/).filter((name) => name.startsWith('codicon-')),
        expanded: expanded === null ? undefined : expanded === 'true',
        ariaLabel: row.getAttribute('aria-label') ?? '',
      };
    }));
    return rows.sort((a, b) => a.index - b.index).map(({ index: _index, ...row }) => row);
  }

  /** Waits until a row satisfies the condition, and gives it. */
  async waitForRow(what: string, condition: (row: TreeRow) => boolean, timeoutMs = 15_000): Promise<TreeRow> {
    return waitFor(`a row of ${this.title}: ${what}`, timeoutMs, async () => (await this.rows()).find(condition));
  }

  /** Shows the children of a row, and waits for the first of them. */
  async expand(label: string): Promise<void> {
    await this.twist(label, true);
    await waitFor(`a child of ${label}`, 10_000, async () => {
      const rows = await this.rows();
      const at = rows.findIndex((row) => row.label === label);
      return (rows[at + 1]?.level ?? 0) > (rows[at]?.level ?? 0) || undefined;
    });
  }

  /** Hides the children of a row. */
  async collapse(label: string): Promise<void> {
    await this.twist(label, false);
  }

  /** Clicks a row, as a user does to open it. */
  async click(label: string): Promise<void> {
    await this.row(label).locator('.label-name').click();
  }

  /** Text of the tooltip that comes up over a row. */
  async tooltip(label: string): Promise<string> {
    await this.page.mouse.move(0, 0);
    await this.row(label).locator('.label-name').hover();
    const hover = this.page.locator('.workbench-hover-container .monaco-hover:visible, .context-view .monaco-hover:visible').last();
    await hover.waitFor();
    const text = (await hover.innerText()).trim();
    await this.page.keyboard.press('Escape');
    await this.page.mouse.move(0, 0);
    return text;
  }

  /** Titles of the actions that a row shows under the pointer. */
  async inlineActions(label: string): Promise<string[]> {
    const row = this.row(label);
    await row.hover();
    return row.locator('.actions .action-label').evaluateAll((actions: DomElement[]) => actions.map((action) => action.getAttribute('aria-label') ?? ''));
  }

  /** Presses an inline action of a row by its title; again if the row was drawn anew while the button was down, as a person would. */
  async inlineAction(label: string, action: string): Promise<void> {
    const row = this.row(label);
    const button = row.locator(`.actions .action-label[aria-label=${quoted(action)}], .actions .action-label[aria-label^=${quoted(`${action} (`)}]`).first();
    await waitFor(`${label} to take ${action}`, 15_000, async () => {
      await row.hover();
      const drawn = await button.elementHandle();
      await drawn?.evaluate((element: PressableElement) => element.addEventListener('click', () => (element.pressed = true)));
      await drawn?.click({ timeout: 2_000 }).catch(() => undefined);
      return (await drawn?.evaluate((element: PressableElement) => element.pressed)) === true || undefined;
    });
  }

  /** Titles in a row's context menu, which is closed again. */
  async contextActions(label: string): Promise<string[]> {
    const menu = await this.openMenu(label);
    const titles = await menu.locator('.action-label').evaluateAll((items: DomElement[]) => items.map((item) => item.textContent?.trim() ?? '').filter((text) => text !== ''));
    await this.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    return titles;
  }

  /** Chooses from a row's context menu. */
  async contextAction(label: string, action: string): Promise<void> {
    const menu = await this.openMenu(label);
    const item = menu.getByRole('menuitem', { name: action, exact: true });
    // A menu takes no clicks in its first tenth of a second.
    await waitFor(`the menu to take ${action}`, 5_000, async () => {
      if (await menu.isHidden()) return true;
      await item.click();
      return menu.waitFor({ state: 'hidden', timeout: 500 }).then(() => true, () => undefined);
    });
  }

  /** Presses an action in the view's title bar. */
  async titleAction(action: string): Promise<void> {
    await this.pane.locator('.pane-header').hover();
    await this.pane.locator(`.pane-header .actions .action-label[aria-label=${quoted(action)}], .pane-header .actions .action-label[aria-label^=${quoted(`${action} (`)}]`).first().click();
  }

  /** Text of the welcome content that an empty view shows. */
  async welcome(): Promise<string> {
    const content = this.pane.locator('.welcome-view-content');
    return waitFor(`the welcome content of ${this.title}`, 15_000, async () => ((await content.isVisible()) && (await content.innerText()).trim()) || undefined);
  }

  /** The message that the view shows above its rows; empty without one. */
  async message(): Promise<string> {
    return (await this.pane.locator('.tree-explorer-viewlet-tree-view > .message:visible').allInnerTexts()).join(' ').trim();
  }

  private async openMenu(label: string): Promise<Locator> {
    await this.row(label).click({ button: 'right' });
    const menu = this.page.locator('.context-view .monaco-menu, .monaco-menu-container').first();
    await menu.waitFor();
    return menu;
  }

  private async twist(label: string, expanded: boolean): Promise<void> {
    const row = this.row(label);
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) === String(expanded)) return;
    await row.locator('.monaco-tl-twistie').click();
    await this.waitForRow(`${label} ${expanded ? 'expanded' : 'collapsed'}`, (candidate) => candidate.label === label && candidate.expanded === expanded);
  }

  private row(label: string): Locator {
    return this.pane.locator('.monaco-list-row').filter({ has: this.page.locator('.label-name').getByText(label, { exact: true }) }).first();
  }
}
