import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../scripts/lib/wait.ts';
import type { DomElement, PageGlobals } from './dom.ts';
import { linesOf } from './editorLines.ts';

const answerLimitMs = 30_000;
/** Characters of a long prompt that the input shows at least. */
const LEAST_SHOWN = 60;
/** What stands in the model picker when nothing is selected. */
const noModel = 'Models';

/** The native chat view. */
export class ChatView {
  private readonly page: Page;
  private readonly runCommand: (title: string) => Promise<void>;
  private readonly view: Locator;

  constructor(page: Page, runCommand: (title: string) => Promise<void>) {
    this.page = page;
    this.runCommand = runCommand;
    this.view = page.locator('.interactive-session').filter({ has: page.locator('.interactive-input-part:visible') }).first();
  }

  /** Opens the chat view and puts the cursor into its input. */
  async open(): Promise<void> {
    if (!(await this.input().isVisible())) await this.runCommand('Chat: Open Chat');
    await this.input().waitFor();
    // A notification may lie over it.
    await this.input().locator('.native-edit-context, textarea').first().focus();
  }

  /** Opens an earlier conversation by a part of its title. */
  async openSession(title: string): Promise<void> {
    if ((await this.view.locator('.chat-view-title-label, .chat-title-label, .chat-view-title').filter({ hasText: title }).count()) > 0) return;
    await this.runCommand('Chat Agent Sessions: Focus Agent Sessions');
    await this.page.locator('.agent-session-item', { hasText: title }).first().click();
    await this.requests().filter({ hasText: title }).first().waitFor();
  }

  /** Starts a new conversation, unless the one that is open is new. */
  async startNew(): Promise<void> {
    if ((await this.requests().count()) === 0) return;
    // The command of this name may open an editor instead.
    await this.page.locator('.part.auxiliarybar .composite.title .action-label[aria-label^="New Chat"]').first().click();
    await waitFor('an empty conversation', answerLimitMs, async () => ((await this.requests().count()) === 0 ? true : undefined));
  }

  /** Sends a prompt, which may have several lines, once a model is selected. */
  async send(participant: string, prompt: string, command?: string): Promise<void> {
    await this.open();
    await this.waitForModel();
    await this.type(`@${participant} ${command === undefined ? '' : `/${command} `}`, prompt);
    const typed = await this.inputText();
    await this.page.keyboard.press('Enter');
    // What is sent leaves the input, but for the participant's name. Requests can't be counted: those out of sight aren't there.
    await waitFor('the prompt to be sent', answerLimitMs, async () => ((await this.inputText()) === typed ? undefined : true));
    await this.requests().first().waitFor();
  }

