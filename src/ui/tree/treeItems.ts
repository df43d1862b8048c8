import * as vscode from 'vscode';
import { COMMANDS, SCHEMES } from '../../ids.ts';
import { findDefinition } from '../../runtime/definitions/names.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { hasWorktree, isSettled, ownChildren, rowChildren } from '../children.ts';
import { agentName, childName } from '../names.ts';
import { rowQuery } from '../review/diff/changeUris.ts';
import { isInConflict, isOpen, type FileFacts } from '../review/fileFacts.ts';
import { fileName } from '../review/filePlace.ts';
import { canDecide, runsElsewhere } from '../rounds.ts';
import { approvalRow, approvalTooltip } from './approvalItem.ts';
import { childRow, childTooltip, queuePlaces, type ChildContext } from './childItem.ts';
import type { DrawnGroups } from './drawnGroups.ts';
import { fileRow, fileTooltip } from './fileItem.ts';
import { groupRow, groupTooltip } from './groupItem.ts';
import { nodeId, type Node } from './nodes.ts';
import type { Icon, Row } from './presentation.ts';
import { rowItem, tooltip } from './rowItem.ts';

/** What of the changed files is known; rejects as `reviews.changes`. */
export type Changes = (agentId: string) => Promise<readonly FileFacts[]>;
type FileNode = Extract<Node, { kind: 'file' }>;

/** The row of a node as VS Code wants it. A node whose subject is gone gives an empty row until the list is asked again. */
export async function treeItem(node: Node, agent: LiteAgent, changes: Changes, groups: DrawnGroups): Promise<vscode.TreeItem> {
  switch (node.kind) {
    case 'group': {
      const group = agent.group(node.groupId);
      const state = node.isOld ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
      if (group === undefined) return gone(node);
      const context = groupContext();
      groups.drawn(group, context);
      return item(node, groupRow(group, context), state);
    }
    case 'child': {
      const child = agent.child(node.agentId);
      if (child === undefined) return gone(node);
      return item(node, childRow(child, { ...childContext(child, agent), conflicts: await conflictsOf(child, changes) }), childFolding(child, agent), openCommand(child, node));
    }
    case 'file':
      return fileItem(node, agent, changes);
    case 'approval': {
      const request = agent.approvals.pending().find((candidate) => candidate.id === node.requestId);
      if (request === undefined) return gone(node);
      const command = { command: COMMANDS.showApprovalDetails, title: vscode.l10n.t('Show Details'), arguments: [node] };
      return item(node, approvalRow(request, agentName(request.agent, agent.groups(), vscode.l10n), vscode.l10n), vscode.TreeItemCollapsibleState.None, command);
    }
  }
}

/** The tooltip of a node, made when it is asked for. */
export async function nodeTooltip(node: Node, agent: LiteAgent, changes: Changes): Promise<vscode.MarkdownString | undefined> {
  switch (node.kind) {
    case 'group': {
      const group = agent.group(node.groupId);
      return group && tooltip(groupRow(group, groupContext()).label, groupTooltip(group, groupContext()));
    }
    case 'child': {
      const child = agent.child(node.agentId);
      return child && tooltip(child.displayName, childTooltip(child, childContext(child, agent)));
    }
    case 'file': {
      const facts = await factsOf(node, changes);
      return facts && tooltip(fileName(facts.path), fileTooltip(facts, fileContext(node, agent)));
    }
    case 'approval': {
      const request = agent.approvals.pending().find((candidate) => candidate.id === node.requestId);
      return request && tooltip(request.question === undefined ? vscode.l10n.t('Waits for approval') : vscode.l10n.t('Waits for an answer'), approvalTooltip(request, agentName(request.agent, agent.groups(), vscode.l10n), vscode.l10n));
    }
  }
}

