import { dirname, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { AuthoringFolder } from '../../host/authoringFolders.ts';
import type { UiContext } from '../context.ts';
import type { AuthoringFacts, EditedFile, KnownServer } from './editing/facts.ts';

/** The definition file that a document is; nothing for any other. Of two folders that hold it the later one counts, as for the loader. */
export function editedFile({ uri }: Pick<vscode.TextDocument, 'uri'>, folders: () => readonly AuthoringFolder[]): EditedFile | undefined {
  // Before the settings are looked at: this is asked of each document that opens.
  if (uri.scheme !== 'file' || !/\.md$/i.test(uri.fsPath)) return undefined;
  const folder = folders().findLast(({ path, isNested }) => {
    const way = relative(vscode.Uri.file(path).fsPath, dirname(uri.fsPath));
    return way === '' || (isNested && !way.startsWith('..') && !way.split(sep).some((name) => name.startsWith('.') || name === 'node_modules'));
  });
  return folder && { path: uri.fsPath, source: folder.source };
}

/** What chooses the documents of these folders. */
export function selectorOf(folders: readonly AuthoringFolder[]): vscode.DocumentSelector {
  return folders.map(({ path, isNested }) => ({ scheme: 'file', pattern: new vscode.RelativePattern(vscode.Uri.file(path), `${isNested ? '**/' : ''}*.[mM][dD]`) }));
}

/** What can be named in this window now. Restricted Mode has neither servers nor skills. */
export function presentFacts({ access, mcp, authoring, presentModel }: UiContext): AuthoringFacts {
  const tiers = authoring.tiers();
  const models = { model: presentModel(), ...(tiers && { tiers }) };
  if (!vscode.workspace.isTrusted) return models;
  const agent = access.current;
  const connected = new Map((agent?.connections.list() ?? []).map((server) => [server.name, server]));
  const names = (vscode.workspace.workspaceFolders ?? []).length === 0 ? [] : [...mcp.servers().keys()];
  const servers = names.map((name): KnownServer => {
    const { status, tools = [], error } = connected.get(name) ?? {};
    return { name, tools, ...(status && { status }), ...(error !== undefined && { error }) };
  });
  return { ...models, servers, ...(agent && { skills: agent.skills.list().map(({ name, description }) => ({ name, description })) }) };
}
