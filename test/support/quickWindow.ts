import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { QuickWindow } from '../../src/ui/models/quickDialog.ts';

type Listener<T> = (value: T) => unknown;

/** What quick picks and input boxes have in common, with what a person can do to them. Strict: nothing is done to one that isn't shown. */
class FakeInput {
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  ignoreFocusOut = false;
  enabled = true;
  busy = false;
  placeholder: string | undefined;
  buttons: readonly vscode.QuickInputButton[] = [];
  state: 'new' | 'shown' | 'disposed' = 'new';
  readonly #accepting: Listener<void>[] = [];
  readonly #triggering: Listener<vscode.QuickInputButton>[] = [];
  readonly #hiding: Listener<{ reason: number }>[] = [];

  onDidAccept(listener: Listener<void>): void {
    this.#accepting.push(listener);
  }

  onDidTriggerButton(listener: Listener<vscode.QuickInputButton>): void {
    this.#triggering.push(listener);
  }

  onDidHide(listener: Listener<{ reason: number }>): void {
    this.#hiding.push(listener);
  }

  show(): void {
    assert.equal(this.state, 'new');
    this.state = 'shown';
  }

  /** As VS Code: what is disposed of while it is shown is hidden. */
  dispose(): void {
    if (this.state === 'shown') this.escape();
    this.state = 'disposed';
  }

  /** The person presses Escape. */
  escape(): void {
    assert.equal(this.state, 'shown');
    for (const listener of this.#hiding) listener({ reason: 1 });
  }

  /** The person presses Enter. */
  enter(): void {
    assert.equal(this.state, 'shown');
    for (const listener of this.#accepting) listener();
  }

  press(button: vscode.QuickInputButton): void {
    assert.ok(this.state === 'shown' && this.buttons.includes(button));
    for (const listener of this.#triggering) listener(button);
  }
}

export class FakeQuickPick extends FakeInput {
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  activeItems: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  #items: readonly vscode.QuickPickItem[] = [];

  get items(): readonly vscode.QuickPickItem[] {
    return this.#items;
  }

  /** As VS Code: the first one becomes active. */
  set items(items: readonly vscode.QuickPickItem[]) {
    this.#items = items;
    this.activeItems = items.slice(0, 1);
  }

  pick(label: string): void {
    this.selectedItems = this.#items.filter((item) => item.label === label);
    assert.equal(this.selectedItems.length, 1);
    this.enter();
  }

  /** The person ticks exactly these, in that order. */
  tick(...labels: readonly string[]): void {
    assert.ok(this.canSelectMany);
    this.selectedItems = labels.flatMap((label) => this.#items.filter((item) => item.label === label && item.kind === undefined));
    assert.equal(this.selectedItems.length, labels.length);
    this.enter();
  }
}

export class FakeInputBox extends FakeInput {
  prompt: string | undefined;
  value = '';
  password = false;
  validationMessage: string | vscode.InputBoxValidationMessage | undefined;
  readonly #changing: Listener<string>[] = [];

  onDidChangeValue(listener: Listener<string>): void {
    this.#changing.push(listener);
  }

  type(text: string): void {
    assert.equal(this.state, 'shown');
    this.value = text;
    for (const listener of this.#changing) listener(text);
  }
}

/** A window in which a test plays the person. */
export class FakeQuickWindow {
  readonly picks: FakeQuickPick[] = [];
  readonly boxes: FakeInputBox[] = [];
  readonly warnings: { readonly message: string; readonly options: vscode.MessageOptions; readonly titles: readonly string[] }[] = [];
  /** The title of the button that is pressed on a message; none closes it. */
  press: string | undefined;

  asWindow(): QuickWindow {
    const window = {
      createQuickPick: () => last(this.picks, new FakeQuickPick()),
      createInputBox: () => last(this.boxes, new FakeInputBox()),
      showWarningMessage: async (message: string, options: vscode.MessageOptions, ...items: readonly vscode.MessageItem[]) => {
        this.warnings.push({ message, options, titles: items.map(({ title }) => title) });
        return items.find(({ title }) => title === this.press);
      },
    };
    return window as unknown as QuickWindow;
  }

  get open(): number {
    return [...this.picks, ...this.boxes].filter(({ state }) => state !== 'disposed').length;
  }
}

function last<T>(list: T[], item: T): T {
  list.push(item);
  return item;
}
