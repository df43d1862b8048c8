import { basename } from 'node:path';
import * as vscode from 'vscode';
import { admitOwn, createFile } from '../../../host/definitionFiles.ts';
import { AppError } from '../../../runtime/base/errors.ts';
import type { LiteAgent } from '../../../runtime/domain/liteAgent.ts';
import type { UiContext } from '../../context.ts';
import { QuickDialog } from '../../models/quickDialog.ts';
import { askNewAgent, type NewFile } from './newAgent.ts';

/** **New Agent…**: asks, writes the file and opens it where its instructions begin. Written by the person's own hand, it needs no approval. */
export async function createAgent({ log, catalog }: Pick<UiContext, 'log' | 'catalog'>, agent: LiteAgent): Promise<void> {
  const folders = agent.definitions.folders();
  if (folders === undefined) throw new AppError('unavailable', vscode.l10n.t('Delegation is switched off, so agents have no use. Switch on “subagents.agents.enabled” first.'));
  const file = await askNewAgent({
    dialog: new QuickDialog({ window: vscode.window, backButton: vscode.QuickInputButtons.Back, title: vscode.l10n.t('New Agent'), log }),
    folders,
    found: () => agent.definitions.found(),
    servers: () => agent.connections.list(),
    catalog,
    l10n: vscode.l10n,
  });
  if (file !== undefined) await writeAgent(agent, file);
}

/** Writes the file, lets it be used, and opens it. Rejects with `conflict` where there is one of that name. */
export async function writeAgent(agent: Pick<LiteAgent, 'definitions'>, { path, text }: NewFile): Promise<void> {
  if (!(await createFile(path, text))) throw new AppError('conflict', vscode.l10n.t('{0} exists already. Take another name.', basename(path)));
  await admitOwn(agent, path, text);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  const start = bodyStart(text);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, 0, start, 0) });
}

/** The line, from 0, below the frontmatter. */
function bodyStart(text: string): number {
  return text.split('\n').indexOf('---', 1) + 1;
}
