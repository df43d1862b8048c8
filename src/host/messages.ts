import * as vscode from 'vscode';
import { harmless, harmlessLines, withoutIcons } from './messageText.ts';

/*
 * All messages to the person. Their texts may quote models, files, servers and errors, of which VS Code would make
 * links that run commands.
 */

/** Resolves to the button that was pressed; nothing where it was closed. */
export function showInfo(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(harmless(text), ...buttons);
}

/** As `showInfo`. */
export function showWarning(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(harmless(text), ...buttons);
}

/** As `showInfo`. */
export function showError(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(harmless(text), ...buttons);
}

/** Asks before anything else can be done. `detail`: lines below the question. Resolves to whether it was answered with that button. */
export async function confirm(question: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(harmless(question), { modal: true, detail: harmlessLines(detail) }, button)) === button;
}

/** Shows in the status bar that the work goes on, where `$(name)` would become an icon. Resolves and rejects as the work. */
export function showProgress<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: withoutIcons(harmless(title)) }, work);
}

/** Shows a text in the status bar for that many milliseconds. */
export function showBriefly(text: string, ms: number): void {
  vscode.window.setStatusBarMessage(withoutIcons(harmless(text)), ms);
}
