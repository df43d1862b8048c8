/** The part of `vscode.l10n` that words are made with, so that they can be tested without VS Code. */
export interface L10n {
  t(message: string, ...args: (string | number | boolean)[]): string;
}
