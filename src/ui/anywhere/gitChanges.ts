import { relative } from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../../runtime/base/errors.ts';
import type { WorkingTree } from './reviewTask.ts';

/** What is used of the API of VS Code's own git extension. */
interface GitApi {
  readonly repositories: readonly Repository[];
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly workingTreeChanges: readonly Change[]; readonly untrackedChanges: readonly Change[] };
  status(): Promise<void>;
  /** @param cached of what is staged */
  diff(cached: boolean): Promise<string>;
}

interface Change {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** Its number for a file that git doesn't follow. */
const UNTRACKED = 7;

/** A repository with what isn't committed in it. */
export interface Changes extends WorkingTree {
  readonly root: vscode.Uri;
}

/** What isn't committed in the repository at that folder, in the only one, or in the one that the person picks; nothing where they leave. Rejects with `unavailable` without git or a repository, and as git does. */
export async function uncommitted(root?: vscode.Uri): Promise<Changes | undefined> {
  const { repositories } = await gitApi();
  if (repositories.length === 0) throw new AppError('unavailable', vscode.l10n.t('There is no git repository in this workspace.'));
  const repository = repositories.find(({ rootUri }) => rootUri.toString() === root?.toString()) ?? (await pickRepository(repositories));
  if (repository === undefined) return undefined;
  await repository.status();
  const { workingTreeChanges, untrackedChanges } = repository.state;
  const untracked = [...workingTreeChanges, ...untrackedChanges].filter(({ status }) => status === UNTRACKED);
  const paths = untracked.map(({ uri }) => relative(repository.rootUri.fsPath, uri.fsPath));
  return { root: repository.rootUri, staged: await repository.diff(true), unstaged: await repository.diff(false), untracked: [...new Set(paths)].sort() };
}

async function gitApi(): Promise<GitApi> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>('vscode.git');
  const git = await extension?.activate();
  // Asked for an API while it is off, it throws.
  if (git?.enabled !== true) throw new AppError('unavailable', vscode.l10n.t('VS Code’s Git extension is off. Turn it on to review changes.'));
  return git.getAPI(1);
}

async function pickRepository(repositories: readonly Repository[]): Promise<Repository | undefined> {
  const [first] = repositories;
  if (repositories.length === 1) return first;
  const items = repositories.map((repository) => ({ label: vscode.workspace.asRelativePath(repository.rootUri), description: repository.rootUri.fsPath, repository }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('The repository whose changes are reviewed'), ignoreFocusOut: true }))?.repository;
}
