import * as vscode from 'vscode';
import { withoutIcons } from '../../host/messageText.ts';
import { AppError } from '../../runtime/base/errors.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { FoundDefinition } from '../../runtime/domain/definitions.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { definitionOf } from '../agents/agentNodes.ts';
import { sourceLabel } from '../agents/sourceWords.ts';
import type { Target } from '../commands/targets.ts';
import type { PreviewKey } from './previewUri.ts';

/** What a preview is wanted of: what was clicked, else what the person picks. Nothing where they leave. Rejects with `not_found` for a file that holds no agent, and with `conflict` for one that doesn't load. */
export async function previewTarget({ definitions }: LiteAgent, targets: readonly Target[]): Promise<PreviewKey | undefined> {
  const found = definitions.found();
  for (const { agentName, definitionId, documentPath } of targets) {
    if (agentName !== undefined) return { name: agentName };
    if (definitionId !== undefined) return keyOf(definitionOf(found, definitionId));
    if (documentPath !== undefined) return keyOf(ofFile(found, documentPath));
  }
  return pickAgent(found);
}

function keyOf(found: FoundDefinition | undefined): PreviewKey {
  if (found === undefined) throw new AppError('not_found', vscode.l10n.t('No agent is read from this file. Its folder may be another project’s, or not trusted yet.'));
  const { name, path } = found;
  if (found.status === 'refused') throw new AppError('conflict', vscode.l10n.t('“{0}” is not loaded: its problems say why.', truncate(oneLine(name), 60)));
  return { name, ...(path !== undefined && { file: path }) };
}

function ofFile(found: readonly FoundDefinition[], path: string): FoundDefinition | undefined {
  return found.find((one) => one.path !== undefined && vscode.Uri.file(one.path).fsPath === path);
}

/** The one whose file is being edited comes first. */
async function pickAgent(found: readonly FoundDefinition[]): Promise<PreviewKey | undefined> {
  const usable = found.filter(({ status }) => status === 'active' || status === 'unapproved');
  const edited = vscode.window.activeTextEditor && ofFile(usable, vscode.window.activeTextEditor.document.uri.fsPath);
  const items = [...(edited ? [edited] : []), ...usable.filter((one) => one !== edited)].flatMap((one) => {
    if (one.status === 'refused') return [];
    return [{ name: one.name, label: withoutIcons(truncate(oneLine(one.name), 60)), description: sourceLabel(one.source, vscode.l10n), detail: withoutIcons(truncate(oneLine(one.definition.description), 200)) }];
  });
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Preview Effective Agent'), placeHolder: vscode.l10n.t('Which agent?'), matchOnDescription: true });
  return picked && { name: picked.name };
}
