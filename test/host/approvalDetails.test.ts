import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../src/runtime/domain/approvals.ts';
import { ApprovalDetails } from '../../src/ui/approvals/approvalDetails.ts';

describe('the details of an edit that waits for approval', () => {
  let folder: string;
  let path: string;
  let details: ApprovalDetails;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'details-')));
    path = join(folder, 'a.txt');
    details = new ApprovalDetails();
  });
  afterEach(async () => {
    details.dispose();
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  /** The title of the diff. */
  async function titleOf(id: string, before: string): Promise<string | undefined> {
    const request: ApprovalRequest = {
      id, agent: { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'a', displayName: 'Scribe' }, callId: 'c', tool: 'Edit', action: 'edit a.txt', input: {},
      preview: { kind: 'diff', path, before, after: 'new\n' }, why: 'No rule allows it.', canAlways: false, requestedAt: 0,
    };
    await details.show(request, 'Scribe');
    const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
    await details.close(id);
    return label;
  }

  it('say that the file has changed since, saved or not (case 85)', async () => {
    await writeFile(path, 'one\r\n');
    assert.equal(await titleOf('r1', 'one\r\n'), 'Scribe: a.txt (waits for approval)');
    await writeFile(path, 'saved by the user\r\n');
    assert.equal(await titleOf('r2', 'one\r\n'), 'Scribe: a.txt (waits for approval, but the file has changed since)');
    assert.equal(await titleOf('r3', 'saved by the user\r\n'), 'Scribe: a.txt (waits for approval)');

    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document, { preview: false });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'not ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(await titleOf('r4', 'saved by the user\r\n'), 'Scribe: a.txt (waits for approval, but the file has changed since)');
    await document.save();
  });

  it('tell a file that is to be made from one that came since, or went', async () => {
    assert.equal(await titleOf('r5', ''), 'Scribe: a.txt (waits for approval)');
    assert.equal(await titleOf('r6', 'one\n'), 'Scribe: a.txt (waits for approval, but the file has changed since)');
    await writeFile(path, 'by the user\n');
    assert.equal(await titleOf('r7', ''), 'Scribe: a.txt (waits for approval, but the file has changed since)');
  });
});
