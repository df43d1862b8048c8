/** The part of `vscode.l10n` that presentation needs, so that it can be tested without VS Code. */
export interface L10n {
  t(message: string, ...args: (string | number | boolean)[]): string;
}
