import type * as vscode from 'vscode';

/** Resolves once the condition holds: looked at now, and at each of the events. Rejects, with what it waited for, when that takes too long. */
export function until(what: string, event: vscode.Event<unknown>, holds: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => void Promise.resolve(holds()).then((done) => done && resolve(), reject);
  const timer = setTimeout(() => reject(new Error(`Waited in vain: ${what}.`)), limitMs);
  const listening = event(look);
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    listening.dispose();
  });
}
