import type * as vscode from 'vscode';
import { isAbort } from '../../runtime/base/abort.ts';
import { deferred } from '../../runtime/base/async.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { Answer, Choice, ChoiceQuestion, Dialog, Place, TextQuestion, TickQuestion, TroubleQuestion } from './dialog.ts';

/** The part of VS Code that the questions are asked with. */
export type QuickWindow = Pick<typeof vscode.window, 'createQuickPick' | 'createInputBox' | 'showWarningMessage'>;

export interface QuickDialogDeps {
  readonly window: QuickWindow;
  /** VS Code's own. */
  readonly backButton: vscode.QuickInputButton;
  readonly title: string;
  readonly log: Log;
}

interface Item<T> extends vscode.QuickPickItem {
  readonly choice: Choice<T>;
}

interface Separator extends vscode.QuickPickItem {
  readonly kind: vscode.QuickPickItemKind.Separator;
}

/** VS Code's own number, which only its types are needed for here. */
const SEPARATOR = -1 satisfies vscode.QuickPickItemKind.Separator;

type Input = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;
type Settle<T> = (answer: Answer<T>) => void;

/** Asks in VS Code's quick input. It stays up while the person looks elsewhere for a key; hiding it gives everything up. */
export class QuickDialog implements Dialog {
  readonly #deps: QuickDialogDeps;

  constructor(deps: QuickDialogDeps) {
    this.#deps = deps;
  }

  async choose<T>(question: ChoiceQuestion<T>, place: Place): Promise<Answer<T>> {
    const { placeholder, choices, active, more } = question;
    const pick = this.#deps.window.createQuickPick<Item<T>>();
    pick.placeholder = placeholder;
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = choices.map(itemOf);
    const first = pick.items.find(({ choice }) => choice === active);
    if (first !== undefined) pick.activeItems = [first];
    return this.#ask<T>(pick, place, (settle, signal) => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item !== undefined) settle({ kind: 'answer', value: item.choice.value });
      });
      if (more !== undefined) void this.#addMore(pick, more(signal), signal);
    });
  }

  async tick<T>({ placeholder, choices, ticked }: TickQuestion<T>, place: Place): Promise<Answer<readonly T[]>> {
    const pick = this.#deps.window.createQuickPick<Item<T> | Separator>();
    pick.placeholder = placeholder;
    pick.canSelectMany = true;
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = choices.flatMap((choice, index) => (choice.group === choices[index - 1]?.group ? [itemOf(choice)] : [{ label: choice.group, kind: SEPARATOR }, itemOf(choice)]));
    pick.selectedItems = pick.items.filter((item) => 'choice' in item && ticked.includes(item.choice.value));
    return this.#ask<readonly T[]>(pick, place, (settle) => {
      pick.onDidAccept(() => {
        const chosen = pick.items.filter((item) => pick.selectedItems.includes(item));
        settle({ kind: 'answer', value: chosen.flatMap((item) => ('choice' in item ? [item.choice.value] : [])) });
      });
    });
  }

  async enter({ prompt, placeholder = '', value = '', isSecret = false, problem }: TextQuestion, place: Place): Promise<Answer<string>> {
    const input = this.#deps.window.createInputBox();
    input.prompt = prompt;
    input.placeholder = placeholder;
    input.value = value;
    input.password = isSecret;
    return this.#ask<string>(input, place, (settle) => {
      // Whoever has typed nothing yet has done nothing wrong.
      input.onDidChangeValue((text) => (input.validationMessage = text.trim() === '' ? '' : (problem(text.trim()) ?? '')));
      input.onDidAccept(() => {
        const text = input.value.trim();
        const wrong = problem(text);
        if (wrong === undefined) settle({ kind: 'answer', value: text });
        else input.validationMessage = wrong;
      });
    });
  }

  async wait<T>(message: string, work: (signal: AbortSignal) => Promise<T>, place: Place): Promise<Answer<T>> {
    const pick = this.#deps.window.createQuickPick();
    pick.placeholder = message;
    pick.busy = true;
    return this.#ask<T>(pick, place, (settle, signal, fail) => {
      work(signal).then((value) => settle({ kind: 'answer', value }), fail);
    });
  }

  async trouble<T>({ message, detail, actions }: TroubleQuestion<T>): Promise<T | undefined> {
    const picked = await this.#deps.window.showWarningMessage(message, { modal: true, detail }, ...actions.map(({ label, value }) => ({ title: label, value })));
    return picked?.value;
  }

  /** Shows the input until it is settled. Its signal aborts as soon as it is closed. */
  async #ask<T>(input: Input, { step, total, canGoBack }: Place, begin: (settle: Settle<T>, signal: AbortSignal, fail: (error: unknown) => void) => void): Promise<Answer<T>> {
    const closed = new AbortController();
    const settled = deferred<Answer<T>>();
    input.title = this.#deps.title;
    input.step = step;
    input.totalSteps = total;
    input.ignoreFocusOut = true;
    input.buttons = canGoBack ? [this.#deps.backButton] : [];
    input.onDidTriggerButton(() => settled.resolve({ kind: 'back' }));
    input.onDidHide(() => settled.resolve({ kind: 'leave' }));
    begin((answer) => settled.resolve(answer), closed.signal, (error) => settled.reject(error));
    input.show();
    try {
      return await settled.promise;
    } finally {
      closed.abort();
      input.dispose();
    }
  }

  async #addMore<T>(pick: vscode.QuickPick<Item<T>>, more: Promise<readonly Choice<T>[]>, signal: AbortSignal): Promise<void> {
    pick.busy = true;
    try {
      const found = await more;
      if (signal.aborted) return;
      // New items move the cursor to the first one, also from where the person has put it.
      const active = pick.activeItems;
      pick.items = [...found.map(itemOf), ...pick.items];
      pick.activeItems = active;
    } catch (error) {
      if (!isAbort(error)) this.#deps.log.warn(`models: nothing further was found: ${errorText(error)}`);
    } finally {
      if (!signal.aborted) pick.busy = false;
    }
  }
}

function itemOf<T>(choice: Choice<T>): Item<T> {
  const { label, description, detail, stays = false } = choice;
  return { label, alwaysShow: stays, ...(description !== undefined && { description }), ...(detail !== undefined && { detail }), choice };
}
