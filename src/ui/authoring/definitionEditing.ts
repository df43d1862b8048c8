import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { DefinitionDiagnostic } from '../../runtime/domain/definitions.ts';
import type { UiContext } from '../context.ts';
import { isAcrossFiles } from './acrossFiles.ts';
import { editedFile, presentFacts, selectorOf } from './definitionFiles.ts';
import type { TextChange } from './editing/changes.ts';
import type { Completion } from './editing/completions.ts';
import type { LineRange } from './editing/cursor.ts';
import { rangeOfProblem } from './problemRange.ts';

/** What opens the list while typing: whatever stands before a name. */
const TRIGGERS = ['-', ' ', ',', '[', '"', "'", ':', '/'];

const KINDS: Readonly<Record<Completion['kind'], vscode.CompletionItemKind>> = {
  frame: vscode.CompletionItemKind.Snippet,
  field: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  tool: vscode.CompletionItemKind.Function,
  model: vscode.CompletionItemKind.Value,
  skill: vscode.CompletionItemKind.Reference,
  server: vscode.CompletionItemKind.Module,
};

/** Completion, hover and quick fixes in definition files, of whatever folders the settings name. What they need is loaded with the first use. */
export function registerDefinitionEditing(context: UiContext): Disposable {
  const store = new DisposableStore();
  let registered = new DisposableStore();
  const register = (): void => {
    registered.dispose();
    registered = new DisposableStore();
    const selector = selectorOf(context.authoring.folders());
    registered.add(vscode.languages.registerCompletionItemProvider(selector, { provideCompletionItems: (document, position) => completions(context, document, position) }, ...TRIGGERS));
    registered.add(vscode.languages.registerHoverProvider(selector, { provideHover: (document, position) => hover(context, document, position) }));
    registered.add(
      vscode.languages.registerCodeActionsProvider(selector, { provideCodeActions: (document, _range, about) => fixes(context, document, about) }, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.SourceFixAll] }),
    );
  };
  store.add(context.authoring.onDidChange(register));
  store.add({ dispose: () => registered.dispose() });
  register();
  return store;
}

async function completions(context: UiContext, document: vscode.TextDocument, { line, character }: vscode.Position): Promise<vscode.CompletionItem[]> {
  const { completionsAt } = await import('./editing/language.ts');
  return completionsAt(document.getText(), line, character, presentFacts(context), vscode.l10n).map((completion, index) => {
    const item = new vscode.CompletionItem(completion.label, KINDS[completion.kind]);
    item.insertText = new vscode.SnippetString(completion.insert);
    item.range = lineRange(completion.replace);
    item.detail = completion.detail;
    item.documentation = new vscode.MarkdownString(completion.docs);
    item.sortText = String(index).padStart(4, '0');
    // Without the blank that some bring along.
    item.filterText = completion.label;
    if (completion.goesOn) item.command = { command: 'editor.action.triggerSuggest', title: '' };
    return item;
  });
}

async function hover(context: UiContext, document: vscode.TextDocument, { line, character }: vscode.Position): Promise<vscode.Hover | undefined> {
  const file = editedFile(document, context.authoring.folders);
  const { hoverAt } = await import('./editing/language.ts');
  const found = file && hoverAt(document.getText(), line, character, file.source, presentFacts(context), vscode.l10n);
  return found && new vscode.Hover(new vscode.MarkdownString(found.text), lineRange(found.range));
}

/** Problems are looked for anew: those that VS Code hands over have lost what a fix needs. */
async function fixes(context: UiContext, document: vscode.TextDocument, { diagnostics, only }: vscode.CodeActionContext): Promise<vscode.CodeAction[]> {
  const file = editedFile(document, context.authoring.folders);
  if (!file) return [];
  const { problemsOf, fixesOf, fixAllMapped } = await import('./editing/language.ts');
  const text = document.getText();
  const across = (context.access.current?.definitions.diagnostics() ?? []).filter((problem) => vscode.Uri.file(problem.path).fsPath === file.path && isAcrossFiles(problem));
  const problems = [...(await problemsOf(text, file, presentFacts(context))), ...across];
  const single = diagnostics.flatMap((diagnostic) =>
    problems.filter((problem) => problem.code === diagnostic.code && rangeOfProblem(problem).isEqual(diagnostic.range)).flatMap((problem) => fixesOf(text, problem, vscode.l10n).map(({ title, changes, isPreferred }) => {
      const action = actionOf(document, title, changes, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.isPreferred = isPreferred;
      return action;
    })),
  );
  return [...single, ...allMapped(document, file.source, problems, fixAllMapped(text, problems), diagnostics, only)];
}

/** One for all words of other products. Never when a file of another product's folder is saved: that product needs them. */
function allMapped(document: vscode.TextDocument, source: string, problems: readonly DefinitionDiagnostic[], changes: readonly TextChange[], diagnostics: readonly vscode.Diagnostic[], only: vscode.CodeActionKind | undefined): readonly vscode.CodeAction[] {
  const title = vscode.l10n.t('Write all names of other products as they are called here');
  const isOwn = source === 'user' || source === 'project' || source === 'directory';
  const sourceAction = isOwn && changes.length > 0 && only?.intersects(vscode.CodeActionKind.SourceFixAll) === true ? [actionOf(document, title, changes, vscode.CodeActionKind.SourceFixAll)] : [];
  const count = problems.filter(({ code }) => code === 'mapped').length;
  const quick = count > 1 && diagnostics.some(({ code }) => code === 'mapped') ? [actionOf(document, title, changes, vscode.CodeActionKind.QuickFix)] : [];
  return [...sourceAction, ...quick];
}

function actionOf({ uri }: vscode.TextDocument, title: string, changes: readonly TextChange[], kind: vscode.CodeActionKind): vscode.CodeAction {
  const action = new vscode.CodeAction(title, kind);
  action.edit = new vscode.WorkspaceEdit();
  for (const { line, start, endLine, end, text } of changes) action.edit.replace(uri, new vscode.Range(line, start, endLine, end), text);
  return action;
}

function lineRange({ line, start, end }: LineRange): vscode.Range {
  return new vscode.Range(line, start, line, end);
}
