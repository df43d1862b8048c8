import * as vscode from 'vscode';
import { deleteFile, moveToTrash } from '../../host/definitionFiles.ts';
import { confirm } from '../../host/messages.ts';
import type { FoundDefinition } from '../../runtime/domain/definitions.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { Log } from '../../runtime/domain/ports.ts';

/** Asks, then moves the files to the trash; where there is none, it asks again before they are gone for good. */
export async function deleteDefinitions(agent: LiteAgent, found: readonly FoundDefinition[], log: Log): Promise<void> {
  const own = found.flatMap(({ name, path, source }) => (path === undefined || source === 'bundled' ? [] : [{ name, path }]));
  const [first] = own;
  if (first === undefined) return;
  const paths = own.map(({ path }) => path);
  const question = paths.length === 1 ? vscode.l10n.t('Delete the agent “{0}”?', first.name) : vscode.l10n.t('Delete {0} agents?', paths.length);
  if (!(await confirm(question, paths.join('\n'), vscode.l10n.t('Move to Trash')))) return;
  const left: string[] = [];
  for (const path of paths) if (!(await moveToTrash(path, log))) left.push(path);
  const forGood = left.length > 0 && (await confirm(vscode.l10n.t('There is no trash for this. Delete for good?'), left.join('\n'), vscode.l10n.t('Delete')));
  if (forGood) for (const path of left) await deleteFile(path);
  await agent.definitions.reload();
}