  /** Puts text into the empty input without sending it. The head is typed key by key, as VS Code recognises names then; the rest is pasted, so that nothing completes, continues or indents it. */
  async type(head: string, rest = ''): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.type(head);
    if (rest !== '') await this.paste(rest);
    const wanted = squeeze(head + rest);
    // Of a long prompt only the end shows.
    await waitFor('the prompt in the input', answerLimitMs, async () => {
      const shown = squeeze(await this.inputText());
      return shown !== '' && wanted.endsWith(shown) && shown.length >= Math.min(wanted.length, LEAST_SHOWN) ? true : undefined;
    });
  }

  /** What stands in the input, as far as it is scrolled into sight. */
  async inputText(): Promise<string> {
    return linesOf(this.input());
  }

  /** Number of responses in the conversation. */
  async responseCount(): Promise<number> {
    return this.responses().count();
  }

  /** Text of the last response, as far as it has come and shows: without what VS Code has folded. */
  async lastResponse(): Promise<string> {
    const value = this.responses().last().locator('.value').first();
    if ((await value.count()) === 0) return '';
    return (await value.innerText()).trim();
  }

  /** Waits until the last response contains, or matches, the text, be it folded or not; gives what shows of it. */
  async waitForText(text: string | RegExp, timeoutMs = answerLimitMs): Promise<string> {
    return waitFor(`the response to say ${String(text)}`, timeoutMs, async () => {
      const shown = await this.lastResponse();
      const all = shown === '' ? '' : await this.responses().last().locator('.value').first().textContent();
      return [shown, all ?? ''].some((response) => (typeof text === 'string' ? response.includes(text) : text.test(response))) ? shown : undefined;
    });
  }

  /** Everything in the last response, also what is folded. */
  async wholeResponse(): Promise<string> {
    return (await this.responses().last().locator('.value').first().textContent()) ?? '';
  }

  /** The lines of the newest group's block in the last response that has one; the last line holds its links. */
  async waitForBlock(): Promise<string[]> {
    return waitFor('the block of a group', answerLimitMs, async () => {
      const blocks = await this.responses().locator('.value p').filter({ has: this.page.locator('a[data-href*="subagents.showPanel"]') }).evaluateAll((found: DomElement[]) => found.map((block) => block.innerText));
      return blocks.at(-1)?.split('\n').map((line) => line.trim()).filter((line) => line !== '');
    });
  }

  /** Waits until no response is under way, and gives the last one. */
  async waitForEnd(timeoutMs = answerLimitMs): Promise<string> {
    // For a moment at its beginning, a response isn't drawn as one that is under way.
    let calm = 0;
    await waitFor('the end of the response', timeoutMs, async () => {
      calm = (await this.isBusy()) ? 0 : calm + 1;
      return calm >= 3 ? true : undefined;
    });
    return this.lastResponse();
  }

  /** Whether a response is under way. */
  async isBusy(): Promise<boolean> {
    return (await this.view.locator('.chat-response-loading').count()) > 0;
  }

  /** Shows the parts of all responses that are folded into "Completed N steps". */
  async unfold(): Promise<void> {
    const closed = this.responses().locator('details.completed-response-disclosure:not([open]) > summary');
    while ((await closed.count()) > 0) await closed.first().click();
  }

  /** Clicks a link in the last response that has it, unfolding it first where it is folded. */
  async clickLink(text: string): Promise<void> {
    await this.reveal(this.responses().locator('a[data-href]', { hasText: text }).last());
  }

  /** Presses a button in the last response that has it. */
  async clickButton(text: string): Promise<void> {
    await this.reveal(this.responses().locator('.chat-command-button .monaco-button', { hasText: text }).last());
  }

  /** Presses Stop; by the button itself where a notification covers it. */
  async stop(): Promise<void> {
    const button = this.view.locator('.interactive-input-part .chat-execute-toolbar .action-label[aria-label^="Cancel"], .interactive-input-part .codicon-stop-circle').first();
    await button.click({ timeout: 2_000 }).catch(() => button.dispatchEvent('click'));
  }

  /** Name of the selected model; undefined while there is none. */
  async model(): Promise<string | undefined> {
    const label = this.view.locator('.interactive-input-part .model-picker-name .chat-input-picker-label').first();
    const name = (await label.isVisible()) ? (await label.innerText()).trim() : noModel;
    return name === noModel ? undefined : name;
  }

  /** Waits until a model is selected: a prompt sent before is refused. */
  async waitForModel(timeoutMs = answerLimitMs): Promise<string> {
    return waitFor('a selected model', timeoutMs, () => this.model());
  }

  private async paste(text: string): Promise<void> {
    await this.page.locator(':focus').evaluate((focused: { dispatchEvent(event: object): void }, pasted) => {
      const { DataTransfer, ClipboardEvent } = globalThis as unknown as PageGlobals;
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      focused.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  private async reveal(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' });
    if (!(await target.isVisible())) await this.unfold();
    await target.click();
  }

  private input(): Locator {
    return this.view.locator('.interactive-input-part .interactive-input-editor .monaco-editor, .interactive-input-part .monaco-editor').first();
  }

  private requests(): Locator {
    return this.view.locator('.interactive-request');
  }

  private responses(): Locator {
    return this.view.locator('.interactive-response');
  }
}

/** The editor shows spaces as no-break spaces, and wraps long lines. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}
