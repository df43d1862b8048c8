import * as vscode from 'vscode';
import { tooltipMarkdown, type Icon, type Row, type TooltipLine } from './presentation.ts';

/** A row as VS Code wants it; an empty one where its subject is gone. `id`: a stable one, which keeps selection and expansion over refreshes. */
export function rowItem(id: string, row: (Omit<Row, 'icon'> & { readonly icon?: Icon }) | undefined, state: vscode.TreeItemCollapsibleState, command?: vscode.Command): vscode.TreeItem {
  const result = new vscode.TreeItem(row?.label ?? '', state);
  result.id = id;
  if (row === undefined) return result;
  result.description = row.description;
  if (row.icon !== undefined) result.iconPath = new vscode.ThemeIcon(row.icon.id, row.icon.color === undefined ? undefined : new vscode.ThemeColor(row.icon.color));
  result.contextValue = row.contextValue;
  result.accessibilityInformation = { label: row.spoken };
  if (command !== undefined) result.command = command;
  return result;
}

/** A tooltip in which nothing is markup but what we make so. */
export function tooltip(title: string, lines: readonly TooltipLine[]): vscode.MarkdownString {
  return new vscode.MarkdownString(tooltipMarkdown(title, lines));
}