/** Its icon is that of the file's name, and its address no file's: so other extensions' marks stay away from it. */
async function fileItem(node: FileNode, agent: LiteAgent, changes: Changes): Promise<vscode.TreeItem> {
  const facts = await factsOf(node, changes);
  if (facts === undefined) return gone(node);
  const command = { command: COMMANDS.openDiff, title: vscode.l10n.t('Open Diff'), arguments: [node] };
  const result = item(node, fileRow(facts, fileContext(node, agent)), vscode.TreeItemCollapsibleState.None, command);
  result.resourceUri = vscode.Uri.file(facts.path).with({ scheme: SCHEMES.change, query: rowQuery(node.file.agentId, { kind: facts.kind, isDone: !isOpen(facts), ...(isInConflict(facts) && { isInConflict: true }) }) });
  result.iconPath = vscode.ThemeIcon.File;
  return result;
}

/** In how many files a child's worktree doesn't go into the workspace. Where that can't be told, its files say why. */
async function conflictsOf(child: ChildView, changes: Changes): Promise<number> {
  if (!hasWorktree(child) || !isSettled(child.status) || child.changedFiles.length === 0) return 0;
  return changes(child.agentId).then((files) => files.filter(isInConflict).length, () => 0);
}

async function factsOf({ file }: FileNode, changes: Changes): Promise<FileFacts | undefined> {
  return (await changes(file.agentId)).find(({ path }) => path === file.path);
}

function fileContext({ parent, file }: FileNode, agent: LiteAgent): Parameters<typeof fileRow>[1] {
  const child = agent.child(file.agentId);
  return { cwd: agent.group(parent.groupId)?.cwd ?? '', isDecidable: child !== undefined && canDecide(child, agent), l10n: vscode.l10n };
}

/** Someone who is asked sees it at once. Files show when they are wanted. */
function childFolding(child: ChildView, agent: LiteAgent): vscode.TreeItemCollapsibleState {
  if (child.approvals.length > 0 && !runsElsewhere(child, agent)) return vscode.TreeItemCollapsibleState.Expanded;
  return child.changedFiles.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
}

function item(node: Node, row: Omit<Row, 'icon'> & { readonly icon?: Icon }, state: vscode.TreeItemCollapsibleState, command?: vscode.Command): vscode.TreeItem {
  return rowItem(nodeId(node), row, state, command);
}

function gone(node: Node): vscode.TreeItem {
  return rowItem(nodeId(node), undefined, vscode.TreeItemCollapsibleState.None);
}

/** A click opens what there is: the result once settled, what it does so far before. */
export function openCommand(child: ChildView, node: object): vscode.Command | undefined {
  if (child.status === 'queued') return undefined;
  return isSettled(child.status)
    ? { command: COMMANDS.openResult, title: vscode.l10n.t('Open Result'), arguments: [node] }
    : { command: COMMANDS.openTranscript, title: vscode.l10n.t('Open Transcript'), arguments: [node] };
}

/** What a child's row needs to know besides the child. */
export function childContext(child: ChildView, agent: Pick<LiteAgent, 'group' | 'groups' | 'approvals' | 'definitions'>): ChildContext {
  const group = agent.group(child.groupId);
  const place = (): number => queuePlaces(ownChildren(agent.groups())).get(child.agentId) ?? 1;
  return {
    name: childName(child, group === undefined ? [child] : rowChildren(group)),
    place: child.status === 'queued' ? place() : 0,
    now: Date.now(),
    isElsewhere: runsElsewhere(child, agent),
    color: findDefinition(agent.definitions.list(), child.definition)?.color,
    hasRefused: agent.approvals.refused(child.agentId).length > 0,
    cwd: group?.cwd ?? '',
    locale: vscode.env.language,
    l10n: vscode.l10n,
  };
}

/** What a group's row needs to know besides the group. */
export function groupContext(): Parameters<typeof groupRow>[1] {
  return { now: Date.now(), locale: vscode.env.language, l10n: vscode.l10n };
}
