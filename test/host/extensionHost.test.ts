import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('extension host', () => {
  it('opens the sample workspace', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const readme = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, 'README.md'));
    assert.match(new TextDecoder().decode(readme), /^# Orderly/);
  });

  it('knows the extension under development', () => {
    assert.ok(vscode.extensions.getExtension('subagent-panel.subagent-panel'));
  });
});
