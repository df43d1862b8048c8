import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

const EXTENSION = 'subagent-panel.subagent-panel';
const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('editing definition files', () => {
  const written: string[] = [];
  before(() => vscode.extensions.getExtension(EXTENSION)?.activate());
  afterEach(async () => {
    for (const path of written.splice(0)) {
      // What is unsaved would otherwise stand in the next document of that name.
      await vscode.window.showTextDocument(vscode.Uri.file(path));
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await rm(path);
    }
  });

  /** Opens a file with that text, as someone who then types. */
  async function open(path: string, text: string): Promise<vscode.TextDocument> {
    const full = join(root(), path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
    written.push(full);
    const document = await vscode.workspace.openTextDocument(full);
    await vscode.window.showTextDocument(document);
    return document;
  }
  const at = (document: vscode.TextDocument, word: string): vscode.Position => document.positionAt(document.getText().indexOf(word) + 1);
  const complete = async (document: vscode.TextDocument, position: vscode.Position): Promise<readonly vscode.CompletionItem[]> =>
    (await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, position)).items;
  const labels = (items: readonly vscode.CompletionItem[]): readonly string[] => items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  const actions = (document: vscode.TextDocument, range: vscode.Range): Thenable<readonly vscode.CodeAction[]> => vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, range);
  const ours = (document: vscode.TextDocument): readonly vscode.Diagnostic[] => vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Subagent Panel');

  /** Resolves once the problems of the document are like that. */
  async function problems(document: vscode.TextDocument, fit: (found: readonly vscode.Diagnostic[]) => boolean): Promise<readonly vscode.Diagnostic[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!fit(ours(document))) return;
        listening.dispose();
        resolve(ours(document));
      };
      const listening = vscode.languages.onDidChangeDiagnostics(look);
      look();
    });
  }
  async function type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  it('offers fields and values in unsaved text, and nothing of ours elsewhere', async () => {
    const document = await open('.lite-agent/agents/editing.md', '');
    await type(document, '---\ndescription: x\n\ntools: [Read, ]\n---\nBody\n');
    assert.ok(labels(await complete(document, new vscode.Position(2, 0))).includes('maxTurns'));
    assert.ok(labels(await complete(document, new vscode.Position(3, 14))).includes('Grep'));
    assert.ok(!labels(await complete(document, new vscode.Position(5, 0))).includes('maxTurns'));
    const other = await open('docs-of-mine/editing.md', '---\n\n---\n');
    assert.ok(!labels(await complete(other, new vscode.Position(1, 0))).includes('maxTurns'));
  });

  it('serves the folders of other products, and their subfolders where those count', async () => {
    for (const path of ['.github/agents/editing.agent.md', '.claude/agents/deep/editing.md']) {
      const document = await open(path, '---\n\n---\n');
      assert.ok(labels(await complete(document, new vscode.Position(1, 0))).includes('maxTurns'), path);
    }
  });

  it('explains fields and tools', async () => {
    const document = await open('.lite-agent/agents/explained.md', '---\ndescription: x\ntools: [Grep]\n---\nBody\n');
    const said = async (word: string): Promise<string> =>
      (await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at(document, word))).flatMap(({ contents }) => contents.map((content) => (typeof content === 'string' ? content : content.value))).join('\n');
    assert.match(await said('tools'), /names of tools/);
    assert.match(await said('Grep'), /Read-only/);
  });

  it('shows problems as they are typed, once each, and corrects them', async () => {
    const document = await open('.lite-agent/agents/typed.md', '---\ndescription: x\n---\nBody\n');
    await type(document, '---\ndescription: x\ntools: Read, Grpe\n---\nBody\n');
    // Whether it is also not approved yet is told whenever the file was loaded.
    const found = (await problems(document, (all) => all.some(({ code }) => code === 'unknown_tool'))).filter(({ code }) => code !== 'unapproved');
    const [problem] = found;
    assert.ok(problem && found.length === 1, JSON.stringify(found));
    assert.equal(document.getText(problem.range), 'Grpe');
    const fix = (await actions(document, problem.range)).find(({ title }) => title === 'Replace by `Grep`');
    assert.ok(fix?.edit && fix.isPreferred === true);
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /tools: Read, Grep\n/);
    await problems(document, (found) => !found.some(({ code }) => code === 'unknown_tool'));
    await document.save();
    assert.ok(!ours(document).some(({ code }) => code === 'unknown_tool'));
  });

  it('writes all names of another product as they are called here', async () => {
    const document = await open('.lite-agent/agents/renamed.md', '---\ndescription: x\nallowed-tools: bash2, Read, shell\nmax_turns: 3\n---\nBody\n');
    const mapped = (await problems(document, (found) => found.filter(({ code }) => code === 'mapped').length === 3)).find(({ code }) => code === 'mapped');
    assert.ok(mapped);
    const all = (await actions(document, mapped.range)).find(({ title }) => title.startsWith('Write all'));
    assert.ok(all?.edit);
    await vscode.workspace.applyEdit(all.edit);
    assert.match(document.getText(), /^tools: bash2, Read, Bash\nmaxTurns: 3$/m);
  });
});
