import * as vscode from 'vscode';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { DefinitionDiagnostic } from '../../runtime/domain/definitions.ts';
import type { UiContext } from '../context.ts';
import { editedFile, presentFacts } from './definitionFiles.ts';

/** As long as nothing is typed, in milliseconds. */
const PAUSE_MS = 250;

/** Looks for problems in the definition files that are open, as they are typed. What it finds of a document replaces what it found before. */
export class OpenProblems implements Disposable {
  readonly #context: UiContext;
  readonly #onChange: () => void;
  readonly #store = new DisposableStore();
  readonly #found = new Map<string, readonly DefinitionDiagnostic[]>();
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  #isDisposed = false;

  constructor(context: UiContext, onChange: () => void) {
    this.#context = context;
    this.#onChange = onChange;
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#lookAt(document)));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#lookSoon(document)));
    this.#store.add(vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    this.#store.add(context.authoring.onDidChange(() => this.lookAgain()));
    this.#store.add(context.mcp.onDidChange(() => this.lookAgain()));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.lookAgain()));
    this.lookAgain();
  }

  /** By path, for each definition file that is open. */
  get found(): ReadonlyMap<string, readonly DefinitionDiagnostic[]> {
    return this.#found;
  }

  /** Other names may be known by now. */
  lookAgain(): void {
    for (const document of vscode.workspace.textDocuments) this.#lookAt(document);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #lookSoon(document: vscode.TextDocument): void {
    if (!editedFile(document, this.#context.authoring.folders)) return;
    clearTimeout(this.#timers.get(document));
    this.#timers.set(document, setTimeout(() => this.#lookAt(document), PAUSE_MS));
  }

  #lookAt(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.delete(document);
    this.#look(document).catch((error: unknown) => this.#context.log.warn(`problems of an open agent: ${errorText(error)}`));
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    const file = editedFile(document, this.#context.authoring.folders);
    if (!file) {
      if (this.#found.delete(document.uri.fsPath)) this.#onChange();
      return;
    }
    const { version } = document;
    const { problemsOf } = await import('./editing/language.ts');
    const problems = await problemsOf(document.getText(), file, presentFacts(this.#context));
    // What was typed or closed meanwhile has its own look.
    if (document.version !== version || document.isClosed || this.#isDisposed) return;
    this.#found.set(file.path, problems);
    this.#onChange();
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    this.#timers.delete(document);
    if (this.#found.delete(document.uri.fsPath)) this.#onChange();
  }
}
