import * as vscode from 'vscode';
import type { PlainReference } from './referenceText.ts';

/** What VS Code attaches by itself to every request: the names and descriptions of whatever agent files lie around, also of those nobody has approved. Nobody gave it, and it is for VS Code's own agent. */
const CUSTOMIZATIONS = 'vscode.customizations.index';

export interface RequestReferences {
  readonly references: readonly PlainReference[];
  /** How many there were that can't be passed on, such as images. */
  readonly ignored: number;
}

/** Reads `#file`, `#selection` and the other references of a request. */
export function readReferences(given: readonly vscode.ChatPromptReference[]): RequestReferences {
  const meant = given.filter(({ id }) => id !== CUSTOMIZATIONS);
  const references = meant.flatMap((one) => plain(one) ?? []);
  return { references, ignored: meant.length - references.length };
}

function plain({ id, value, modelDescription }: vscode.ChatPromptReference): PlainReference | undefined {
  if (value instanceof vscode.Uri) return { kind: 'file', path: pathOf(value) };
  if (value instanceof vscode.Location) return inFile(value);
  if (typeof value === 'string') return { kind: 'text', label: modelDescription ?? id, text: value };
  return undefined;
}

function inFile({ uri, range }: vscode.Location): PlainReference {
  const { start, end } = range;
  // A selection of whole lines ends before the first character of the next one.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { kind: 'range', path: pathOf(uri), from: start.line + 1, to: last + 1 };
}

function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString();
}
