import * as vscode from 'vscode';
import { deferred } from '../../runtime/base/async.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../runtime/base/lifecycle.ts';

/** What ends a response before its work is over: Stop, the button, or a message that the user has sent meanwhile. */
export type EarlyEnd = 'stopped' | 'background' | 'yielded';

/** How often the wish to yield is looked at, in milliseconds: it comes without an event. */
const YIELD_POLL = 250;

/** A response that is being written. */
export interface OpenResponse extends Disposable {
  /** Argument of the command that sends it to the background. */
  readonly number: number;
  /** Settles at most once, and never after `dispose`. */
  readonly endedEarly: Promise<EarlyEnd>;
}

/** Knows the open responses, so that the Continue in Background button finds its own. */
export class OpenResponses implements Disposable {
  readonly #open = new Map<number, (end: EarlyEnd) => void>();
  readonly #command: Disposable;
  #count = 0;

  constructor(continueInBackground: string) {
    this.#command = vscode.commands.registerCommand(continueInBackground, (number: unknown) => this.#toBackground(number));
  }

  start(context: vscode.ChatContext, token: vscode.CancellationToken): OpenResponse {
    const number = ++this.#count;
    const ended = deferred<EarlyEnd>();
    const resolve = (end: EarlyEnd): void => ended.resolve(end);
    const owned = new DisposableStore();
    this.#open.set(number, resolve);
    owned.add(toDisposable(() => this.#open.delete(number)));
    owned.add(token.onCancellationRequested(() => resolve('stopped')));
    if (token.isCancellationRequested) resolve('stopped');
    const timer = setInterval(() => {
      if (isYieldRequested(context)) resolve('yielded');
    }, YIELD_POLL);
    owned.add(toDisposable(() => clearInterval(timer)));
    return { number, endedEarly: ended.promise, dispose: () => owned.dispose() };
  }

  dispose(): void {
    this.#command.dispose();
    this.#open.clear();
  }

  /** From the palette, without an argument, it means whatever is open. */
  #toBackground(number: unknown): void {
    if (typeof number === 'number') this.#open.get(number)?.('background');
    else this.#open.forEach((end) => end('background'));
  }
}

/**
 * Whether the user has sent a message that VS Code holds back until this response ends. The property isn't declared
 * in the stable types: where it is missing or unreadable, the answer is no.
 */
export function isYieldRequested(context: vscode.ChatContext): boolean {
  try {
    return (context as { readonly yieldRequested?: unknown }).yieldRequested === true;
  } catch {
    return false;
  }
}
