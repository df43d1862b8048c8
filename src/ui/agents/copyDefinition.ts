import { join } from 'node:path';
import * as vscode from 'vscode';
import { admitOwn, createFile, replaceFile } from '../../host/definitionFiles.ts';
import { confirm } from '../../host/messages.ts';
import { AppError } from '../../runtime/base/errors.ts';
import { PROJECT_SOURCES, type FoundDefinition } from '../../runtime/domain/definitions.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { definitionContent } from './definitionDocuments.ts';
import { fileNameOf, ownFileName } from './fileNames.ts';

/** Copies a definition, as it is written, into a workspace folder, where it wins over the original; asks before it replaces a file. Opens the copy. */
export async function copyToWorkspace(agent: LiteAgent, found: FoundDefinition): Promise<void> {
  const folder = await pickFolder(agent);
  if (folder === undefined) return;
  const text = await definitionContent(found);
  const name = found.path === undefined ? fileNameOf(found.name) : ownFileName(found.path);
  const path = join(folder, name);
  if (!(await createFile(path, text))) {
    if (!(await confirm(vscode.l10n.t('{0} is in this workspace already. Replace it?', name), path, vscode.l10n.t('Replace')))) return;
    await replaceFile(path, text);
  }
  // What the project itself has written doesn't become trusted by being copied.
  if (!PROJECT_SOURCES.includes(found.source) || found.status === 'active') await admitOwn(agent, path, text);
  else await agent.definitions.reload();
  await vscode.window.showTextDocument(vscode.Uri.file(path));
}

/** The folder for definitions of the one workspace folder, or of the one that the person picks; nothing where they leave. */
async function pickFolder({ definitions }: LiteAgent): Promise<string | undefined> {
  const used = definitions.folders()?.project;
  if (used === undefined) throw new AppError('unavailable', vscode.l10n.t('Agents can’t be kept in this workspace. Trust its folder, or open one on this machine.'));
  const others = (vscode.workspace.workspaceFolders ?? []).slice(1).filter(({ uri }) => uri.scheme === 'file');
  if (others.length === 0) return used;
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const items = [
    { label: first?.name ?? '', description: vscode.l10n.t('its agents are used in this window'), path: used },
    ...others.map(({ name, uri }) => ({ label: name, description: vscode.l10n.t('used only where this folder is the first one'), path: join(uri.fsPath, '.lite-agent', 'agents') })),
  ];
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose the folder to copy the agent to') }))?.path;
}
